"""Items 2, 3 and 4 of "drive anywhere": exact under every wish, speed beside rivals, import.

drive_anywhere.py calls these. Rivals are asked where a Python with osrm-bindings, pyvalhalla, routingkit-cch, numpy, scipy and
osmium is named by SEXTANT_ROUTING_PYTHON; else it is said that they are not there. All on one core, one after the other.
"""
import json
import os
import re
import shutil
from pathlib import Path

from common import BENCH, ROOT, SEXTANT, SHARED, WORK, run, swift_test

PORTO = SHARED / "data/osm/road-networks/porto-region-roads-2015-06-06.osm.pbf"
PYTHON = os.environ.get("SEXTANT_ROUTING_PYTHON")
PEERS = SHARED / "peers"
PAIRS = 1000


def tiles():
    """The roads of Porto, sixteen times."""
    path = WORK / "porto-tiles.osm.pbf"
    if not path.exists():
        WORK.mkdir(parents=True, exist_ok=True)
        made = run([ROOT / "tools/make-tiles", PORTO, path], timeout=3600)
        if made.returncode:
            raise RuntimeError(made.stderr.strip())
    return path


# ---- 2: exact

def item_2(items):
    for what, suites, counts in (
            ("random worlds with mixed wishes, conditions and times: cost as all walks over the raw tags say",
             ["RandomWorldTests", "TimedWorldTests"], {"SEXTANT_RANDOM_WORLDS": "10000"}),
            ("six extracts: cost as Dijkstra's, with wishes and times as well, no rule broken",
             ["ExtractTests", "ExtractWishTests", "TimedExtractTests"], {"SEXTANT_RANDOM_PAIRS": "10000"}),
            # It takes a fifth of them.
            ("New York: cost as Dijkstra's", ["NewYorkTests"], {"SEXTANT_RANDOM_PAIRS": "50000"})):
        code, lines = swift_test(suites, counts)
        told = [line for line in lines if re.search(r"differences|compared|New York:", line)]
        for line in told:
            print("        " + line.strip())
        skipped = [line for line in lines if line.startswith("skipped:")]
        items.say("2", code == 0 and told and not skipped, what,
                  "0 differences" if code == 0 else "; ".join(skipped + [l for l in lines if "✘" in l][:3]))


# ---- 3: speed

def figures(atlas, pairs, *options):
    result = run(["taskset", "-c", "0", BENCH, "routes", atlas, "--pairs", pairs, *options], timeout=3600)
    if result.returncode:
        raise RuntimeError(result.stderr.strip())
    return json.loads(result.stdout)


def surroundings(folder):
    """Where the peers' scripts find their programs and keep their data."""
    programs = Path(PYTHON).parent
    return {"PEERS": str(folder), "V": str(programs.parent), "PATH": f"{programs}:{os.environ['PATH']}"}


def rival(script, *arguments, folder):
    """A rival's lines of figures: label to fields; none where it is not there."""
    if not PYTHON:
        return {}
    result = run(["taskset", "-c", "0", PYTHON, PEERS / script, *arguments], environment=surroundings(folder), timeout=7200)
    if result.returncode:
        print(f"        {script}: {result.stderr.strip()[-200:]}")
        return {}
    found = {}
    for line in result.stdout.splitlines():
        label, _, rest = line.partition("\t")
        values = dict(part.split("=", 1) for part in rest.split() if "=" in part)
        if values:
            found[label] = {key: float(value) for key, value in values.items() if re.fullmatch(r"-?[0-9.]+", value)}
    return found


def prepare(extract, name):
    """A rival's data for an extract, made once: folder, pairs, what there is."""
    folder = WORK / "routing-rivals"
    folder.mkdir(parents=True, exist_ok=True)
    work = folder / "work" / name
    environment = surroundings(folder)
    if not (work / "pairs.tsv").exists():
        made = run([PYTHON, PEERS / "make_workload.py", extract, work, "--n", PAIRS], environment=environment, timeout=7200)
        if made.returncode:
            raise RuntimeError(made.stderr.strip()[-300:])
    there = {}
    for engine, script, mark in (("osrm", "build_osrm.sh", folder / "osrm" / name / "ch"),
                                 ("valhalla", "build_valhalla.sh", folder / "valhalla" / name / "valhalla.json")):
        if not mark.exists():
            built = run(["bash", PEERS / script, extract, name, *(["ch"] if engine == "osrm" else [])],
                        environment=environment, timeout=14400)
            (folder / f"{engine}-{name}.log").write_text(built.stdout + built.stderr)
        there[engine] = mark.exists()
    graph = folder / "graph" / name
    if not (graph / "graph.npz").exists():
        run([PYTHON, PEERS / "export_graph.py", extract, graph], environment=environment, timeout=7200)
    there["cch"] = (graph / "graph.npz").exists()
    return folder, work, graph, there


def imported(extract, name):
    atlas = WORK / f"roads-{name}.atlas"
    manifest = atlas / "manifest.json"
    if not manifest.exists() or manifest.stat().st_mtime < SEXTANT.stat().st_mtime:
        made = run([SEXTANT, "import", "--only", "roads", extract, "-o", atlas, "--quiet"], timeout=7200)
        if made.returncode:
            raise RuntimeError(made.stderr.strip())
    return atlas


