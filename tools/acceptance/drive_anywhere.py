"""Acceptance of "drive anywhere": items 1 to 4, each in full. Arguments choose items, such as 1 or 4."""
import re
import sys

import drive_anywhere_speed as speed
from common import WORK, Items, swift_test

items = Items()
chosen = sys.argv[1:] or ["1", "2", "3", "4"]


# ---- 1: shared cases

def item_1():
    floors = {"car": 97, "engine": 97, "bicycle": 92, "foot": 92}
    report = WORK / "routing-cases"
    report.mkdir(parents=True, exist_ok=True)
    _, lines = swift_test(["RoutingCases"], {"SEXTANT_CASES_REPORT": str(report)})
    for name, floor in floors.items():
        start = next((i for i, line in enumerate(lines) if line.startswith(f"{name}.json ")), None)
        told = lines[start] if start is not None else ""
        share = re.search(r"level 3 ([\d.]+) %", told)
        items.say("1", share and float(share[1]) >= floor, f"{name} at least {floor} % at level 3",
                  " ".join(told.split()) or "not told")
        # The table by capability, and what fails by kind.
        for line in lines[start + 1:] if start is not None else []:
            if line[:1] in "◇✔":
                continue
            if not line.startswith("    "):
                break
            print(f"      {line}")
    # One-way roads in all spellings, limits with their units, and restrictions at nodes are in no file of cases.
    suites = ["OnewaySpellings", "LimitsOfSize", "NodeRestrictions"]
    code, lines = swift_test(suites, {})
    ran = {name for name in suites if any(f"Suite {name} passed" in line or f'"{name}" passed' in line for line in lines)}
    items.say("1", code == 0 and len(ran) == len(suites), "one-ways, limits and restrictions at nodes as drawn in tests",
              f"{', '.join(sorted(ran)) or 'none'} passed")
    print(f"        what fails, a line a query: {report}")


for number in chosen:
    {"1": item_1, "2": lambda: speed.item_2(items), "3": lambda: speed.item_3(items), "4": lambda: speed.item_4(items)}[number]()
items.end()
