"""Item 2 of "everything of a kind": searches in words beside what the tags say, read by osmium (queries.tsv)."""
import datetime
import json
import math
import re
from pathlib import Path

from common import SHARED, WORK, imported, run, sextant

TOWNS = SHARED / "data/osm/towns"
# Each extract with the box of its places and its time zone.
EXTRACTS = {
    "helsinki": (TOWNS / "helsinki-centre-2019-04-21.osm.pbf", "24.92,60.15,24.97,60.19", "Europe/Helsinki"),
    "munich": (TOWNS / "munich-centre-2020-07-20.osm.pbf", "11.466,48.078,11.723,48.248", "Europe/Berlin"),
    "moscow": (TOWNS / "moscow-centre-2020-07-20.osm.pbf", "37.524,55.714,37.706,55.807", "Europe/Moscow"),
    "monaco": (SHARED / "data/osm/countries/monaco-2026-07-07.osm.pbf", "7.40,43.70,7.46,43.77", "Europe/Monaco"),
}
ORACLE = """
import datetime, json, sys, zoneinfo
import opening_hours
for line in sys.stdin:
    value, zone, start, end, latitude, longitude = json.loads(line)
    try:
        hours = opening_hours.OpeningHours(
            value, coords=(latitude, longitude), timezone=zoneinfo.ZoneInfo(zone), auto_country=False)
        start, end = datetime.datetime.fromisoformat(start), datetime.datetime.fromisoformat(end)
        def surely(moment):
            # What only a comment calls open, "by appointment", is not surely open.
            state, *comment = hours.state(moment)
            return str(state).lower().endswith("open") and not any(comment)
        answer = surely(start)
        while not answer and start < end:
            start = hours.next_change(start)
            if start is None or start.replace(tzinfo=None) >= end:
                break
            start = start.replace(tzinfo=None)
            answer = surely(start)
    except Exception:
        answer = False
    print(int(bool(answer)))
"""


class Objects:
    """What osmium reads out of an extract: tags and outlines by identifier."""

    def __init__(self, path):
        self.tags, self.shapes, self.incomplete = {}, {}, set()
        WORK.mkdir(parents=True, exist_ok=True)
        exported = run(["osmium", "export", "-f", "geojsonseq", "-x", "print_record_separator=false", "-a", "type,id",
                        "-o", "-", path])
        if exported.returncode:
            raise RuntimeError(exported.stderr)
        for line in filter(None, exported.stdout.split("\n")):
            feature = json.loads(line)
            tags = feature["properties"]
            identifier = f"{tags.pop('@type')}/{tags.pop('@id')}"
            geometry = feature["geometry"]
            # A closed way may come as a line and as an area: the area says more.
            if identifier in self.tags and geometry["type"] != "MultiPolygon":
                continue
            self.tags[identifier] = tags
            self.shapes[identifier] = geometry

        # What lacks nodes or members has tags, but no shape to tell where it lies.
        listed = run(["osmium", "cat", "-t", "way", "-t", "relation", "-f", "opl,add_metadata=false", "-o", "-", path])
        for line in listed.stdout.split("\n"):
            identifier = {"w": "way/", "r": "relation/"}.get(line[:1], "") + line[1:].split(" ", 1)[0]
            if identifier not in self.tags:
                self.incomplete.add(identifier)

    def rings(self, identifier):
        geometry = self.shapes[identifier]
        if geometry["type"] == "MultiPolygon":
            return [ring for polygon in geometry["coordinates"] for ring in polygon]
        return [geometry["coordinates"]] if geometry["type"] == "LineString" else []

    def middle(self, identifier):
        geometry = self.shapes[identifier]
        if geometry["type"] == "Point":
            return geometry["coordinates"]
        rings = self.rings(identifier)
        ring = max(rings, key=len)
        area = x = y = 0.0
        x0, y0 = ring[0]
        for (ax, ay), (bx, by) in zip(ring, ring[1:]):
            cross = (ax - x0) * (by - y0) - (bx - x0) * (ay - y0)
            area += cross
            x += (ax + bx - 2 * x0) * cross
            y += (ay + by - 2 * y0) * cross
        if abs(area) < 1e-14:
            return [sum(p[0] for p in ring) / len(ring), sum(p[1] for p in ring) / len(ring)]
        return [x0 + x / (3 * area), y0 + y / (3 * area)]


