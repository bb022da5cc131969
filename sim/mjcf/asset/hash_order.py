"""Iteration order of a std::unordered_map of libc++.

MuJoCo keeps the polygons of a hull in such a map, and collision detection visits them in its order. The map is one
linked list: a key whose bucket is empty goes to the front of the list, another one to the front of its bucket; when the
map is full it is rehashed, which brings the keys of each new bucket together.
"""

from __future__ import annotations


def hash_order(codes: list[int]) -> list[int]:
    """Indices of keys with these hashes in iteration order, after inserting them one by one."""
    head = len(codes)
    following: list[int | None] = [None] * (head + 1)
    # the node before the first of each bucket
    before: dict[int, int] = {}
    buckets = 0
    for node, code in enumerate(codes):
        if node + 1 > buckets:
            buckets = _next_size(buckets)
            before = _rehash(following, codes, head, buckets)
        bucket = code % buckets
        if bucket in before:
            previous = before[bucket]
            following[node], following[previous] = following[previous], node
        else:
            after = following[head]
            following[node], following[head], before[bucket] = after, node, head
            if after is not None:
                before[codes[after] % buckets] = node
    ordered, at = [], following[head]
    while at is not None:
        ordered.append(at)
        at = following[at]
    return ordered


def _next_size(buckets: int) -> int:
    """2, then the prime after twice the size: 5, 11, 23, 47, 97, ..."""
    size = 2 * buckets + 1 if buckets else 2
    while size > 2 and any(size % k == 0 for k in range(2, int(size**0.5) + 1)):
        size += 1
    return size


def _rehash(following: list[int | None], codes: list[int], head: int, buckets: int) -> dict[int, int]:
    """Rehash: a key whose new bucket has begun earlier in the list moves to the front of that bucket."""
    before: dict[int, int] = {}
    previous, at, last = head, following[head], -1
    while at is not None:
        bucket = codes[at] % buckets
        if bucket == last:
            previous = at
        elif bucket not in before:
            before[bucket] = previous
            previous, last = at, bucket
        else:
            first = before[bucket]
            following[previous], following[at], following[first] = following[at], following[first], at
        at = following[previous]
    return before
