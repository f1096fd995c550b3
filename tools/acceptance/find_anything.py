"""Acceptance of "find anything": items 1 to 5, each in full. Arguments choose items, such as 2 or 5."""
import itertools
import json
import re
import statistics
import sys

from common import (BENCH, ROOT, SEXTANT, SHARED, WORK, Items, addresses, bench, built_in_atlases, imported, least_of, plain_name,
                    run, swift_test)

items = Items()
chosen = sys.argv[1:] or ["1", "2", "3", "4", "5"]
OSM = SHARED / "data/osm"
TOWNS = [
    "countries/liechtenstein-2024-03-04.osm.pbf", "towns/queens-village-nyc-2016-07-14.osm.pbf",
    "towns/helsinki-centre-2019-04-21.osm.pbf", "towns/munich-centre-2020-07-20.osm.pbf",
    "towns/lauf-an-der-pegnitz-2020-01-15.osm.pbf", "towns/london-centre-2020-07-20.osm.pbf",
    "towns/moscow-centre-2020-07-20.osm.pbf",
]


# ---- 2: written in ten ways, and crossings

def crossings(path):
    """Pairs of differently named streets with the nodes they share, read by osmium alone; nodes far apart are two lines."""
    placed = WORK / "roads.opl"
    roads = WORK / "roads.osm.pbf"
    for arguments in (["tags-filter", "-o", roads, path, "w/highway"], ["add-locations-to-ways", "--ignore-missing-nodes", "-o", placed, roads]):
        result = run(["osmium", *arguments, "--overwrite"])
        if result.returncode:
            raise RuntimeError(result.stderr)
    names, places = {}, {}
    for line in placed.read_text().splitlines():
        if not line.startswith("w"):
            continue
        fields = {field[0]: field[1:] for field in line.split(" ")[1:] if field}
        tags = dict(pair.split("=", 1) for pair in fields.get("T", "").split(",") if "=" in pair)
        name = unescape(tags.get("name", ""))
        # Squares and paths over them meet anywhere; parts of a name would be other streets; some ways are no more or not yet.
        gone = tags.get("highway") in ("razed", "abandoned", "demolished", "proposed", "construction", "disused", "no")
        if not name or gone or tags.get("area") == "yes" or any(mark in name for mark in "/&;\t"):
            continue
        for reference in fields["N"].split(","):
            node, _, place = reference[1:].partition("x")
            longitude, _, latitude = place.partition("y")
            if latitude:
                names.setdefault(node, set()).add(name)
                places[node] = (float(latitude), float(longitude))
    pairs = {}
    for node, bearers in names.items():
        for pair in itertools.combinations(sorted(bearers), 2):
            pairs.setdefault(pair, []).append(places[node])
    return ["\t".join([*pair, " ".join(f"{a:.7f},{b:.7f}" for a, b in nodes)]) for pair, nodes in sorted(pairs.items())]


def unescape(text):
    parts = text.split("%")
    return parts[0] + "".join(
        chr(int(part, 16)) if index % 2 == 0 else part for index, part in enumerate(parts[1:]))


def item_2():
    for name in TOWNS:
        path = OSM / name
        atlas = imported(path)
        table = WORK / "addresses.tsv"
        table.write_text("\n".join(addresses(path)) + "\n")
        misses = WORK / f"forms-{plain_name(path)}.tsv"
        figures = bench("forms", atlas, table, "--count", "500", "--misses", misses)
        forms = {key: value for key, value in figures.items() if isinstance(value, dict)}
        low = [f"{form} {value['hits']:.1%}" for form, value in forms.items()
               if value["hits"] < (0.95 if form == "oneEdit" else 0.97)]
        items.say("2", not low, f"{plain_name(path)} in ten ways",
                  f"{figures['asked']} asked; " + ", ".join(f"{form} {value['hits']:.1%}" for form, value in forms.items())
                  + (f"; too low: {', '.join(low)}" if low else ""))
        table = WORK / "crossings.tsv"
        table.write_text("\n".join(crossings(path)) + "\n")
        misses = WORK / f"crossings-{plain_name(path)}.tsv"
        figures = bench("crossings", atlas, table, "--count", "300", "--misses", misses)
        items.say("2", figures["asked"] > 0 and figures["hits"] >= 0.97, f"{plain_name(path)}: crossings within 10 m",
                  f"{figures['hits']:.1%} of {figures['asked']:.0f} of {figures['crossings']:.0f}")
    print(f"        misses in {WORK}/forms-*.tsv and crossings-*.tsv")


# ---- 1: shared cases

def item_1():
    floors = {"scenes": 95, "tag-reading": 95, "free-text": 97, "city-search": 98, "photon": 95, "api-extract": 90}
    report = WORK / "cases"
    report.mkdir(parents=True, exist_ok=True)
    code, lines = swift_test(["GeocodingCases"], {"SEXTANT_CASES_REPORT": str(report)})
    for name, floor in floors.items():
        told = next((line for line in lines if f"geocoding/{name}.json" in line and "hold" in line), "")
        share = re.search(r"\(([\d.]+) %\)", told)
        items.say("1", share and float(share[1]) >= floor, f"{name} at least {floor} %", told.strip() or "not told")
    print(f"        what fails, by kind: {report}")


# ---- 3: speed

