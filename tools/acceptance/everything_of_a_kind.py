"""Acceptance of "everything of a kind". Arguments choose items, such as 3."""
import collections
import csv
import datetime
import gzip
import json
import os
import random
import re
import resource
import subprocess
import sys
import time

import queries
from common import (BENCH, ROOT, SEXTANT, SHARED, WORK, Items, address_objects, addresses, bench, built_in_atlases, imported,
                    least_of, plain_name, run, sextant)

items = Items()
OSM = SHARED / "data/osm"
chosen = sys.argv[1:] or ["1", "2", "3", "4", "5a", "5b", "6"]


# ---- 1: every kind answers what osmium finds; the words for kinds

LEXICONS = ROOT / "gazetteer/lexicons"
LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl", "fi", "sv", "ru", "pl", "uk"]


def kinds():
    """Name and expression of every kind of the lexicon."""
    lines = (LEXICONS / "categories.tsv").read_text().splitlines()
    return [line.split("\t")[:2] for line in lines if line and not line.startswith("#")]


def found_by_osmium(path, expression):
    """The objects that osmium leaves for an expression: alternatives together, what is joined one filter after another."""
    found = set()
    for alternative in expression.split("|"):
        source, terms = path, [term.strip() for term in alternative.split("&")]
        for number, term in enumerate(terms):
            is_last = number == len(terms) - 1
            target = WORK / f"kind-{number}.osm.pbf"
            result = run(["osmium", "tags-filter", "--no-progress", "-R", source, term]
                         + (["-f", "opl"] if is_last else ["-O", "-o", target]))
            if result.returncode:
                raise RuntimeError(result.stderr)
            source = target
        found |= {line.split(" ", 1)[0].capitalize() for line in result.stdout.splitlines() if line}
    return found


def without_place(path):
    """Ways and relations none of whose nodes is in the file: they lie nowhere."""
    result = run(["osmium", "cat", "--no-progress", "-f", "opl", path])
    nodes, ways, relations, here = set(), {}, {}, set()
    for line in result.stdout.splitlines():
        name = line.split(" ", 1)[0].capitalize()
        members = next((field[1:] for field in line.split(" ") if field[:1] == ("N" if name[0] == "W" else "M")), "")
        members = [member.partition("@")[0].partition("x")[0].capitalize() for member in members.split(",") if member]
        if name[0] == "N":
            here.add(name)
        elif name[0] == "W":
            if any(node in here for node in members):
                here.add(name)
            else:
                ways[name] = members
        else:
            relations[name] = members
    changed = True
    while changed:
        placed = {name for name, members in relations.items() if name not in here and any(m in here for m in members)}
        changed = bool(placed)
        here |= placed
    return set(ways) | {name for name in relations if name not in here}


def libpostal_terms(language):
    path = SHARED / f"data/categories/libpostal-phrases/{language}.tsv"
    rows = [line.split("\t") for line in path.read_text().splitlines()[1:]]
    return [f"{row[0]}={row[1]}\t{row[3].strip()}" for row in rows if len(row) > 3]


def editor_names(language):
    """The names of the presets that are one tag, and their aliases."""
    folder = SHARED / "data/categories/id-tagging-schema"
    presets = json.loads((folder / "presets.min.json").read_text())
    with gzip.open(folder / f"names/{language}.json.gz", "rt") as file:
        names = json.load(file)["presets"]
    terms = []
    for name, words in names.items():
        tags = presets.get(name, {}).get("tags", {})
        if len(tags) == 1 and "*" not in tags.values() and words.get("name"):
            key, value = next(iter(tags.items()))
            terms += [f"{key}={value}\t{word}" for word in [words["name"], *(words.get("aliases") or [])] if word]
    return terms


