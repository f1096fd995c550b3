"""Acceptance of "ask an atlas": items 3 to 8, each in full. Arguments choose items, such as 3 or 5."""
import json
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

from common import BENCH, ROOT, SEXTANT, SHARED, WORK, Items, addresses, bench, elapsed, extracts, imported, plain_name, run, sextant, swift_test

items = Items()
STEPS = ["started", "filesWritten", "filesSynced", "manifestWritten", "folderSynced", "exchanged", "oldMovedAside", "newInPlace",
         "oldRemoved"]


def country(name):
    return next((SHARED / "data/osm/countries").glob(f"{name}-*.osm.pbf"))


# ---- 3: import, spatial layers, crashes, full disk, flipped bytes

def spatialite(database, sql):
    result = run(["spatialite", "-silent", "-noheader", database, sql])
    lines = [line for line in result.stdout.splitlines() if line.strip()]
    if result.returncode:
        raise RuntimeError(result.stderr.strip())
    return lines


def layers_hold(atlas):
    """What is wrong with the layers of an atlas; empty where nothing is."""
    database = WORK / "layers.sqlite"
    shutil.copyfile(atlas / "gazetteer.sqlite", database)
    database.chmod(0o644)
    faults = []
    plain = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    layers = plain.execute("SELECT f_table_name, f_geometry_column, srid FROM geometry_columns").fetchall()
    seen = run(["ogrinfo", "-ro", "-so", "-al", database]).stdout
    blocks = {block.split("\n")[0].strip(): block for block in seen.split("Layer name: ")[1:]}
    if len(layers) < 5:
        faults.append(f"only {len(layers)} layers")
    for table, column, srid in layers:
        if table == "iso_metadata":  # SpatiaLite's own, empty; GDAL hides it
            continue
        check = spatialite(database, f"SELECT CheckSpatialIndex('{table}', '{column}')")
        if check != ["1"]:
            faults.append(f"CheckSpatialIndex {table}: {check}")
        count = plain.execute(f"SELECT count(*) FROM {table} WHERE {column} IS NOT NULL").fetchone()[0]
        block = blocks.get(table) or blocks.get(f"{table}({column})") or ""
        listed = re.search(r"Feature Count: (\d+)", block)
        if not listed or int(listed[1]) != count or srid != 4326 or "4326" not in block or not re.search(r"Geometry: \w", block):
            faults.append(f"ogrinfo {table}: {listed and listed[1]} of {count}, SRID {srid}")
    plain.close()
    return faults, sum(table != "iso_metadata" for table, _, _ in layers)


JOIN = """
    SELECT DISTINCT r.osm_type || r.osm_id
    FROM area a JOIN feature m ON m.id = a.feature
    JOIN feature r ON ST_Intersects(a.geometry, r.geometry)
    WHERE m.osm_type = '{0}' AND m.osm_id = {1} AND r.class = 'amenity' AND r.type = 'restaurant'
      AND r.ROWID IN (SELECT ROWID FROM SpatialIndex WHERE f_table_name = 'feature' AND search_frame = a.geometry)
"""


def osm_ids(text):
    """The objects in the command's JSON, as N1, W1, R1."""
    found = json.loads(text)
    places = found["places"] if isinstance(found, dict) else found
    ids = set()
    for place in places:
        match = re.fullmatch(r"(node|way|relation)/(\d+)", place.get("osm") or place.get("id") or "")
        if match:
            ids.add(match[1][0].upper() + match[2])
    return ids


def municipalities(atlas):
    """Names and objects of the municipalities whose outline is whole and whose name is borne once."""
    plain = sqlite3.connect(f"file:{atlas}/gazetteer.sqlite?mode=ro&immutable=1", uri=True)
    rows = plain.execute(
        "SELECT m.name, m.osm_type, m.osm_id FROM area a JOIN feature m ON m.id = a.feature "
        "WHERE m.class = 'boundary' AND m.type = 'administrative' AND m.admin_level IN (7, 8) AND m.name IS NOT NULL").fetchall()
    plain.close()
    names = [row[0] for row in rows]
    return [row for row in rows if names.count(row[0]) == 1]