def holds(expression, tags):
    """Whether a filter in the words of osmium-tool holds for the tags."""
    def term(text):
        text = text.strip().replace("%20", " ")
        key, values = text.split("=", 1)
        if key.endswith("!"):
            return key[:-1] in tags and tags[key[:-1]] not in values.split(",")
        if key not in tags:
            return False
        if values == "*":
            return True
        if values.startswith("*"):
            return values.strip("*") in tags[key]
        return tags[key] in values.split(",")
    return any(all(term(part) for part in alternative.split("&")) for alternative in expression.split("|"))


def distance(a, b):
    """Metres between two points of longitude and latitude."""
    height = math.radians(a[1] - b[1])
    width = math.radians(a[0] - b[0])
    half = math.sin(height / 2) ** 2 + math.cos(math.radians(a[1])) * math.cos(math.radians(b[1])) * math.sin(width / 2) ** 2
    return 2 * 6371008.8 * math.asin(math.sqrt(half))


def inside(point, rings):
    odd = False
    for ring in rings:
        for (ax, ay), (bx, by) in zip(ring, ring[1:]):
            if (ay > point[1]) != (by > point[1]) and point[0] < ax + (point[1] - ay) / (by - ay) * (bx - ax):
                odd = not odd
    return odd


def letters(text):
    return re.sub(r"[\W_]+", " ", text.lower()).split()


def has_name(tags, words):
    return any(set(words) <= set(letters(value)) for key, value in tags.items()
               if key in ("name", "brand", "operator", "alt_name", "official_name", "short_name", "int_name", "old_name",
                          "loc_name") or re.fullmatch(r"(name|alt_name|brand|official_name|short_name):[a-z-]+", key))


def as_list(value):
    """The value with no blank after a comma between days: the oracle would begin another rule there."""
    day = r"(?:Mo|Tu|We|Th|Fr|Sa|Su|PH|SH)"
    return re.sub(rf"({day}(?:\[[^\]]*\])?)\s*,\s+(?={day}\b)", r"\1,", value)


def are_open(objects, identifiers, zone, start, end, python):
    """Those that are open at a moment, or between two."""
    rows = []
    for identifier in identifiers:
        longitude, latitude = objects.middle(identifier)
        rows.append(json.dumps([as_list(objects.tags[identifier]["opening_hours"]), zone, start, end, latitude, longitude]))
    table = WORK / "query-hours.txt"
    table.write_text("\n".join(rows) + "\n" if rows else "")
    result = run(["sh", "-c", 'exec "$@" <"$0"', table, python, "-c", ORACLE])
    if result.returncode:
        raise RuntimeError(result.stderr)
    return {identifier for identifier, line in zip(identifiers, result.stdout.split()) if line == "1"}


