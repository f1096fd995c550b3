"""Outlines as shared arcs: what make-world-outlines and make-world-timezones have in common.

The file format is described in gazetteer/README.md. Coordinates are whole thousandths of a degree.
"""
import gzip

import shapely
from shapely.geometry import MultiPolygon, Polygon

GRID = 1e-3


def polygons(geometry):
    """The polygons of any geometry, lines and points left out."""
    if geometry.is_empty:
        return []
    if isinstance(geometry, Polygon):
        return [geometry]
    if hasattr(geometry, "geoms"):
        return [p for g in geometry.geoms for p in polygons(g)]
    return []


def snapped(geometry):
    """The geometry on the grid, valid, areas only."""
    fixed = shapely.make_valid(geometry) if not geometry.is_valid else geometry
    return MultiPolygon(polygons(shapely.set_precision(fixed, GRID)))


def ring_points(ring):
    """The ring's points as whole grid steps, without the repeated last and without doubles in a row."""
    points = []
    for x, y in list(ring.coords)[:-1]:
        point = (round(x / GRID), round(y / GRID))
        if not points or points[-1] != point:
            points.append(point)
    while len(points) > 1 and points[0] == points[-1]:
        points.pop()
    return points


def simplify(points, tolerance):
    """Douglas and Peucker's method on an open line; the ends stay. `tolerance` in grid steps.

    Lines of less than twenty tolerances across are simplified less: islands and enclaves stay.
    """
    if len(points) < 3:
        return points
    across = max(max(p[k] for p in points) - min(p[k] for p in points) for k in (0, 1))
    tolerance = min(tolerance, across / 20)
    keep = [False] * len(points)
    keep[0] = keep[-1] = True
    stack = [(0, len(points) - 1)]
    while stack:
        first, last = stack.pop()
        (ax, ay), (bx, by) = points[first], points[last]
        dx, dy = bx - ax, by - ay
        length2 = dx * dx + dy * dy
        worst, index = 0.0, -1
        for i in range(first + 1, last):
            px, py = points[i][0] - ax, points[i][1] - ay
            if length2 == 0:
                d2 = px * px + py * py
            else:
                t = max(0.0, min(1.0, (px * dx + py * dy) / length2))
                ex, ey = px - t * dx, py - t * dy
                d2 = ex * ex + ey * ey
            if d2 > worst:
                worst, index = d2, i
        if worst > tolerance * tolerance:
            keep[index] = True
            stack.append((first, index))
            stack.append((index, last))
    return [p for p, kept in zip(points, keep) if kept]


class Arcs:
    """Takes the rings of all areas and cuts them where areas meet, so that each border is kept once."""

    def __init__(self, tolerance):
        self.tolerance = tolerance
        self.areas = []  # [(record, [polygon: [ring: points]])]
        self.neighbours = {}
        self.index = {}
        self.lines = []

    def add(self, record, geometry):
        shape = []
        for polygon in polygons(geometry):
            rings = [ring_points(r) for r in [polygon.exterior, *polygon.interiors]]
            if len(rings[0]) < 3:
                continue
            shape.append([rings[0]] + [r for r in rings[1:] if len(r) >= 3])
            for ring in shape[-1]:
                for i, point in enumerate(ring):
                    self.neighbours.setdefault(point, set()).update((ring[i - 1], ring[(i + 1) % len(ring)]))
        self.areas.append((record, shape))

    def arc(self, points):
        """The number of the arc, `~number` where it is used backwards."""
        backwards = points[::-1]
        if points[0] == points[-1]:  # a whole ring: one direction is the rule
            forward = True
        else:
            forward = points <= backwards
        key = tuple(points if forward else backwards)
        number = self.index.get(key)
        if number is None:
            number = len(self.lines)
            self.index[key] = number
            self.lines.append(key)
        return number if forward else ~number

    def ring(self, points):
        nodes = [i for i, p in enumerate(points) if len(self.neighbours[p]) != 2]
        if not nodes:
            start = points.index(min(points))
            whole = points[start:] + points[:start]
            # A ring of its own keeps at least a triangle: cut it at the point farthest from its start.
            far = max(range(len(whole)), key=lambda i: (whole[i][0] - whole[0][0]) ** 2 + (whole[i][1] - whole[0][1]) ** 2)
            line = simplify(whole[: far + 1], self.tolerance)[:-1] + simplify(whole[far:] + whole[:1], self.tolerance)
            return [self.arc(line)] if len(line) > 3 else []
        arcs = []
        for k, first in enumerate(nodes):
            last = nodes[(k + 1) % len(nodes)]
            line = points[first : last + 1] if last > first else points[first:] + points[: last + 1]
            # Simplified in one fixed direction, so that both sides of a border come out the same.
            forward = line <= line[::-1]
            line = simplify(line if forward else line[::-1], self.tolerance)
            arcs.append(self.arc(line if forward else line[::-1]))
        return arcs

    def write(self, path, header):
        body = []
        for record, shape in self.areas:
            written = []
            for polygon in shape:
                outer, *inner = [self.ring(ring) for ring in polygon]
                if outer:
                    written.append("/".join(" ".join(map(str, r)) for r in [outer, *inner] if r))
            if written:
                body.append("\t".join([*record, ";".join(written)]))
        arcs = []
        for line in self.lines:
            numbers, before = [], (0, 0)
            for x, y in line:
                numbers += [x - before[0], y - before[1]]
                before = (x, y)
            arcs.append("A\t" + " ".join(map(str, numbers)))
        text = "".join(f"# {h}\n" for h in header) + "\n".join(arcs + body) + "\n"
        with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as out:
            out.write(text.encode())
        vertices = sum(map(len, self.lines))
        print(f"{path}: {len(body)} areas, {len(self.lines)} arcs, {vertices} vertices, {len(text)} bytes plain")
