"""Acceptance of "Familiar faces": MapKit and CoreLocation on Linux, and maps to look at. Run by tools/accept."""
import csv
import json
import os
import re
import shutil
import subprocess
import sys

from common import (BENCH, ROOT, WORK, Items, bench, built_in_atlases, extracts, imported, plain_name, run, swift_test)

items = Items()

SCENARIOS = ([f"0_{n}" for n in range(1, 14)] + [f"1_{n}" for n in range(1, 4)] + [f"2_{n}" for n in range(1, 5)]
             + [f"3_{n}" for n in range(1, 6)])


def passed(lines):
    """Names of the tests that passed."""
    return {match[1] for line in lines if (match := re.search(r"Test (\w+)\(.*?\).* passed after", line))}


# ---- 1: scenarios and pictures

def item_1():
    code, lines = swift_test(["scenario", "SiteScheduleTests", "CartographyTests", "MapKitTests"], {})
    names = passed(lines)
    missing = [number for number in SCENARIOS if not any(name.startswith(f"scenario{number}") and not name[len(f"scenario{number}")].isdigit() for name in names)]
    items.say("1", not missing and code == 0, "every scenario is a test of its own name that passes",
              f"{len(SCENARIOS) - len(missing)} of {len(SCENARIOS)}" + (f", missing {missing}" if missing else ""))
    golden = sorted(ROOT.glob("Tests/*/Golden/*.png"))
    items.say("1", len(golden) >= 10 and code == 0, "golden images, compared with a tolerance", f"{len(golden)}")


# ---- 2: a stranger's package

def item_2():
    result = run([ROOT / "tools/stranger"], environment={"STRANGER_SCRATCH": str(WORK / "stranger")}, timeout=7200)
    for line in result.stdout.splitlines():
        print(f"        {line}")
    items.say("2", result.returncode == 0, "a stranger's package builds in language modes 5 and 6", result.stderr.strip()[-200:])


# ---- 3: numbers and surprises

def item_3():
    code, lines = swift_test(["MapKitTests", "CoreLocationTests"], {})
    last = next((line for line in reversed(lines) if "tests in" in line), "")
    items.say("3", code == 0, "numbers of the parity list", last)
    source = (ROOT / "Tests/MapKitTests/SurpriseTests.swift").read_text()
    surprises = set(re.findall(r"@Test func (\w+)", source)) & passed(lines)
    items.say("3", len(surprises) >= 17, "surprises, a test each", f"{len(surprises)}")


# ---- 4: many requests, and the thread sanitizer

def item_4():
    code, lines = swift_test(["ManyRequestsTests"], {})
    items.say("4", code == 0, "10,000 requests on one geocoder, and 100 geocoders from 8 tasks", ", ".join(sorted(passed(lines))))
    arguments = ["swift", "test", "--sanitize=thread", "--package-path", ROOT, "--scratch-path", ROOT / ".build/thread"]
    for name in ["MapKitTests", "CoreLocationTests"]:
        arguments += ["--filter", name]
    suppressions = ROOT / "tools/thread-sanitizer.supp"
    options = "halt_on_error=0" + (f":suppressions={suppressions}" if suppressions.exists() else "")
    result = run(arguments, environment={"TSAN_OPTIONS": options}, timeout=7200)
    output = result.stdout + result.stderr
    races = output.count("WARNING: ThreadSanitizer")
    last = next((line for line in reversed(output.splitlines()) if "tests in" in line), output[-300:])
    items.say("4", result.returncode == 0 and races == 0, "thread sanitizer over the modules' tests", f"{races} reports; {last}")


# ---- 5: tiles, land and sea, speed

def item_5():
    earth, towns = built_in_atlases()
    named = {plain_name(path): path for path in extracts()}
    for name in ["monaco-2026-07-07", "helsinki-centre-2019-04-21", "liechtenstein-2024-03-04", "fiji-antimeridian",
                 "maldives-2023-05-28"]:
        figures = bench("seams", imported(named[name]), "--world", earth, "--count", "6")
        items.say("5", not figures["different"], f"tiles join, {name}, z 0 to 19",
                  f"{figures['compared']} compared, {len(figures['different'])} differ")
    for table in sorted((ROOT / "tools/acceptance/ground").glob("*.tsv")):
        atlas = towns if table.stem.startswith("towns") else imported(named[table.stem])
        result = run([BENCH, "ground", atlas, "--world", earth, "--points", table])
        rows = [line.split("\t") for line in result.stdout.splitlines()]
        # Column 3 is the ground, then where it is known from, the shapes at zooms 6, 12 and 19, and the drawing.
        wrong = [row for row in rows if row[2] != row[-1] or row[2] != row[-2]]
        items.say("5", len(rows) == 50 and not wrong, f"land and sea have the right colour, {table.stem}",
                  f"{len(rows) - len(wrong)} of {len(rows)}")
    figures = bench("tiles", imported(named["liechtenstein-2024-03-04"]), "--world", earth, "--count", "200")
    slowest = max((figures[zoom]["alone"]["p95_ms"], zoom) for zoom in figures if zoom.startswith("z"))
    print("        " + ", ".join(f"{zoom} {figures[zoom]['alone']['p95_ms']:.1f}" for zoom in sorted(figures) if zoom.startswith("z")))
    items.say("5", slowest[0] < 30, "a tile of 256 pixels in under 30 ms at the 95th percentile, z 6 to 18",
              f"slowest {slowest[0]:.1f} ms at {slowest[1]}")