def item_1():
    table = kinds()
    items.say("1", len(table) >= 250, "at least 250 kinds", len(table))
    for name in ["countries/liechtenstein-2024-03-04", "towns/munich-centre-2020-07-20", "countries/monaco-2026-07-07"]:
        path = SHARED / f"data/osm/{name}.osm.pbf"
        answered = bench("kinds", imported(path))
        nowhere = without_place(path)
        wrong, objects = [], 0
        for kind, expression in table:
            wanted, got = found_by_osmium(path, expression) - nowhere, answered[kind]
            objects += len(wanted)
            if set(got) != wanted or len(got) != len(wanted):
                wrong.append(f"{kind} ({len(wanted - set(got))} missing, {len(set(got) - wanted)} too many)")
        items.say("1", not wrong, f"{plain_name(path)}: every kind answers exactly what osmium finds",
                  f"{objects:,} objects" + (f"; not {', '.join(wrong)}" if wrong else ""))
    terms = WORK / "terms.tsv"
    atlas = imported(SHARED / "data/osm/countries/monaco-2026-07-07.osm.pbf")
    for language in LANGUAGES:
        figures = []
        for name, source in (("libpostal", libpostal_terms), ("presets", editor_names)):
            terms.write_text("\n".join(source(language)) + "\n")
            misses = WORK / f"terms-{name}-{language}.tsv"
            figures.append((name, bench("words", atlas, terms, "--misses", misses)))
        items.say("1", figures[0][1]["share"] >= 0.9, f"words for kinds in {language} of libpostal's",
                  "; ".join(f"{name} {value['share']:.1%} of {value['terms']:.0f}" for name, value in figures))


# ---- 3: opening hours, beside PyPI's opening-hours-py

# Paris, for hours that depend on the sun; holidays are left out on both sides.
PLACE, ZONE = (48.8566, 2.3522), "Europe/Paris"
ORACLE = f"""
import datetime, sys, zoneinfo
import opening_hours
for line in sys.stdin:
    value, *moments = line.rstrip("\\n").split("\\t")
    try:
        hours = opening_hours.OpeningHours(
            value, coords={PLACE}, timezone=zoneinfo.ZoneInfo("{ZONE}"), auto_country=False)
    except Exception:
        print("!")
        continue
    print("".join(str(hours.state(datetime.datetime.fromisoformat(moment))[0]).split(".")[-1].lower()[0] for moment in moments))
"""
# How a difference is judged, by its kind.
JUDGED = {
    "list": "\"Mo-Th, Su 08:00-14:00\": the oracle takes a comma with a blank between days for the beginning of another "
            "rule, so that Monday to Thursday are open day and night. People mean a list; written without the blank both agree.",
    "after midnight": "\"Fr-Sa 20:00-03:00; Su 12:00-18:00\": the oracle ends Saturday's hours at midnight because a later "
                      "rule names Sunday. People mean that hours belong to the day on which they begin.",
    "after a day off": "\"19:00-02:00; Mo off\": the oracle opens on Tuesday from 00:00 to 02:00 although nothing began on "
                       "Monday.",
    "fallback": "\"Mo-Fr 08:00-11:00 || Tu-Th open\": after eleven the oracle does not look at the fallback on a day that "
                "has hours. The specification lets it hold whenever the rules before say closed.",
    "sun": "The rising or setting of the sun is reckoned to the minute by different formulas.",
}


def oracle_python():
    """A Python that has opening-hours-py; made in a folder of its own where none is named."""
    named = os.environ.get("SEXTANT_OPENING_HOURS_PYTHON")
    if named:
        return named
    folder = WORK / "opening-hours-py"
    python = folder / "bin/python"
    if not python.exists() or run([python, "-c", "import opening_hours"]).returncode:
        WORK.mkdir(parents=True, exist_ok=True)
        run([sys.executable, "-m", "venv", folder], check=True)
        run([python, "-m", "pip", "install", "--quiet", "opening-hours-py"], check=True)
    return python


def written(moment):
    return moment.strftime("%Y-%m-%dT%H:%M")


def evaluated(arguments, rows, name):
    """The lines that a program writes for values with their moments, given as a file or at its standard input."""
    table = WORK / f"hours-{name}.tsv"
    table.write_text("".join("\t".join([value, *map(written, moments)]) + "\n" for value, moments in rows))
    result = run(["sh", "-c", 'exec "$@" <"$0"', table, *[table if part is None else part for part in arguments]])
    if result.returncode:
        raise RuntimeError(result.stderr.strip())
    lines = result.stdout.splitlines()
    if len(lines) != len(rows):
        raise RuntimeError(f"{len(lines)} answers to {len(rows)} values")
    return lines


