"""Asks Sextant and Nominatim the same questions on one extract, in process and in turns; tools/bench --rivals calls it.

Nominatim is not brought along and nothing is installed: what is missing is named, and then only Sextant is measured. It needs
  - a Python with nominatim-db, nominatim-api and psycopg from PyPI (--nominatim PYTHON, or SEXTANT_NOMINATIM_PYTHON),
  - Debian's postgresql with postgis and osm2pgsql, a server that runs, and a role for the caller that may make databases
    and extensions, beside one called www-data.
The extract is imported once into a database of its own (nominatim_sextant_...) and a folder below --work.

The questions are drawn from the tags of the extract's addresses with a fixed seed: each street, number and city that
stands for one place is written as it is, reordered, without its city, with one typing error and in small letters; reverse
look-ups ask a point up to 8 m off an address. A hit has the house number and lies within 100 m. Rates are questions in a
second, the medians of the runs with the least and the greatest.
"""
import argparse
import json
import math
import os
import random
import re
import shutil
import sqlite3
import statistics
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

KINDS = ["exact", "reordered", "no city", "typing error", "small letters", "reverse"]
WANTED = {"reverse": 100}  # times the rival's rate; the others 50

parser = argparse.ArgumentParser(prog="tools/bench --rivals")
parser.add_argument("--rivals", action="store_true", required=True)
parser.add_argument("file", nargs="?", type=Path)
parser.add_argument("--json", action="store_true")
parser.add_argument("--runs", type=int, default=3)
parser.add_argument("--count", type=int, default=300)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--nominatim", type=Path, default=os.environ.get("SEXTANT_NOMINATIM_PYTHON"))
parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "sextant-rivals")
parser.add_argument("--program", type=Path, required=True, help=argparse.SUPPRESS)
parser.add_argument("--shared", type=Path, required=True, help=argparse.SUPPRESS)
parser.add_argument("--root", type=Path, required=True, help=argparse.SUPPRESS)
options = parser.parse_args()

extract = options.file or options.shared / "data/osm/countries/liechtenstein-2024-03-04.osm.pbf"
if not extract.exists():
    sys.exit(f"tools/bench --rivals: no file {extract}; name an extract")


def addresses(atlas):
    """Addresses whose tags say street, number and city, each standing for one place: number, street, city, lon, lat."""
    found = {}
    database = sqlite3.connect(f"file:{atlas / 'gazetteer.sqlite'}?mode=ro", uri=True)
    rows = database.execute("SELECT tags, geometry FROM feature WHERE housenumber IS NOT NULL AND osm_type IS NOT NULL ORDER BY id")
    for tags, geometry in rows:
        tags = json.loads(tags)
        number, street, city = (tags.get("addr:" + key, "").strip() for key in ("housenumber", "street", "city"))
        # Lists, ranges and numbers with a fraction are written in too many ways to judge a hit.
        if not street or not city or not re.fullmatch(r"\d+ ?[A-Za-z]?", number):
            continue
        longitude, latitude = struct.unpack("<dd", geometry[43:59])
        found.setdefault((number.lower(), street.lower(), city.lower()), []).append((number, street, city, longitude, latitude))
    def is_one(group):
        return all(abs(a[3] - group[0][3]) < 0.001 and abs(a[4] - group[0][4]) < 0.001 for a in group)
    return [group[0] for key, group in sorted(found.items()) if is_one(group)]


def with_typing_error(draw, text):
    """One letter left out, doubled with its neighbour, or another in its place; never the first."""
    spots = [i for i, letter in enumerate(text) if i > 0 and letter.isalpha()]
    if len(spots) < 4:
        return text
    spot = draw.choice(spots[:-1])
    kind = draw.randrange(3)
    if kind == 0:
        return text[:spot] + text[spot + 1:]
    if kind == 1:
        return text[:spot] + text[spot + 1] + text[spot] + text[spot + 2:]
    return text[:spot] + draw.choice([c for c in "aeinrst" if c != text[spot]]) + text[spot + 1:]


def questions(atlas):
    draw = random.Random(options.seed)
    all_addresses = addresses(atlas)
    if not all_addresses:
        sys.exit(f"tools/bench --rivals: no addresses with street, number and city in {extract.name}")
    in_city, anywhere = {}, {}
    for number, street, city, *_ in all_addresses:
        anywhere[(number.lower(), street.lower())] = anywhere.get((number.lower(), street.lower()), 0) + 1
    chosen = draw.sample(all_addresses, min(options.count, len(all_addresses)))
    lines = []
    for number, street, city, longitude, latitude in chosen:
        written = {
            "exact": f"{street} {number}, {city}",
            "reordered": f"{city} {number} {street}",
            "typing error": f"{with_typing_error(draw, street)} {number}, {city}",
            "small letters": f"{street} {number} {city}".lower(),
        }
        # Without its city only what stands for one place in the whole extract.
        if anywhere[(number.lower(), street.lower())] == 1:
            written["no city"] = f"{street} {number}"
        for kind, text in written.items():
            lines.append(f"{kind}\t{text}\t{longitude:.7f}\t{latitude:.7f}\t{number}")
        away, angle = 8 * math.sqrt(draw.random()), draw.random() * 2 * math.pi
        east = longitude + away * math.cos(angle) / 111_320 / math.cos(math.radians(latitude))
        north = latitude + away * math.sin(angle) / 110_540
        lines.append(f"reverse\t{east:.7f},{north:.7f}\t{longitude:.7f}\t{latitude:.7f}\t{number}")
    return lines