def item_3(items):
    if not PYTHON:
        items.say("3", False, "beside rivals", "SEXTANT_ROUTING_PYTHON names no Python that has them")
        return
    for name, extract in (("porto", PORTO), ("porto16", tiles())):
        atlas = imported(extract, name)
        folder, work, graph, there = prepare(extract, name)
        pairs = work / "pairs.tsv"
        ours = figures(atlas, pairs)
        # The first search of a pair finds nothing of it in the processor's caches, as a rival's does.
        steps, bare = ours["route_with_steps"], ours["bare_without_wishes"]
        print(f"        {name}: {ours['found']} routes of {ours['kilometres_mean']:.1f} km; settled {ours['settled_p50']} "
              f"(p99 {ours['settled_p99']}); bare {bare['p50_ms']} and {bare['p99_ms']} ms, with geometry "
              f"{ours['route']['p50_ms']} and {ours['route']['p99_ms']}, with steps {steps['p50_ms']} and {steps['p99_ms']}")
        theirs = rival("bench_inproc.py", "osrm-ch", folder / "osrm" / name / "ch/map.osrm", work, folder=folder) if there["osrm"] else {}
        route = theirs.get("osrm-ch inproc route")
        if route:
            items.say("3", steps["p50_ms"] <= route["p50_ms"] / 2 and steps["p99_ms"] <= route["p99_ms"] / 2,
                      f"{name}, geometry and steps: at most half of OSRM's",
                      f"{steps['p50_ms']:.2f} and {steps['p99_ms']:.2f} ms; OSRM {route['p50_ms']:.2f} and {route['p99_ms']:.2f}")
        else:
            items.say("3", False, f"{name}, beside OSRM", "it is not there")
        if name == "porto":
            theirs = rival("bench_inproc.py", "valhalla", folder / "valhalla" / name / "valhalla.json", work, folder=folder) if there["valhalla"] else {}
            route = theirs.get("valhalla inproc route")
            items.say("3", route and route["p50_ms"] >= 12 * steps["p50_ms"], f"{name}: at least 12 times faster than Valhalla",
                      f"{route['p50_ms'] / steps['p50_ms']:.1f} times" if route else "it is not there")
        theirs = rival("bench_cch.py", graph, work, folder=folder) if there["cch"] else {}
        anchor = theirs.get("cch query+path")
        if anchor:
            ratio = bare["p50_ms"] * 1000 / anchor["p50_us"]
            items.say("3", ratio <= 6, f"{name}, bare search: at most 6 times RoutingKit's", f"{ratio:.1f} times")
        else:
            items.say("3", False, f"{name}, beside RoutingKit", "it is not there")
        wished = figures(atlas, pairs, "--exclude", "motorway,toll")
        ratio = wished["bare"]["p50_ms"] / bare["p50_ms"]
        items.say("3", ratio <= 1.5, f"{name}, no motorways and no tolls: at most 1.5 times the plain search", f"{ratio:.2f} times")
        closed = figures(atlas, pairs, "--closures", "1000", "--count", "200")
        ratio = closed["bare"]["p50_ms"] / bare["p50_ms"]
        items.say("3", ratio <= 10, f"{name}, 10 closures on the way and 990 others: p50 at most 10 times",
                  f"{ratio:.1f} times; p99 {closed['bare']['p99_ms']} ms")


# ---- 4: import

def item_4(items):
    extract = tiles()
    atlas = WORK / "roads-porto16.atlas"
    shutil.rmtree(atlas, ignore_errors=True)
    made = run(["/usr/bin/time", "-f", "%e %M", SEXTANT, "import", "--only", "roads", extract, "-o", atlas, "--quiet"], timeout=7200)
    if made.returncode:
        items.say("4", False, "import of the tiles", made.stderr.strip())
        return
    seconds, kilobytes = (float(value) for value in made.stderr.split()[-2:])
    limits = {"seconds": 91.0, "GB": 1.0}
    log = WORK / "routing-rivals/valhalla-porto16.log"
    items.say("4", seconds <= limits["seconds"] and kilobytes / 1e6 <= limits["GB"],
              "import of roads with hierarchy and three metrics: no more time and memory than Valhalla's tiles (91 s, 1.0 GB then)",
              f"{seconds:.0f} s, {kilobytes / 1e6:.2f} GB" + (f"; its log: {log}" if log.exists() else ""))
    size = sum((atlas / name).stat().st_size for name in ("roads.graph", "metrics/car.metric")) / 1e6
    items.say("4", size <= 272, "roads.graph and the car's metric: at most 272 MB", f"{size:.0f} MB")
    code = run([BENCH, "routes", atlas, "--count", "20"], timeout=600)
    if code.returncode == 0:
        told = json.loads(code.stdout)
        items.say("4", told["opening_ms"] < 50, "opening: under 50 ms", f"{told['opening_ms']:.1f} ms")
