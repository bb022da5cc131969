"""<contact>: `pair` lists geom pairs to test for collision, `exclude` body pairs that never collide.

Both are sorted by signature, which combines the two body ids; the broadphase looks them up by it.
"""

from __future__ import annotations

from sim.mjcf.errors import lookup
from sim.mjcf.records import Body, Exclude, Pair, Parsed

CONDIMS = (1, 3, 4, 6)


def sort_contacts(parsed: Parsed, bodies: list[Body]) -> None:
    """Resolve geoms and bodies, and sort pairs and excludes into their final order."""
    geoms: dict[str, tuple[int, int]] = {}
    index = 0
    for body in bodies:
        for geom in body.geoms:
            if geom.name:
                geoms[geom.name] = (body.id, index)
            index += 1
    pairs: list[Pair] = parsed.section_elements["pair"]
    for pair in pairs:
        if pair.condim not in CONDIMS:
            raise pair.error(f"condim is {pair.condim}", "it must be 1, 3, 4 or 6")
        first, second = lookup(pair, "geom", pair.geom1, geoms), lookup(pair, "geom", pair.geom2, geoms)
        # the body with the lower id comes first; within one body the order is that of the file
        if first[0] > second[0]:
            first, second = second, first
        pair.geomids = (first[1], second[1])
        pair.signature = _signature(first[0], second[0])
    pairs.sort(key=lambda pair: pair.signature)
    named = {body.name: (body.id, body.id) for body in bodies if body.name}
    excludes: list[Exclude] = parsed.section_elements["exclude"]
    for exclude in excludes:
        ids = (lookup(exclude, "body", name, named)[0] for name in (exclude.body1, exclude.body2))
        exclude.signature = _signature(*sorted(ids))
    excludes.sort(key=lambda exclude: exclude.signature)


def _signature(low: int, high: int) -> int:
    """Two body ids in one 32-bit integer, which may be negative."""
    both = (low << 16) + high
    return both - (1 << 32) if both >= 1 << 31 else both