def as_list(value):
    """The value with no blank after a comma between days."""
    day = r"(?:Mo|Tu|We|Th|Fr|Sa|Su|PH|SH)"
    return re.sub(rf"({day}(?:\[[^\]]*\])?)\s*,\s+(?={day}\b)", r"\1,", value)


def kind_of_difference(value, moment, ours, oracle):
    """Why the two differ at a moment: a key of JUDGED, or None. `oracle` tells the other's state of a value at a moment."""
    text = as_list(value)
    if text != value and oracle(text, moment) == ours:
        return "list"
    evening = oracle(text, datetime.datetime.combine(moment.date(), datetime.time()) - datetime.timedelta(minutes=1))
    if moment.hour < 12 and ours in "ou" and evening == ours:
        return "after midnight"
    if moment.hour < 12 and ours == "c" and evening == "c":
        return "after a day off"
    if "||" in value and ours in "ou":
        return "fallback"
    near = [oracle(text, moment + datetime.timedelta(minutes=minutes)) for minutes in (-3, 3)]
    if re.search("sun|dawn|dusk", value) and ours in near:
        return "sun"
    return None


def compared(name, values, seed, report):
    """Evaluates values at 200 random moments each in both programs and reports each difference; the figures."""
    draw = random.Random(seed)
    start, minutes = datetime.datetime(2020, 1, 1), 8 * 365 * 1440
    rows = [(value, [start + datetime.timedelta(minutes=draw.randrange(minutes)) for _ in range(200)]) for value in values]
    place = ",".join(map(str, PLACE))
    ours = evaluated([BENCH, "hours", None, "--place", place, "--zone", ZONE], rows, "asked")
    oracle_command = [oracle_python(), "-c", ORACLE]
    theirs = evaluated(oracle_command, rows, "asked")

    different, unread = [], {"both": [], "ours": [], "theirs": []}
    agreeing = pairs = 0
    for (value, moments), our_line, their_line in zip(rows, ours, theirs):
        our_letters, *rest = our_line.split("\t")
        if their_line == "!":
            unread["both" if our_letters == "!" else "theirs"].append((value, rest[-1]))
        elif our_letters == "!":
            # A value that only the oracle reads counts as 200 differences.
            unread["ours"].append((value, rest[-1]))
            pairs += len(moments)
        else:
            pairs += len(moments)
            for moment, our, their in zip(moments, our_letters, their_line):
                agreeing += our == their
                if our != their:
                    different.append((value, moment, our, their))

    # What the oracle says at the other moments that tell a difference's kind, in one run.
    probes = {}
    for value, moment, _, _ in different:
        midnight = datetime.datetime.combine(moment.date(), datetime.time())
        minute = datetime.timedelta(minutes=1)
        for other in (moment, midnight - minute, moment - 3 * minute, moment + 3 * minute):
            probes[as_list(value), other] = None
    answers = evaluated(oracle_command, [(value, [moment]) for value, moment in probes], "probes") if probes else []
    for key, answer in zip(probes, answers):
        probes[key] = answer
    groups = collections.defaultdict(lambda: collections.defaultdict(list))
    for value, moment, our, their in different:
        kind = kind_of_difference(value, moment, our, lambda text, other: probes[text, other])
        groups[kind or "not judged"][value].append((moment, our, their))

    with open(report, "a") as file:
        print(f"# {name}: {len(values)} values, seed {seed}\n\n{agreeing} of {pairs} pairs agree, {agreeing / pairs:.3%}.\n", file=file)
        for kind, by_value in sorted(groups.items(), key=lambda group: -sum(map(len, group[1].values()))):
            print(f"## {kind}: {sum(map(len, by_value.values()))} pairs of {len(by_value)} values\n\n{JUDGED.get(kind, '')}\n", file=file)
            for value, pairs_of_value in sorted(by_value.items(), key=lambda entry: -len(entry[1])):
                told = "; ".join(f"{moment:%a} {written(moment)} ours {our}, theirs {their}" for moment, our, their in pairs_of_value)
                print(f"- `{value}` ({len(pairs_of_value)}): {told}", file=file)
            print(file=file)
        for who, text in (("theirs", "Values that only we read, and how"), ("ours", "Values that only the oracle reads"),
                          ("both", "Values that neither reads")):
            print(f"## {text}: {len(unread[who])}\n", file=file)
            for value, reason in unread[who]:
                print(f"- `{value}`: {reason}", file=file)
            print(file=file)
    kinds = ", ".join(f"{kind} {sum(map(len, by_value.values()))}" for kind, by_value in sorted(groups.items()))
    return agreeing / pairs, pairs, kinds, groups.get("not judged", {}), unread