def expected(objects, zone, moment, text, python):
    """The identifiers that must be found, and those that may be: at the rim of a circle."""
    first, *conditions = [part.strip() for part in text.split(";")]
    words = None
    if first.startswith("name "):
        words, found = letters(first[5:]), set(objects.tags)
        # Only what people look for: no streets, and no parts of lines.
        found = {i for i in found if any(key in objects.tags[i] for key in (
            "amenity", "shop", "tourism", "leisure", "office", "healthcare", "craft", "public_transport", "railway"))}
    else:
        found = {i for i, tags in objects.tags.items() if holds(first, tags)}
    may = set()
    for condition in conditions:
        kind, _, rest = condition.partition(" ")
        if kind == "name":
            words = letters(rest)
        elif kind in ("open", "always", "day"):
            found = sorted(i for i in found if "opening_hours" in objects.tags[i])
            if kind == "day":
                start = datetime.datetime.fromisoformat(rest)
                end = start + datetime.timedelta(days=1)
            else:
                start = datetime.datetime.fromisoformat(rest or moment)
                end = start
            if kind == "always":
                found = {i for i in found if re.sub(r"[\s;]+", "", objects.tags[i]["opening_hours"]) in (
                    "24/7", "Mo-Su00:00-24:00", "00:00-24:00", "Mo-Su,PH00:00-24:00")}
            else:
                found = are_open(objects, found, zone, start.isoformat(), end.isoformat(), python)
        elif kind == "near":
            metres, expression = rest.split(" ", 1)
            centre = next(objects.middle(i) for i, tags in objects.tags.items() if holds(expression, tags))
            away = {i: distance(objects.middle(i), centre) for i in found}
            may |= {i for i in found if abs(away[i] - float(metres)) < 0.03 * float(metres)}
            found = {i for i in found if away[i] <= float(metres)}
        elif kind == "inside":
            # The outline, not a way of it that bears the same tags.
            outline = max((i for i, tags in objects.tags.items() if holds(rest, tags)), key=lambda i: (
                objects.shapes[i]["type"] == "MultiPolygon", i.startswith("relation")))
            rings = objects.rings(outline)
            found = {i for i in found if inside(objects.middle(i), rings)}
    if words is not None:
        found = {i for i in found if has_name(objects.tags[i], words)}
    return found - may, may | objects.incomplete


def answered(atlas, query, box, moment):
    """The answers of the program under test, each as the set of its objects."""
    arguments = ["search", query, f"--bbox={box}", "--json", "--atlas", atlas, "--quiet"]
    if moment != "-":
        arguments += ["--at", moment]
    # The World tells the time zone.
    result = sextant(*arguments, environment={"XDG_DATA_HOME": str(WORK / "home")})
    if result.returncode not in (0, 1):
        raise RuntimeError(f"{query}: {result.stderr.strip()}")
    places = json.loads(result.stdout)["places"] if result.stdout.strip() else []
    return [{place["id"], *place.get("objects", [])} for place in places]


def check(items, python):
    table = Path(__file__).parent / "queries.tsv"
    objects = {}
    hits = wanted = right = wrong = 0
    shares, faults = [], []
    rows = [line.split("\t") for line in table.read_text().splitlines() if line and not line.startswith("#")]
    for extract, query, moment, text in rows:
        path, box, zone = EXTRACTS[extract]
        if extract not in objects:
            objects[extract] = Objects(path)
        must, may = expected(objects[extract], zone, moment, text, python)
        found = answered(imported(path), query, box, moment)
        covered = set().union(*found)
        false = [answer for answer in found if not answer & (must | may)]
        true = [answer for answer in found if answer & must]
        missed = must - covered
        hits += len(must) - len(missed)
        wanted += len(must)
        right += len(true)
        wrong += len(false)
        shares.append((len(must) - len(missed)) / len(must) if must else float(not false))
        if false or missed or not must:
            faults.append(f"{extract}, \"{query}\": {len(must)} expected, {len(missed)} missed "
                          f"{' '.join(sorted(missed)[:5])}, {len(false)} wrong {' '.join(sorted(map(min, false))[:5])}")
    report = WORK / "queries.txt"
    report.write_text("\n".join(faults) + "\n")
    items.say("2", len(rows) >= 120, "queries in the table", len(rows))
    items.say("2", wanted and hits / wanted >= 0.98, "recall at least 98 %", f"{hits / wanted:.2%} of {wanted}")
    items.say("2", right and right / (right + wrong) >= 0.98, "precision at least 98 %", f"{right / (right + wrong):.2%}")
    print(f"        {sum(share == 1 for share in shares)} queries find all; differences: {report}")
