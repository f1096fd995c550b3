"""Runs sextant-bench several times and prints medians with spread; tools/bench calls it."""
import argparse
import json
import statistics
import subprocess
import tempfile
from pathlib import Path

parser = argparse.ArgumentParser(prog="tools/bench")
parser.add_argument("files", nargs="*", type=Path)
parser.add_argument("--json", action="store_true")
parser.add_argument("--runs", type=int, default=5)
parser.add_argument("--count", type=int, default=1000)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--program", type=Path, required=True, help=argparse.SUPPRESS)
parser.add_argument("--shared", type=Path, required=True, help=argparse.SUPPRESS)
parser.add_argument("--root", type=Path, required=True, help=argparse.SUPPRESS)
options = parser.parse_args()

files = options.files or sorted((options.root / "gazetteer/towns").glob("*.osm.pbf"))
liechtenstein = options.shared / "data/osm/countries/liechtenstein-2024-03-04.osm.pbf"
if not options.files and liechtenstein.exists():
    files.append(liechtenstein)


def figures(*arguments):
    result = subprocess.run([options.program, *map(str, arguments)], capture_output=True, text=True)
    if result.returncode:
        raise SystemExit(result.stderr.strip())
    return json.loads(result.stdout)


def spread(values):
    return {"median": statistics.median(values), "min": min(values), "max": max(values)}


for file in files:
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        atlas = Path(folder) / "bench.atlas"
        imports = [figures("import", file, "-o", atlas) for _ in range(options.runs)]
        for name, unit in [("seconds", "s"), ("objects_per_second", "1/s"), ("peak_memory_mb", "MB"), ("atlas_mb", "MB")]:
            rows[f"import {name.replace('_', ' ')} ({unit})"] = spread([i[name] for i in imports])
        asked = [figures("latency", atlas, "--count", options.count, "--seed", options.seed) for _ in range(options.runs)]
        rows["open (ms)"] = spread([a["open_ms"] for a in asked])
        for question in ("geocode", "reverse", "search", "route"):
            for share in ("p50_ms", "p99_ms"):
                if question in asked[0]:
                    rows[f"{question} {share[:3]} (ms)"] = spread([a[question][share] for a in asked])
        ways = [figures("routes", atlas, "--count", options.count, "--seed", options.seed) for _ in range(options.runs)]
        for name, key in [("way", "route"), ("way with steps", "route_with_steps")]:
            for share in ("p50_ms", "p99_ms"):
                rows[f"{name} {share[:3]} (ms)"] = spread([way[key][share] for way in ways])
        rows["states settled of a way's edges"] = spread([way["settled_mean"] / max(way["edges_mean"], 1) for way in ways])
        rows["memory while asked (MB)"] = spread([a["peak_memory_mb"] for a in asked])
    if options.json:
        print(json.dumps({"file": file.name, "runs": options.runs, "count": options.count, "seed": options.seed, "figures": rows}))
        continue
    print(f"{file.name}: {options.runs} runs of {options.count} questions, seed {options.seed}")
    print(f"  {'':<34}{'median':>12}{'min':>12}{'max':>12}")
    for name, value in rows.items():
        print(f"  {name:<34}{value['median']:>12,.3f}{value['min']:>12,.3f}{value['max']:>12,.3f}")