def missing():
    """What keeps Nominatim from being asked, as words; empty where all is there."""
    lacks = []
    if options.nominatim is None:
        lacks.append("a Python with nominatim-db and nominatim-api from PyPI (--nominatim PYTHON)")
    elif subprocess.run([options.nominatim, "-c", "import nominatim_api, nominatim_db, psycopg"], capture_output=True).returncode:
        lacks.append(f"nominatim-db, nominatim-api and psycopg from PyPI in {options.nominatim}")
    if not shutil.which("osm2pgsql"):
        lacks.append("Debian's osm2pgsql")
    if not shutil.which("psql"):
        lacks.append("Debian's postgresql")
    elif subprocess.run(["psql", "-qAtc", "SELECT 1", "postgres"], capture_output=True).returncode:
        lacks.append("a running PostgreSQL server that lets this user in")
    elif not subprocess.run(
        ["psql", "-qAtc", "SELECT 1 FROM pg_available_extensions WHERE name = 'postgis'", "postgres"],
        capture_output=True, text=True).stdout.strip():
        lacks.append("Debian's postgis for that server")
    return lacks


def imported():
    """The project folder of the extract's database, imported where it is not yet."""
    name = "nominatim_sextant_" + re.sub(r"[^a-z0-9]+", "_", extract.name.lower().split(".osm")[0])
    folder = options.work / name
    if (folder / "imported").exists():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / ".env").write_text(f'NOMINATIM_DATABASE_DSN="pgsql:dbname={name}"\nNOMINATIM_TOKENIZER=icu\nNOMINATIM_IMPORT_STYLE=full\n')
    subprocess.run(["dropdb", "--if-exists", name], check=True, capture_output=True)
    program = Path(options.nominatim).parent / "nominatim"
    command = [program, "import", "--project-dir", folder, "--osm-file", extract.resolve(), "--offline", "-j", "2"]
    print(f"importing {extract.name} with Nominatim ...", file=sys.stderr)
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    (folder / "import.log").write_text(result.stdout + result.stderr)
    if result.returncode:
        sys.exit(f"tools/bench --rivals: Nominatim's import failed; see {folder / 'import.log'}")
    (folder / "imported").touch()
    return folder


def asked(command):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if result.returncode:
        sys.exit(result.stderr.strip() or "no answer")
    return json.loads(result.stdout)


lacks = missing()
for lack in lacks:
    print(f"Nominatim is left out: {lack} is missing", file=sys.stderr)
project = None if lacks else imported()
runs = {"Sextant": []} if lacks else {"Sextant": [], "Nominatim": []}
with tempfile.TemporaryDirectory() as folder:
    atlas, file = Path(folder) / "rivals.atlas", Path(folder) / "questions.tsv"
    asked([options.program, "import", extract, "-o", atlas])
    file.write_text("\n".join(questions(atlas)) + "\n")
    for _ in range(options.runs):
        runs["Sextant"].append(asked([options.program, "questions", atlas, file]))
        if project:
            runs["Nominatim"].append(asked([options.nominatim, Path(__file__).parent / "rivals_nominatim.py", project, file]))

table = {}
for engine, results in runs.items():
    for kind in KINDS:
        if kind in results[0]:
            rates = [result[kind]["rate"] for result in results]
            table.setdefault(kind, {})[engine] = {
                "rate": statistics.median(rates), "min": min(rates), "max": max(rates), "count": results[0][kind]["count"],
                "p50_ms": statistics.median(result[kind]["p50_ms"] for result in results),
                "hits": statistics.median(result[kind]["hits"] for result in results) / results[0][kind]["count"],
            }
if options.json:
    print(json.dumps({"file": extract.name, "runs": options.runs, "seed": options.seed, "figures": table}))
    sys.exit(0)
print(f"{extract.name}: {options.runs} runs, seed {options.seed}; questions a second (median, least to greatest), hits")
holds = True
for kind, engines in table.items():
    line = f"  {kind:<14}"
    for engine, value in engines.items():
        line += f"  {engine} {value['rate']:>9,.0f} ({value['min']:,.0f} to {value['max']:,.0f}) {value['hits']:>6.1%}"
    if "Nominatim" in engines:
        ratio = engines["Sextant"]["rate"] / engines["Nominatim"]["rate"]
        good = ratio >= WANTED.get(kind, 50) and engines["Sextant"]["hits"] > engines["Nominatim"]["hits"]
        holds = holds and good
        line += f"  {ratio:,.0f} times{'' if good else '  SHORT'}"
    print(line)
sys.exit(0 if holds else 1)