def item_3():
    start = time.monotonic()
    files = extracts()
    failed = []
    layers = 0
    for path in files:
        try:
            shutil.rmtree(WORK / (plain_name(path) + ".atlas"), ignore_errors=True)
            atlas = imported(path)
            faults, count = layers_hold(atlas)
            layers += count
            failed += [f"{path.name}: {fault}" for fault in faults]
        except (RuntimeError, subprocess.SubprocessError) as error:
            failed.append(f"{path.name}: {error}")
    items.say("3a", not failed, f"{len(files)} extracts import; CheckSpatialIndex and ogrinfo hold for each layer",
              f"{layers} layers in {elapsed(start)} {'; '.join(failed)}")

    compared = differing = restaurants = 0
    for name in ("liechtenstein", "monaco", "andorra", "maldives"):
        atlas = imported(country(name))
        writable = WORK / "join.sqlite"
        shutil.copyfile(atlas / "gazetteer.sqlite", writable)
        writable.chmod(0o644)
        for place, kind, number in municipalities(atlas):
            joined = set(spatialite(writable, JOIN.format(kind, number)))
            answer = sextant("search", "restaurants", "--within", f"{dict(N='node', W='way', R='relation')[kind]}/{number}",
                             "--json", "--atlas", atlas, "--no-world")
            found = osm_ids(answer.stdout) if answer.returncode == 0 else set()
            compared += 1
            restaurants += len(joined)
            if joined != found:
                differing += 1
                print(f"        {place}: {len(joined)} by SQL, {len(found)} by search; {sorted(joined ^ found)[:5]}")
    items.say("3b", compared > 0 and differing == 0, "restaurants within municipalities: SQL and search give the same",
              f"{compared} municipalities, {restaurants} restaurants, {differing} differ")

    item_3_crashes()
    item_3_full_disk()
    flips = 10_000
    code, lines = swift_test(["anyFlippedByteIsFoundAndNoneCrashesOrHangs"], {"SEXTANT_FLIPS": str(flips)})
    items.say("3e", code == 0 and any("1 test" in line and "passed" in line for line in lines),
              f"{flips} flipped bytes over all files: no crash, no hang, all found", last_line(lines))


def last_line(lines):
    return next((line for line in reversed(lines) if "Test run with" in line), lines[-1] if lines else "")


def item_3_crashes():
    folder = WORK / "crash"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    atlas = folder / "A.atlas"
    old, new = country("monaco"), SHARED / "data/osm/formats/monaco-2021-04-21.lz4.osm.pbf"
    sextant("import", old, "-o", atlas, "--quiet", check=True)
    whole = killed = 0
    problems = []

    def look(what):
        nonlocal whole
        result = sextant("info", atlas, "--verify", "--quiet")
        if result.returncode == 0:
            whole += 1
        else:
            problems.append(f"{what}: {result.stderr.strip()}")

    for step in STEPS:
        result = sextant("import", new, "-o", atlas, "--quiet", environment={"SEXTANT_FAULT_POINT": step})
        killed += result.returncode == -signal.SIGKILL
        look(step)
    lasts = time.monotonic()
    sextant("import", old, "-o", atlas, "--quiet", check=True)
    lasts = time.monotonic() - lasts
    chance = random.Random(7)
    for _ in range(20):
        process = subprocess.Popen([SEXTANT, "import", new, "-o", atlas, "--quiet"], stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0, lasts))
        process.kill()
        process.wait()
        look("random moment")
    sextant("import", old, "-o", atlas, "--quiet", check=True)
    left = sorted(path.name for path in folder.iterdir())
    items.say("3c", killed == len(STEPS) and not problems and left == ["A.atlas"],
              "killed at every step and at 20 random moments, the atlas is whole and the next import clears up",
              f"{killed} of {len(STEPS)} steps reached, {whole} times whole, left: {', '.join(left)} {'; '.join(problems[:3])}")


