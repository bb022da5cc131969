"""Loops of compiling assets that arrays are slow at, as kernels: used where they are compiled already.

grow: (reach, sorted) -> (boxes, children, faces, depths), the tree of boxes over a mesh's triangles, root first.
twist: the first 312 words -> all words of the 64-bit Mersenne twister.
`sim/mjcf` has both with arrays too, for a model that is opened before anything has been compiled.
"""

from __future__ import annotations

from sim.jit import Field, Layout, declare, helper, inline, kernel
from sim.jit.kernel import Kernel

# triangles and words that are worth fetching a kernel from the disk for: the first one takes 0.1 s
MANY_TRIANGLES, MANY_WORDS = 1000, 1 << 19
# words of the twister's state, and how far back the other word is that a new one is made of
STATE, BACK = 312, 156
TWIST = 0xB5026F5AA96619E9
# masks for signed words, which are all that kernels know
UPPER, LOWER, POSITIVE, SIGNED_TWIST = -(1 << 31), (1 << 31) - 1, (1 << 63) - 1, TWIST - (1 << 64)


def _layout(name: str, *rows: tuple[str, str, tuple[int | str, ...], str]) -> Layout:
    fields = [Field(field, dtype, shape, "assetloops", "", meaning) for field, dtype, shape, meaning in rows]
    return Layout(name, tuple(fields), const=False)


TREE = _layout(
    "Tree",
    ("reach", "f8", ("ntriangle", 6), "box of a triangle: lower corner, upper corner negative"),
    ("sorted", "i4", (3, "ntriangle"), "triangles by their centres along each axis"),
    ("later", "i4", ("ntriangle",), "room for the triangles of a right child"),
    ("left", "b1", ("ntriangle",), "whether a triangle is in a left child"),
    ("todo", "i4", ("ndepth", 4), "nodes to come: number, first place in the lists, triangles, depth"),
    ("boxes", "f8", ("nnode", 6), "centre and half sizes of a node"),
    ("children", "i4", ("nnode", 2), "their numbers, -1 for none"),
    ("faces", "i4", ("nnode",), "the triangle of a node that has only one, else -1"),
    ("depths", "i4", ("nnode",), "steps from the root"),
)
WORDS = _layout("Words", ("word", "i8", ("nword",), "bits of unsigned words, before tempering"))
declare(tree=TREE, words=WORDS)

# loops that a large asset had to do without
MISSED_KERNELS: set[Kernel] = set()


def at_hand(loop: Kernel, size: int, many: int) -> bool:
    """Whether a loop can run natively right away; one that is missed for a large asset is noted, to be compiled."""
    found = loop.is_available(fetch=size >= many)
    if size >= many and not found:
        MISSED_KERNELS.add(loop)
    return found


@kernel(exact=True)
def grow(tree, tiny: float):
    """(reach, sorted) -> (boxes, children, faces, depths): a node is split at the median along its longest side"""
    wait(tree, 0, 0, 0, len(tree.left), 0)
    waiting = 1
    while waiting > 0:
        waiting -= 1
        node, first, count, depth = next_node(tree, waiting)
        enclose(tree, node, first, count, tiny)
        tree.depths[node] = depth
        if count == 1:
            tree.faces[node] = tree.sorted[0, first]
            continue
        # the left half along that side comes first in the lists along the other sides too, which keep their order
        half = count // 2
        axis = longest(tree, node, tiny)
        for k in range(first, first + count):
            tree.left[tree.sorted[axis, k]] = k < first + half
        for other in range(3):
            if other != axis:
                divide(tree, other, first, count)
        # the left child is the next node
        tree.children[node, 0], tree.children[node, 1] = node + 1, node + 2 * half
        wait(tree, waiting, node + 2 * half, first + half, count - half, depth + 1)
        wait(tree, waiting + 1, node + 1, first, half, depth + 1)
        waiting += 2


@inline
def wait(tree, place, node, first, count, depth):
    """Put a node among those to come."""
    tree.todo[place, 0] = node
    tree.todo[place, 1] = first
    tree.todo[place, 2] = count
    tree.todo[place, 3] = depth


@inline
def next_node(tree, place):
    return tree.todo[place, 0], tree.todo[place, 1], tree.todo[place, 2], tree.todo[place, 3]


@helper
def enclose(tree, node, first, count, tiny):
    """(reach) -> (boxes): the box around the triangles of a node; a flat one gets a little thickness"""
    for k in range(3):
        low, high = tree.reach[tree.sorted[0, first], k], tree.reach[tree.sorted[0, first], k + 3]
        for i in range(first + 1, first + count):
            low = min(low, tree.reach[tree.sorted[0, i], k])
            high = min(high, tree.reach[tree.sorted[0, i], k + 3])
        high = -high
        if high - low < tiny:
            low -= tiny
            high += tiny
        tree.boxes[node, k] = (high + low) / 2
        tree.boxes[node, k + 3] = (high - low) / 2


@inline
def longest(tree, node, tiny):
    """The longest side of a node, by a margin; the first if there is none."""
    x, y, z = 2.0 * tree.boxes[node, 3], 2.0 * tree.boxes[node, 4], 2.0 * tree.boxes[node, 5]
    axis, side = (1, y) if y >= x + tiny else (0, x)
    return 2 if z >= side + tiny else axis


@helper
def divide(tree, axis, first, count):
    """(left) -> (sorted): the triangles of a left child before those of a right one, both in their order"""
    place, later = first, 0
    for k in range(first, first + count):
        triangle = tree.sorted[axis, k]
        if tree.left[triangle]:
            tree.sorted[axis, place] = triangle
            place += 1
        else:
            tree.later[later] = triangle
            later += 1
    for k in range(later):
        tree.sorted[axis, place + k] = tree.later[k]


@kernel
def twist(words):
    """(the first words) -> (word): each follows from those 312, 311 and 156 places before"""
    for k in range(STATE, len(words.word)):
        mixed = (words.word[k - STATE] & UPPER) | (words.word[k - STATE + 1] & LOWER)
        words.word[k] = words.word[k - BACK] ^ (mixed >> 1 & POSITIVE) ^ (-(mixed & 1) & SIGNED_TWIST)