# ---- 6: SiteSchedule

def site_schedule(table, folder, atlas, *arguments):
    """Runs the example program; its exit code, output and peak memory in MB."""
    program = ROOT / ".build/release/site-schedule"
    with open(folder / "output.txt", "w+") as output:
        process = subprocess.Popen(
            [program, table, "--map", folder / "sites.png", "--way", folder / "way.png", *arguments],
            stdout=output, stderr=output, env={**os.environ, "SEXTANT_ATLAS": str(atlas)})
        _, status, usage = os.wait4(process.pid, 0)
        output.seek(0)
        return os.waitstatus_to_exitcode(status), output.read(), usage.ru_maxrss / 1000


def real_addresses(atlas, count):
    """Street with number, postcode and city of addresses of the atlas."""
    sql = ("SELECT s.name, f.housenumber, f.postcode FROM feature f JOIN feature s ON s.id = f.parent WHERE f.kind = 9 "
           "AND f.country = 'fi' AND f.postcode IS NOT NULL AND s.name IS NOT NULL AND f.housenumber GLOB '[0-9]*' "
           "GROUP BY s.name, f.housenumber HAVING count(*) <= 4 ORDER BY f.id * 7919 % 10007 LIMIT " + str(count))
    result = run(["sqlite3", "-separator", "\t", f"file:{atlas}/gazetteer.sqlite?immutable=1", sql])
    return [line.split("\t") for line in result.stdout.splitlines()]


def item_6():
    subprocess.run(["swift", "build", "-c", "release", "--package-path", ROOT, "--product", "site-schedule"],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, towns = built_in_atlases()
    folder = WORK / "sites"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    addresses = real_addresses(towns, 100)

    def write(path, rows):
        with open(path, "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["name", "street", "postcode", "city", "country", "latitude", "longitude"])
            writer.writerows(rows)

    def row(index, address):
        street, number, postcode = address
        return [f"Site {index}", f"{street} {number}", postcode, "Helsinki", "FI", "", ""]

    table = folder / "hundred.csv"
    write(table, [row(i, a) for i, a in enumerate(addresses)] + [["Nowhere", "Nirgendsweg 999", "00100", "Helsinki", "FI", "", ""]])
    code, output, peak = site_schedule(table, folder, towns, "--to", "Site 5")
    found = sum("found:" in line for line in output.splitlines())
    items.say("6", code == 0 and len(addresses) == 100 and found == 100, "100 real addresses are found and drawn",
              f"exit {code}, {found} of {len(addresses)}, {peak:.0f} MB, picture {(folder / 'sites.png').stat().st_size} bytes")
    print("        " + "\n        ".join(output.splitlines()[-12:]))
    once = table.read_bytes()
    code, output, _ = site_schedule(table, folder, towns)
    asked = sum("already known" not in line and ("found" in line or "no " in line) for line in output.splitlines())
    known = sum("already known" in line for line in output.splitlines())
    items.say("6", code == 0 and table.read_bytes() == once and (known, asked) == (100, 1), "a second run asks only for the unknown site and writes the same",
              f"{known} known, {asked} asked")
    write(folder / "many.csv", [row(i, addresses[i % len(addresses)]) for i in range(10_000)])
    code, output, peak_many = site_schedule(folder / "many.csv", folder, towns)
    found = sum("found:" in line for line in output.splitlines())
    items.say("6", code == 0 and found == 10_000 and peak_many < peak + 200, "10,000 sites in bounded memory",
              f"exit {code}, {found} found, {peak_many:.0f} MB beside {peak:.0f} MB for 100")


WORK.mkdir(parents=True, exist_ok=True)
chosen = sys.argv[1:] or ["1", "2", "3", "4", "5", "6"]
for number in chosen:
    {"1": item_1, "2": item_2, "3": item_3, "4": item_4, "5": item_5, "6": item_6}[number]()
items.end()