def item_3_full_disk():
    folder = WORK / "small"
    folder.mkdir(parents=True, exist_ok=True)
    if run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder]).returncode:
        items.say("3d", False, "a full disk", "needs root to mount a small file system")
        return
    try:
        outcomes = []
        for size in (1, 2, 4, 8, 12):
            run(["mount", "-o", f"remount,size={size}m", folder])
            result = sextant("import", country("liechtenstein"), "-o", folder / "L.atlas")
            left = [path.name for path in folder.iterdir()]
            outcomes.append(result.returncode not in (0, -signal.SIGSEGV) and "disk is full" in result.stderr and not left)
        items.say("3d", all(outcomes), "a full disk gives a clear error and leaves nothing",
                  f"{sum(outcomes)} of {len(outcomes)} sizes; exit code {result.returncode}: {result.stderr.strip().splitlines()[-1]}")
    finally:
        run(["umount", folder])


# ---- 4: exactness

def item_4():
    for what, filters, environment in [
        ("10,000 random worlds: A* and the oracle over ways and relations agree", ["RandomWorldTests"],
         {"SEXTANT_RANDOM_WORLDS": "10000"}),
        ("10,000 random pairs on two extracts: A* and Dijkstra over edge states agree", ["ExtractTests"],
         {"SEXTANT_RANDOM_PAIRS": "10000"}),
    ]:
        code, lines = swift_test(filters, environment)
        told = [line.strip() for line in lines if "seed" in line or "worlds" in line or "pairs" in line]
        items.say("4", code == 0, what, "; ".join(told[-3:]) or last_line(lines))


# ---- 5: addresses found again

def item_5():
    asked = forward = reverse = 0.0
    low = []
    for path in extracts():
        lines = addresses(path)
        if len(lines) < 50:
            continue
        table = WORK / "addresses.tsv"
        table.write_text("\n".join(lines) + "\n")
        misses = WORK / f"misses-{plain_name(path)}.tsv"
        figures = bench("hits", imported(path), table, "--count", "1000", "--misses", misses)
        if figures["asked"] == 0:
            continue
        asked += figures["asked"]
        forward += figures["forward"] * figures["asked"]
        reverse += figures["reverse"] * figures["asked"]
        holds = figures["forward"] >= 0.99 and figures["reverse"] >= 0.97
        if not holds:
            low.append(path.name)
        items.say("5", holds, plain_name(path),
                  f"{figures['asked']} of {figures['addresses']} asked, geocode {figures['forward']:.1%}, reverse {figures['reverse']:.1%}")
    print(f"        all: geocode {forward / asked:.2%}, reverse {reverse / asked:.2%} of {asked:.0f}; misses in {WORK}/misses-*.tsv")


# ---- 6: search against osmium

