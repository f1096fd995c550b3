"""Asks Nominatim's library a file of questions in this process: PROJECT QUESTIONS.tsv. Prints JSON as sextant-bench does."""
import asyncio
import json
import math
import sys
import time

import nominatim_api

project, file = sys.argv[1:3]
questions = [line.rstrip("\n").split("\t") for line in open(file, encoding="utf-8")]


def metres(a, b):
    north = (a[1] - b[1]) * 111_195
    east = (a[0] - b[0]) * 111_195 * math.cos(math.radians(a[1]))
    return math.hypot(north, east)


async def ask(api, kind, text):
    if kind == "reverse":
        longitude, latitude = map(float, text.split(","))
        return await api.reverse((longitude, latitude), address_details=True)
    found = await api.search(text, max_results=1, address_details=True)
    return found[0] if found else None


def number(place):
    """The house number of an answer: its own, or that of its address."""
    own = place.housenumber or (place.address or {}).get("housenumber")
    for line in place.address_rows or []:
        if not own and line.category == ("place", "house_number"):
            own = line.names.get("ref") or line.local_name
    return (own or "").lower().replace(" ", "")


async def main():
    times, hits = {}, {}
    async with nominatim_api.NominatimAPIAsync(project) as api:
        for kind, text, *_ in questions[:50]:
            await ask(api, kind, text)
        for kind, text, longitude, latitude, wanted in questions:
            start = time.perf_counter()
            place = await ask(api, kind, text)
            times.setdefault(kind, []).append(time.perf_counter() - start)
            if place and number(place) == wanted.lower().replace(" ", "") and metres(
                    (place.centroid.x, place.centroid.y), (float(longitude), float(latitude))) <= 100:
                hits[kind] = hits.get(kind, 0) + 1
    print(json.dumps({
        kind: {"count": len(each), "hits": hits.get(kind, 0), "rate": len(each) / sum(each), "p50_ms": sorted(each)[len(each) // 2] * 1000}
        for kind, each in times.items()}))


asyncio.run(main())