def item_3():
    WORK.mkdir(parents=True, exist_ok=True)
    folder = SHARED / "data/opening-hours"
    report = WORK / "opening-hours.md"
    report.write_text("")
    with gzip.open(folder / "osm-opening-hours-values.tsv.gz", "rt") as file:
        values = [line.rstrip("\n").split("\t")[1] for line in file][1:]
    hard = [line for line in (folder / "opening-hours-rs-sample.txt").read_text().splitlines() if line.strip() and not line.startswith("#")]
    for name, list_of_values in (("distinct values of the shared file", values), ("hard values", hard)):
        share, pairs, kinds, unjudged, unread = compared(name, list_of_values, 1, report)
        items.say("3", share >= 0.995, f"{name}: at least 99.5 % of the pairs agree", f"{share:.3%} of {pairs}; {kinds}")
        items.say("3", not unjudged and not unread["ours"], f"{name}: every difference is judged",
                  f"only we read {len(unread['theirs'])}, only the oracle {len(unread['ours'])}, neither {len(unread['both'])}; "
                  f"{len(unjudged)} values not judged")
    print(f"        every difference, by kind: {report}")


# ---- 2: searches in words

def item_2():
    built_in_atlases()
    queries.check(items, oracle_python())


# ---- 5a: kinds in boxes, and thousands at once

def item_5a():
    # Andorra has 5,000 of them; the others are scaled up to it.
    for name in ["countries/liechtenstein-2024-03-04", "towns/munich-centre-2020-07-20", "countries/andorra-2026-04-04"]:
        path = SHARED / f"data/osm/{name}.osm.pbf"
        figures = least_of(5, "categories", imported(path))
        slowest = max(figures[key]["p99_ms"] for key in ("words_in_box", "kind_in_box"))
        items.say("5a", slowest < 2, f"{plain_name(path)}: a kind in a box takes less than 2 ms, least of 5 runs",
                  f"p99 {figures['words_in_box']['p99_ms']} ms in words, {figures['kind_in_box']['p99_ms']} ms by name")
        milliseconds = figures["stream"]["p50_ms"] * 5000 / max(figures["streamed"], 1)
        items.say("5a", milliseconds < 30, f"{plain_name(path)}: 5,000 places come in less than 30 ms, least of 5 runs",
                  f"{milliseconds:.1f} ms ({figures['streamed']} places)")


# ---- 4: address formats

def item_4():
    cases = json.loads((SHARED / "cases/geocoding/address-formatting.json").read_text())["cases"]
    held, wrong = 0, []
    for abbreviates in (False, True):
        chosen = [case for case in cases if case["abbreviate"] == abbreviates]
        given = "".join(json.dumps(case["components"], ensure_ascii=False) + "\n" for case in chosen)
        result = subprocess.run(
            [SEXTANT, "format-address", "--json", "--quiet", *(["--abbreviate"] if abbreviates else [])],
            input=given, capture_output=True, text=True, timeout=600)
        answers = [json.loads(line).get("lines") for line in result.stdout.splitlines()]
        if result.returncode or len(answers) != len(chosen):
            items.say("4", False, "every line of components is answered", result.stderr.strip()[-300:])
            return
        for case, lines in zip(chosen, answers):
            held += lines == case["lines"]
            if lines != case["lines"]:
                wrong.append(f"{case['id']}: {lines}, not {case['lines']}")
    for line in wrong[:20]:
        print(f"        {line}")
    items.say("4", held >= 0.98 * len(cases), "address formats of the shared cases: at least 98 %",
              f"{held} of {len(cases)} ({held / len(cases):.1%})")


# ---- 5b: tables

