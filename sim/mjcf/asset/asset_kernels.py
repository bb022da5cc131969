"""Kernels for loops that are slow in numpy: the BVH of a mesh, and the Mersenne Twister of random textures.

grow: (reach, sorted) -> (boxes, children, faces, depths), the BVH over a mesh's triangles, root first.
twist: the first 312 words -> all words of the 64-bit Mersenne Twister.
They are used if they are already compiled; otherwise `mesh_bvh` and `texture` do the same in numpy.
"""

from __future__ import annotations

from sim.jit import Field, Layout, declare, helper, inline, kernel
from sim.jit.kernel import Kernel

# from these sizes on a kernel is worth loading from disk, which takes 0.1 s for the first one
MANY_TRIANGLES, MANY_WORDS = 1000, 1 << 19
# size of the twister's state in words, and the offset of its second word (n and m of MT19937-64)
STATE, BACK = 312, 156
TWIST = 0xB5026F5AA96619E9
# masks as signed integers, because kernels have no unsigned ones
UPPER, LOWER, POSITIVE, SIGNED_TWIST = -(1 << 31), (1 << 31) - 1, (1 << 63) - 1, TWIST - (1 << 64)


def _layout(name: str, *rows: tuple[str, str, tuple[int | str, ...], str]) -> Layout:
    fields = [Field(field, dtype, shape, "assetloops", "", meaning) for field, dtype, shape, meaning in rows]
    return Layout(name, tuple(fields), const=False)


TREE = _layout(
    "Tree",
    ("reach", "f8", ("ntriangle", 6), "box of a triangle: lower corner, upper corner negative"),
    ("sorted", "i4", (3, "ntriangle"), "triangles by their centres along each axis"),
    ("later", "i4", ("ntriangle",), "buffer for the triangles of a right child"),
    ("left", "b1", ("ntriangle",), "whether a triangle is in a left child"),
    ("todo", "i4", ("ndepth", 4), "stack of nodes: index, first position in the lists, triangles, depth"),
    ("boxes", "f8", ("nnode", 6), "centre and half-sizes of a node"),
    ("children", "i4", ("nnode", 2), "indices of the children, -1 for none"),
    ("faces", "i4", ("nnode",), "triangle of a leaf, else -1"),
    ("depths", "i4", ("nnode",), "depth of a node"),
)
WORDS = _layout("Words", ("word", "i8", ("nword",), "unsigned words as signed ones, before tempering"))
declare(tree=TREE, words=WORDS)

# kernels that a large asset needed and that were not compiled
MISSED_KERNELS: set[Kernel] = set()


def available(asset_kernel: Kernel, size: int, many: int) -> bool:
    """Whether a kernel is compiled; one that a large asset needs and that is not is noted in MISSED_KERNELS."""
    found = asset_kernel.is_available(fetch=size >= many)
    if size >= many and not found:
        MISSED_KERNELS.add(asset_kernel)
    return found


@kernel(exact=True)
def grow(tree, tiny: float):
    """(reach, sorted) -> (boxes, children, faces, depths): a node is split at the median along its longest side"""
    push(tree, 0, 0, 0, len(tree.left), 0)
    pending = 1
    while pending > 0:
        pending -= 1
        node, first, count, depth = next_node(tree, pending)
        enclose(tree, node, first, count, tiny)
        tree.depths[node] = depth
        if count == 1:
            tree.faces[node] = tree.sorted[0, first]
            continue
        # partition the lists along the other axes, stably: triangles of the left child first
        half = count // 2
        axis = longest(tree, node, tiny)
        for k in range(first, first + count):
            tree.left[tree.sorted[axis, k]] = k < first + half
        for other in range(3):
            if other != axis:
                partition(tree, other, first, count)
        # the left child is the next node
        tree.children[node, 0], tree.children[node, 1] = node + 1, node + 2 * half
        push(tree, pending, node + 2 * half, first + half, count - half, depth + 1)
        push(tree, pending + 1, node + 1, first, half, depth + 1)
        pending += 2


@inline
def push(tree, place, node, first, count, depth):
    """Push a node on the stack."""
    tree.todo[place, 0] = node
    tree.todo[place, 1] = first
    tree.todo[place, 2] = count
    tree.todo[place, 3] = depth


@inline
def next_node(tree, place):
    return tree.todo[place, 0], tree.todo[place, 1], tree.todo[place, 2], tree.todo[place, 3]


@helper
def enclose(tree, node, first, count, tiny):
    """(reach) -> (boxes): the bounding box of a node; a flat one gets a minimal thickness"""
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
    """The axis of the longest side of a node; of equal ones the first."""
    x, y, z = 2.0 * tree.boxes[node, 3], 2.0 * tree.boxes[node, 4], 2.0 * tree.boxes[node, 5]
    axis, side = (1, y) if y >= x + tiny else (0, x)
    return 2 if z >= side + tiny else axis


@helper
def partition(tree, axis, first, count):
    """(left) -> (sorted): stable partition, triangles of the left child first"""
    place, right = first, 0
    for k in range(first, first + count):
        triangle = tree.sorted[axis, k]
        if tree.left[triangle]:
            tree.sorted[axis, place] = triangle
            place += 1
        else:
            tree.later[right] = triangle
            right += 1
    for k in range(right):
        tree.sorted[axis, place + k] = tree.later[k]


@kernel
def twist(words):
    """(the first words) -> (word): each follows from those 312, 311 and 156 places before"""
    for k in range(STATE, len(words.word)):
        mixed = (words.word[k - STATE] & UPPER) | (words.word[k - STATE + 1] & LOWER)
        words.word[k] = words.word[k - BACK] ^ (mixed >> 1 & POSITIVE) ^ (-(mixed & 1) & SIGNED_TWIST)
