"""Acceptance of "find anything": items 1 to 5, each in full. Arguments choose items, such as 2 or 5."""
import itertools
import math
import sys

from common import (SHARED, WORK, Items, addresses, bench, imported, plain_name, run)

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
        # Squares and paths over them meet anywhere; parts of a name would be other streets.
        if not name or tags.get("area") == "yes" or any(mark in name for mark in "/&;\t"):
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


for number in chosen:
    {"2": item_2}[number]()
items.end()