def table_of_addresses(path, count, seed):
    """Addresses of an extract as people write them, one a line: in several orders, some misspelt, some with what is not there."""
    chance = random.Random(seed)
    known = [line.split("\t") for line in addresses(path)]
    rows = ["id,address,note"]
    for number in range(count):
        _, street, house, city, _, _, postcode = known[chance.randrange(len(known))]
        if chance.random() < 0.1 and len(street) > 5:
            at = chance.randrange(1, len(street) - 1)
            street = chance.choice([street[:at] + street[at + 1:], street[:at] + "e" + street[at:]])
        if chance.random() < 0.02:
            house = str(900 + chance.randrange(99))
        text = chance.choice([
            f"{street} {house}, {postcode} {city}", f"{street} {house}, {city}", f"{house} {street} {city}".upper(),
            f"{postcode} {city}, {street} {house}", f"{city}, {street} {house}", f"{street} {house}; {postcode}"])
        rows.append(f'{number},"{text}",{chance.randrange(10**6)}')
    return "\n".join(rows) + "\n"


def item_5b():
    path = OSM / "countries/liechtenstein-2024-03-04.osm.pbf"
    atlas, (earth, _) = imported(path), built_in_atlases()
    folder = WORK / "tables"
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    count, seed = 100_000, 1
    table, whole, again = folder / "sites.csv", folder / "whole.csv", folder / "again.csv"
    table.write_text(table_of_addresses(path, count, seed))
    home = {"XDG_DATA_HOME": str(earth.parent.parent)}
    command = [SEXTANT, "geocode", "--input", table, "--atlas", atlas, "--output"]
    cores = len(os.sched_getaffinity(0))
    # Processor time, since other programs may run beside: what two cores would need at least.
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    result = run([*command, whole], environment=home)
    seconds = time.monotonic() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if result.returncode:
        items.say("5b", False, "a table of 100,000 addresses", result.stderr.strip())
        return
    rate = 2 * count / processor
    items.say("5b", rate > 3000, "100,000 addresses at more than 3,000 rows a second on two cores (processor time)",
              f"{rate:,.0f} a second; {processor:.1f} s of processor, {seconds:.1f} s on the clock of {cores} cores; "
              + result.stderr.strip().splitlines()[-2])
    lines = list(csv.reader(whole.open(newline="")))
    given = list(csv.reader(table.open(newline="")))
    items.say("5b", len(lines) == len(given) and all(line[:3] == row for line, row in zip(lines, given)),
              "every row in its order with all that was in it", f"{len(lines) - 1:,} rows")
    reasons = sum(1 for line in lines[1:] if not line[3] and not line[-1])
    items.say("5b", reasons == 0, "a reason in each row that was not found",
              f"{sum(1 for line in lines[1:] if not line[3]):,} not found, {reasons} without a reason")
    expected = whole.read_bytes()
    for number in random.Random(seed).sample(range(1, count), 3):
        killed = run([*command, again], environment={**home, "SEXTANT_FAULT_POINT": f"row-{number}"})
        left = [name.name for name in folder.glob("again.csv*")]
        resumed = run([*command, again], environment=home)
        items.say("5b", killed.returncode == -9 and "again.csv" not in left and resumed.returncode == 0
                  and again.read_bytes() == expected and not list(folder.glob("again.csv.*")),
                  f"killed after row {number:,} and resumed: the same bytes",
                  next((line for line in resumed.stderr.splitlines() if "Going on" in line), "began again"))
        again.unlink(missing_ok=True)
    # Killed at random moments until it ends by itself.
    chance, kills = random.Random(seed + 1), 0
    while True:
        process = subprocess.Popen([str(word) for word in [*command, again]], stderr=subprocess.DEVNULL,
                                   env={**os.environ, **home})
        try:
            process.wait(timeout=chance.uniform(1.5, 6) if kills < 5 else None)
            break
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            kills += 1
    items.say("5b", again.read_bytes() == expected, "killed at random moments, then to its end: the same bytes", f"{kills} kills")
    piped = subprocess.run([str(word) for word in [*command[:3], "-", *command[4:], "-", "--quiet"]], input=table.read_bytes(),
                           capture_output=True, env={**os.environ, **home})
    items.say("5b", piped.stdout == expected, "through pipes: the same bytes", f"{len(piped.stdout):,} bytes")


# ---- 6: registers of addresses and postal codes beside extracts

