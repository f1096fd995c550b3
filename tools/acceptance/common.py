"""What the acceptance scripts share: where things are, running programs, and saying what held."""
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SHARED = Path(os.environ.get("SEXTANT_SHARED", ROOT.parent / "shared"))
SEXTANT = ROOT / ".build/release/sextant"
BENCH = ROOT / ".build/release/sextant-bench"
WORK = Path(os.environ.get("SEXTANT_ACCEPT_FOLDER", tempfile.gettempdir())) / "sextant-accept"


class Items:
    """Prints a line an item and remembers whether all held."""

    def __init__(self):
        self.failed = 0
        self.held = 0

    def say(self, item, holds, what, figure=""):
        self.held += bool(holds)
        self.failed += not holds
        print(f"{'ok  ' if holds else 'FAIL'}  {item:<6} {what}{': ' if figure != '' else ''}{figure}", flush=True)

    def end(self):
        print(f"{self.held} passed, {self.failed} failed", flush=True)
        sys.exit(1 if self.failed else 0)


def run(arguments, environment=None, check=False, timeout=600):
    """Runs a program; the result has returncode, stdout and stderr as text."""
    return subprocess.run(
        [str(a) for a in arguments], capture_output=True, text=True, timeout=timeout, check=check,
        env={**os.environ, **(environment or {})})


def sextant(*arguments, **options):
    return run([SEXTANT, *arguments], **options)


def bench(*arguments):
    result = run([BENCH, *arguments], timeout=3600)
    if result.returncode:
        raise RuntimeError(result.stderr.strip())
    return json.loads(result.stdout)


def least_of(runs, *arguments):
    """A bench run several times, every time in its figures the least of them: what else a machine, or its host, does only
    adds to them, at times by half for seconds on end."""
    def least(a, b):
        return {key: least(a[key], b[key]) if isinstance(a[key], dict)
                else min(a[key], b[key]) if key.endswith("_ms") else a[key] for key in a}
    figures = bench(*arguments)
    for _ in range(runs - 1):
        figures = least(figures, bench(*arguments))
    return figures


def extracts():
    """Every OpenStreetMap file of the shared data."""
    folder = SHARED / "data/osm"
    return sorted(
        path for path in folder.rglob("*") if path.name.endswith((".osm.pbf", ".osm", ".osm.gz", ".osm.bz2")))


def plain_name(path):
    name = path.name
    for ending in (".pbf", ".gz", ".bz2", ".osm", ".lz4"):
        name = name.removesuffix(ending)
    return name.removesuffix(".osm").removesuffix(".lz4")


def address_objects(path):
    """OSM id, tags, latitude and longitude of every object of an extract with a house number, read by osmium alone."""
    result = run(["osmium", "tags-filter", "-o", WORK / "addr.osm.pbf", "--overwrite", path, "nwr/addr:housenumber"])
    if result.returncode:
        raise RuntimeError(result.stderr)
    exported = run(["osmium", "export", "-f", "geojsonseq", "-x", "print_record_separator=false", "-a", "type,id",
                    "-o", "-", WORK / "addr.osm.pbf"])
    objects = {}
    for line in filter(None, exported.stdout.split("\n")):
        feature = json.loads(line)
        tags = feature["properties"]
        points = []

        def gather(part):
            if isinstance(part[0], (int, float)):
                points.append(part)
            else:
                for inner in part:
                    gather(inner)

        gather(feature["geometry"]["coordinates"])
        ring = points[:-1] if len(points) > 1 and points[0] == points[-1] else points
        name = f"{tags['@type'][0].upper()}{tags['@id']}"
        longitude = sum(p[0] for p in ring) / len(ring)
        latitude = sum(p[1] for p in ring) / len(ring)
        objects[name] = (name, tags, latitude, longitude)
    return list(objects.values())


def addresses(path):
    """OSM id, street, number, city, place and postcode of every address of an extract, read by osmium alone."""
    rows = []
    for name, tags, latitude, longitude in address_objects(path):
        street = tags.get("addr:street") or tags.get("addr:place")
        if street and tags.get("addr:housenumber"):
            rows.append([name, street, tags["addr:housenumber"], tags.get("addr:city", ""), f"{latitude:.7f}",
                         f"{longitude:.7f}", tags.get("addr:postcode", "")])
    return ["\t".join(field.replace("\t", " ") for field in row) for row in rows]


def imported(path):
    """The atlas of an extract, imported once by the program under test and kept while that program is the same."""
    WORK.mkdir(parents=True, exist_ok=True)
    atlas = WORK / (plain_name(path) + ".atlas")
    manifest = atlas / "manifest.json"
    if not manifest.exists() or manifest.stat().st_mtime < SEXTANT.stat().st_mtime:
        result = sextant("import", path, "-o", atlas, "--quiet")
        if result.returncode:
            raise RuntimeError(f"{path.name}: exit code {result.returncode}: {result.stderr.strip()}")
    return atlas


def built_in_atlases():
    """The built-in World and Towns, made by the program under test."""
    home = WORK / "home"
    result = run([SEXTANT, "geocode", "Helsinki", "--quiet"], environment={"XDG_DATA_HOME": str(home)})
    if result.returncode:
        raise RuntimeError(result.stderr)
    return home / "sextant/World.atlas", home / "sextant/Towns.atlas"


def swift_test(filters, environment):
    """Runs tests in the scratch folder of tools/test; the output as lines."""
    arguments = ["swift", "test", "-c", "release", "-Xswiftc", "-enable-testing", "--package-path", ROOT,
                 "--scratch-path", ROOT / ".build/tests"]
    for name in filters:
        arguments += ["--filter", name]
    result = run(arguments, environment=environment, timeout=7200)
    return result.returncode, (result.stdout + result.stderr).splitlines()


def elapsed(start):
    return f"{time.monotonic() - start:.1f} s"