def item_6():
    chance = random.Random(6)
    boxes = wrong = total = 0
    for name in ("towns/munich-centre-2020-07-20", "towns/helsinki-centre-2019-04-21", "countries/andorra-2026-04-04"):
        path = SHARED / f"data/osm/{name}.osm.pbf"
        atlas = imported(path)
        listed = run(["osmium", "tags-filter", "-R", "-f", "opl", "-o", "-", path, "nwr/amenity=restaurant"], check=True).stdout
        objects = {line.split(" ", 1)[0].upper().replace("N", "N", 1) for line in listed.splitlines()}
        plain = sqlite3.connect(f"file:{atlas}/gazetteer.sqlite?mode=ro&immutable=1", uri=True)
        spots = {}
        for kind, number, west, south, east, north in plain.execute(
                "SELECT f.osm_type, f.osm_id, i.xmin, i.ymin, i.xmax, i.ymax FROM feature f JOIN idx_feature_geometry i ON i.pkid = f.id "
                "WHERE f.osm_id IS NOT NULL"):
            spots[f"{kind}{number}"] = ((west + east) / 2, (south + north) / 2)
        plain.close()
        missing = objects - spots.keys()
        if missing:
            print(f"        {path.name}: {len(missing)} restaurants have no feature: {sorted(missing)[:5]}")
            wrong += 1
        known = [spots[o] for o in objects & spots.keys()]
        for _ in range(10):
            x, y = chance.choice(known)
            width, height = chance.uniform(0.002, 0.03), chance.uniform(0.002, 0.03)
            box = (x - width * chance.random(), y - height * chance.random())
            box = (*box, box[0] + width, box[1] + height)
            wanted = {o for o in objects & spots.keys() if box[0] <= spots[o][0] <= box[2] and box[1] <= spots[o][1] <= box[3]}
            answer = sextant("search", "restaurants", "--bbox=" + ",".join(f"{v:.7f}" for v in box), "--json", "--atlas", atlas, "--no-world")
            found = osm_ids(answer.stdout) if answer.returncode == 0 else set()
            boxes += 1
            total += len(wanted)
            if found != wanted:
                wrong += 1
                print(f"        {path.name} {box}: {len(wanted)} by osmium, {len(found)} by search; {sorted(found ^ wanted)[:5]}")
    items.say("6", wrong == 0 and boxes == 30, "restaurants in random boxes: osmium and search give the same",
              f"{boxes} boxes, {total} restaurants, {wrong} differ")


# ---- 7: figures

def item_7():
    atlas = WORK / "figures.atlas"
    imports = [bench("import", country("liechtenstein"), "-o", atlas) for _ in range(5)]
    seconds = sorted(i["seconds"] for i in imports)[2]
    memory = max(i["peak_memory_mb"] for i in imports)
    items.say("7", seconds < 5, "import of Liechtenstein under 5 s, median of 5", f"{seconds:.2f} s")
    items.say("7", memory < 400, "its peak memory under 400 MB", f"{memory:.0f} MB")
    items.say("7", imports[0]["atlas_mb"] < 40, "the atlas under 40 MB", f"{imports[0]['atlas_mb']:.1f} MB")
    asked = [bench("latency", atlas, "--count", "1000", "--seed", str(seed)) for seed in range(1, 6)]
    for question, limit in (("geocode", 3), ("reverse", 1), ("search", 3), ("route", 15)):
        p99 = sorted(a[question]["p99_ms"] for a in asked)
        p50 = sorted(a[question]["p50_ms"] for a in asked)
        items.say("7", p99[2] < limit, f"{question}: p99 under {limit} ms, median of 5 seeds",
                  f"p50 {p50[2]:.3f} ms, p99 {p99[2]:.3f} ms ({p99[0]:.3f} to {p99[-1]:.3f})")
    opened = sorted(a["open_ms"] for a in asked)[2]
    items.say("7", opened < 100, "opening under 100 ms", f"{opened:.1f} ms")


# ---- 8: the shared cases

def item_8():
    report = WORK / "cases"
    shutil.rmtree(report, ignore_errors=True)
    report.mkdir(parents=True)
    code, lines = swift_test(["Cases"], {"SEXTANT_CASES_REPORT": str(report), "SEXTANT_SHARED": str(SHARED),
                                          "SEXTANT_CASES_REQUIRED": "1"})
    for line in lines:
        if "level" in line or re.search(r"\b(scenes|free-text)\b.*%", line):
            print(f"        {line.strip()}")
    items.say("8", code == 0, "shared cases: car and engine level 1 >= 85 %, guidance level 2 >= 50 %, scenes >= 60 %, free-text >= 70 %",
              last_line(lines))
    code, lines = swift_test(["RoutingTests", "GuidanceTests"], {"SEXTANT_SHARED": str(SHARED)})
    items.say("8", code == 0, "points of polylines on used ways, distances that sum up, polylines that join", last_line(lines))


WORK.mkdir(parents=True, exist_ok=True)
chosen = sys.argv[1:] or ["3", "4", "5", "6", "7", "8"]
for number in chosen:
    {"3": item_3, "4": item_4, "5": item_5, "6": item_6, "7": item_7, "8": item_8}[number]()
items.end()