REGISTER = SHARED / "data/addresses/isle-of-man-osm-addresses.csv.gz"
POSTAL = [SHARED / f"data/places/geonames/postal/{country}.txt.gz" for country in ["LI", "CH", "DE", "GB", "FI"]]
BESIDE = ["countries/liechtenstein-2024-03-04.osm.pbf", "towns/lauf-an-der-pegnitz-2020-01-15.osm.pbf",
          "towns/helsinki-centre-2019-04-21.osm.pbf", "towns/london-centre-2020-07-20.osm.pbf"]
LICENCE = ["--source-name", f"{REGISTER.name}:Isle of Man addresses", "--licence", f"{REGISTER.name}:ODbL 1.0 (register)",
           "--attribution", f"{REGISTER.name}:isleofman-opendata"]


def import_together(name, *arguments):
    """An atlas made of several files, and the report of its import."""
    WORK.mkdir(parents=True, exist_ok=True)
    atlas = WORK / name
    result = sextant("import", *arguments, "-o", atlas, "--quiet", "--json")
    if result.returncode:
        raise RuntimeError(f"{name}: exit code {result.returncode}: {result.stderr.strip()}")
    return atlas, json.loads(result.stdout)


def counts_of(report, name):
    return next(source["counts"] for source in report["sources"] if source["name"] == name)


def register_rows():
    """The rows of the register that are an address with a number: as `AddressTable` of the bench reads them."""
    rows = []
    with gzip.open(REGISTER, "rt", newline="") as file:
        for line, row in enumerate(csv.DictReader(file), 2):
            street = row["addr:substreet"] or row["addr:street"] or row["addr:place"]
            if street and row["addr:housenumber"]:
                rows.append([f"X{line}", street, row["addr:housenumber"], row["addr:city"], row["lat"], row["lon"],
                             row["addr:postcode"]])
    return rows