def speeds(atlas, path, earth, runs):
    """Medians of three seeds of the p99 of each kind of question, the least of some runs, in milliseconds of one core."""
    table = WORK / "speed.tsv"
    table.write_text("\n".join(addresses(path)) + "\n")
    latency = [least_of(runs, "latency", atlas, "--world", earth, "--count", "500", "--seed", seed) for seed in range(1, 4)]
    forms = [least_of(runs, "forms", atlas, table, "--world", earth, "--count", "500", "--seed", seed) for seed in range(1, 4)]
    return {
        "completion": statistics.median(run["complete"]["p99_ms"] for run in latency),
        "exact address": statistics.median(run["exact"]["p99_ms"] for run in forms),
        "with a typing error": statistics.median(run["oneEdit"]["p99_ms"] for run in forms),
        "reverse": statistics.median(run["reverse"]["p99_ms"] for run in latency),
    }


def item_3():
    path = OSM / TOWNS[0]
    limits = {"completion": 5, "exact address": 2, "with a typing error": 10, "reverse": 0.5}
    for name, value in speeds(imported(path), path, built_in_atlases()[0], 3).items():
        items.say("3", value < limits[name], f"{name}: p99 under {limits[name]} ms, median of 3 seeds, least of 3 runs", f"{value:.3f} ms")
    code, lines = swift_test(["EffortTests"], {})
    items.say("3", code == 0 and any("EffortTests" in line and "passed" in line for line in lines),
              "statements, rows and trie nodes of a query are counted and bounded", lines[-1].strip() if lines else "")
    result = run([ROOT / "tools/bench", "--rivals", "--json"], timeout=7200)
    if result.returncode:
        items.say("3", False, "beside Nominatim", (result.stderr or result.stdout).strip().splitlines()[-1:])
        return
    table = json.loads(result.stdout)["figures"]
    for form, engines in table.items():
        if "Nominatim" not in engines:
            items.say("3", False, f"{form}, beside Nominatim", "it is not there: " + result.stderr.strip())
            continue
        ours, theirs = engines["Sextant"], engines["Nominatim"]
        ratio = ours["rate"] / theirs["rate"]
        told = (f"{ratio:.0f} times the rate ({ours['rate']:,.0f} and {theirs['rate']:,.0f} a second); "
                f"hits {ours['hits']:.1%} and {theirs['hits']:.1%}")
        if form == "reverse":
            items.say("3", ratio >= 100, "reverse, beside Nominatim: at least 100 times its rate", told)
        elif form == "typing error":
            # Most of these it gives up: its rate is that of finding nothing.
            items.say("3", ours["hits"] > theirs["hits"], f"{form}, beside Nominatim: a better hit rate", told)
        else:
            items.say("3", ratio >= 50 and ours["hits"] > theirs["hits"],
                      f"{form}, beside Nominatim: at least 50 times its rate, a better hit rate", told)


# ---- 4: five million addresses

def item_4():
    earth, _ = built_in_atlases()
    count = 5_000_000
    extract, atlas = WORK / "large.osm.pbf", WORK / "large.atlas"
    if not extract.exists():
        run([ROOT / "tools/make-large", extract, "--addresses", count], check=True, timeout=3600)
    result = run(["/usr/bin/time", "-f", "%e %M", SEXTANT, "import", extract, "-o", atlas, "--quiet"], timeout=7200)
    if result.returncode:
        items.say("4", False, "import", result.stderr.strip())
        return
    seconds, kilobytes = (float(value) for value in result.stderr.split()[-2:])
    items.say("4", seconds < 600, "import in under 10 minutes", f"{seconds:.0f} s")
    items.say("4", kilobytes < 3e6, "under 3 GB of memory", f"{kilobytes / 1e6:.2f} GB")
    path = OSM / TOWNS[0]
    small, large = speeds(imported(path), path, earth, 2), speeds(atlas, extract, earth, 1)
    for name in ("exact address", "with a typing error", "reverse", "completion"):
        items.say("4", large[name] < 3 * small[name], f"{name}: grows by less than 3 times",
                  f"{small[name]:.3f} to {large[name]:.3f} ms")


# ---- 5: hostile text

def item_5():
    atlas = imported(OSM / TOWNS[0])
    result = run([BENCH, "hostile", atlas, "--world", built_in_atlases()[0], "--count", "100000", "--seed", "1"], timeout=7200)
    if result.returncode:
        items.say("5", False, "100,000 hostile texts", result.stderr.strip()[-500:])
        return
    figures = json.loads(result.stdout)
    items.say("5", not figures["errors"], "100,000 hostile texts, seed 1: no crash, no error",
              f"{figures['answered']} answered; {figures['errors'][:3]}")
    items.say("5", figures["slowest_ms"] < 50, "each answered or refused within 50 ms",
              ", ".join(f"{name} {value['ms']:.1f} ms" + (f" (asked again {value['again_ms']:.1f})"
                                                            if value["again_ms"] < value["ms"] else "")
                        for name, value in sorted(figures["slowest"].items()))
              + f"; made ready before in {figures['warm_up_ms']:.0f} ms")
    worst = max(figures["slowest"].values(), key=lambda value: value["ms"])
    print(f"        slowest: input {worst['input']}, {worst['text']!r}")


for number in chosen:
    {"1": item_1, "2": item_2, "3": item_3, "4": item_4, "5": item_5}[number]()
items.end()