def item_6():
    beside = {plain_name(OSM / path): import_together(f"{plain_name(OSM / path)}-and-more.atlas", OSM / path, REGISTER, *POSTAL, *LICENCE)
              for path in BESIDE}
    # The register: found, in both directions, each answer with the licence of its source.
    atlas, report = beside[plain_name(OSM / BESIDE[0])]
    counts = counts_of(report, "Isle of Man addresses")
    items.say("6", counts["rows"] == 4231 and counts["kept"] > 3000, "the Isle of Man's register beside an extract",
              f"{counts['rows']:,} rows, {counts['kept']:,} kept, {counts['folded']:,} folded")
    kept = json.loads(sextant("info", atlas, "--json").stdout)
    items.say("6", counts in [source.get("counts") for source in kept["sources"]], "the counts stay with the atlas")
    rows = register_rows()
    table = WORK / "isle-of-man.tsv"
    table.write_text("\n".join("\t".join(row) for row in rows) + "\n")
    figures = bench("hits", atlas, table, "--count", "2000", "--misses", WORK / "hits-isle-of-man.tsv")
    items.say("6", figures["forward"] >= 0.97 and figures["reverse"] >= 0.97,
              "addresses of the register found, and found again by their places: at least 97 %",
              f"{figures['forward']:.1%} and {figures['reverse']:.1%} of {figures['asked']:.0f}")
    named = [row for row in rows if row[3]]
    right = 0
    asked = random.Random(1).sample(named, 50)
    for row in asked:
        result = sextant("geocode", f"{row[1]} {row[2]}, {row[3]}", "--json", "--limit", "1", "--no-world", "--atlas", atlas)
        places = json.loads(result.stdout)["places"] if result.returncode == 0 else []
        right += bool(places) and places[0]["source"] == {
            "name": "Isle of Man addresses", "licence": "ODbL 1.0 (register)", "attribution": "isleofman-opendata"}
    items.say("6", right == len(asked), "each with its own source's licence in JSON", f"{right} of {len(asked)}")
    # A register of what the extract has itself: all fold.
    for path in BESIDE:
        register = WORK / "own-addresses.csv"
        with register.open("w", newline="") as file:
            writer = csv.writer(file)
            keys = ["addr:housenumber", "addr:street", "addr:place", "addr:city", "addr:postcode"]
            writer.writerow(["lat", "lon", *keys])
            objects = [o for o in address_objects(OSM / path) if o[1].get("addr:street") or o[1].get("addr:place")]
            for _, tags, latitude, longitude in objects:
                writer.writerow([f"{latitude:.7f}", f"{longitude:.7f}", *(tags.get(key, "") for key in keys)])
        _, report = import_together("own-addresses.atlas", OSM / path, register)
        counts = counts_of(report, register.name)
        items.say("6", counts["folded"] == counts["rows"] == len(objects) and counts["kept"] == 0,
                  f"{plain_name(OSM / path)}: a register of its own addresses folds", f"{counts['folded']:,} of {counts['rows']:,}")
    # Postal codes: what the extract knows folds, all else is found alone and with its place.
    for path, (name, (atlas, report)) in zip(BESIDE, beside.items()):
        told = {country.name[:2]: counts_of(report, f"GeoNames postal codes, {country.name}") for country in POSTAL}
        items.say("6", all(counts["kept"] > 0 or counts["folded"] > 0 for counts in told.values()),
                  f"{name}: postal codes of five countries",
                  ", ".join(f"{country} {counts['kept']:,} kept {counts['folded']:,} folded" for country, counts in told.items()))
    items.say("6", counts_of(beside[plain_name(OSM / BESIDE[0])][1], "GeoNames postal codes, LI.txt.gz")["folded"] > 8,
              "Liechtenstein's own codes are those of its map")
    atlas = beside[plain_name(OSM / BESIDE[0])][0]
    codes = []
    for country in POSTAL:
        with gzip.open(country, "rt") as file:
            lines = [line.rstrip("\n").split("\t") for line in file]
        codes += random.Random(1).sample(lines, min(60, len(lines)))
    for what, text in [("alone", lambda code: f"{code[1]}, {code[0]}"), ("with their places", lambda code: f"{code[1]} {code[2]}")]:
        questions = WORK / "codes.csv"
        with questions.open("w", newline="") as file:
            csv.writer(file).writerows([["address"], *([text(code)] for code in codes)])
        result = sextant("geocode", "--input", questions, "--output", "-", "--quiet", "--no-world", "--atlas", atlas)
        found = list(csv.DictReader(result.stdout.splitlines()))
        right, missed = 0, []
        for code, row in zip(codes, found):
            same = (row.get("found_postcode") or "").replace(" ", "") == code[1].replace(" ", "")
            # A code may be that of an object of the map, which lies elsewhere in it.
            near = row.get("found_lat") and abs(float(row["found_lat"]) - float(code[9])) < 0.7 \
                and abs(float(row["found_lon"]) - float(code[10])) < 0.7
            right += bool(same and near)
            if not (same and near):
                missed.append(row["address"])
        items.say("6", len(found) == len(codes) and right >= 0.97 * len(codes), f"codes found {what}: at least 97 %",
                  f"{right} of {len(codes)}" + (f"; not {'; '.join(missed[:4])}" if missed else ""))
    # Hit rates of "find anything" with and without the other sources.
    for path in BESIDE:
        name = plain_name(OSM / path)
        alone, (atlas, _) = imported(OSM / path), beside[name]
        table = WORK / "addresses.tsv"
        table.write_text("\n".join(addresses(OSM / path)) + "\n")
        rates = []
        for number, one in enumerate([alone, atlas]):
            figures = bench("forms", one, table, "--count", "500", "--misses", WORK / f"sources-{name}-{number}.tsv")
            rates.append({form: value["hits"] for form, value in figures.items() if isinstance(value, dict)})
            figures = bench("hits", one, table, "--count", "500")
            rates[-1]["reverse"] = figures["reverse"]
        lower = [f"{form} {rate:.1%} to {rates[1][form]:.1%}" for form, rate in rates[0].items() if rates[1][form] < rate]
        items.say("6", not lower, f"{name}: hit rates do not fall",
                  ", ".join(f"{form} {rate:.1%}" for form, rate in rates[1].items()) + (f"; lower: {', '.join(lower)}" if lower else ""))


for number in chosen:
    {"1": item_1, "2": item_2, "3": item_3, "4": item_4, "5a": item_5a, "5b": item_5b, "6": item_6}[number]()
items.end()
