"""Builtin textures: gradient, checker and flat patterns with marks.

A 2d texture is one image; a cube or a skybox is six square images below each other: right, left, up, down, front, back.
Bytes are 255 times the colour, truncated.
"""

from __future__ import annotations

from itertools import product
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sim import enums
from sim.jit import Plan, Struct
from sim.mjcf.asset.asset_kernels import BACK, MANY_WORDS, STATE, TWIST, WORDS, available, twist
from sim.mjcf.asset.cache import asset_cache
from sim.mjcf.records import MemoryBudget, Texture
from sim.mjcf.rotation import Vector

NONE, GRADIENT, CHECKER, FLAT = range(4)
EDGE, CROSS, RANDOM = range(1, 4)
UP, DOWN = 2, 3
TOGETHER = 1 << 14
# words that can be computed at once from a state of the twister
BLOCK = STATE - 1
# attributes that the image depends on
INPUTS = ("type", "builtin", "rgb1", "rgb2", "mark", "markrgb", "random", "width", "height")
CHANNELS = 3

Image: TypeAlias = NDArray[np.uint8]
Grid: TypeAlias = NDArray[np.float64]


def make_texture(texture: Texture, budget: MemoryBudget) -> Image:
    """All bytes of a texture; sets the height of cubes and skyboxes."""
    if not texture.builtin:
        raise texture.error("neither builtin nor file is set", 'set one, such as builtin="checker"')
    if texture.width < 1:
        raise texture.error(f"the width of a builtin texture is {texture.width}", "it must be positive")
    if texture.nchannel != CHANNELS:
        raise texture.error(f"nchannel is {texture.nchannel}", f"builtin textures have {CHANNELS}")
    if texture.type == enums.TEXTURE_2D:
        if texture.height < 1:
            raise texture.error(f"the height of a builtin texture is {texture.height}", "it must be positive")
    else:
        texture.height = 6 * texture.width
    budget.reserve(texture, CHANNELS * texture.width * texture.height)
    return asset_cache.get(("pattern", *(getattr(texture, name) for name in INPUTS)), lambda: _draw(texture))


def _draw(texture: Texture) -> Image:
    images = [_flat_image(texture)] if texture.type == enums.TEXTURE_2D else _cube_images(texture)
    for image in images:
        _mark(image, texture)
    whole = np.concatenate(images) if len(images) > 1 else images[0]
    if texture.mark == RANDOM and texture.random > 0:
        dots = _dots(whole.shape[0] * whole.shape[1], texture.random)
        whole[dots.reshape(whole.shape[:2])] = _bytes(texture.markrgb)
    return whole.ravel()


def _bytes(colour: Any) -> Image:
    scaled = 255 * np.asarray(colour, float)
    # colours outside of [0, 1] wrap around; NaN is black
    if not (scaled.min() >= 0 and scaled.max() < 256):
        scaled = np.trunc(np.nan_to_num(scaled)).astype(np.int64)
    return scaled.astype(np.uint8)


def _blend(first: Vector, second: Vector, position: Grid) -> Image:
    """A sigmoid from the second colour, at -1, to the first, at +1."""
    alpha = 0.5 * (1 + position / np.sqrt(1 + position * position) / (1 / np.sqrt(2.0)))
    np.clip(alpha, 0, 1, out=alpha)
    rest = 1 - alpha
    blended = np.empty((*alpha.shape, 3), np.uint8)
    for k in range(3):
        blended[..., k] = _bytes(alpha * first[k] + rest * second[k])
    return blended


def _coordinates(width: int, height: int) -> tuple[Grid, Grid]:
    """-1 to 1 from left to right, 1 to -1 from top to bottom."""
    with np.errstate(all="ignore"):
        x = 2 * np.arange(width) / np.float64(width - 1) - 1
        y = 1 - 2 * np.arange(height) / np.float64(height - 1)
    return x[None, :], y[:, None]


def _filled(colour: Vector, width: int, height: int) -> Image:
    return _repeated(_row(colour, width), height)


def _row(colour: Vector, width: int) -> Image:
    return np.tile(_bytes(colour), width)


def _repeated(row: Image, height: int) -> Image:
    """A row of pixels, repeated; numpy is slow at broadcasting short rows."""
    return np.broadcast_to(row, (height, len(row))).copy().reshape(height, len(row) // CHANNELS, CHANNELS)


def _checker(first: Vector, second: Vector, width: int, height: int) -> Image:
    left, right = width // 2, width - width // 2
    upper = np.concatenate([_row(first, left), _row(second, right)])
    lower = np.concatenate([_row(second, left), _row(first, right)])
    return np.concatenate([_repeated(upper, height // 2), _repeated(lower, height - height // 2)])


def _flat_image(t: Texture) -> Image:
    if t.builtin == GRADIENT:
        x, y = _coordinates(t.width, t.height)
        image = np.empty((t.height, t.width, 3), np.uint8)
        # pieces that stay in the cache: of a large picture the distances alone take many times its own memory
        wide, high = min(t.width, TOGETHER), max(1, TOGETHER // t.width)
        for top, left in product(range(0, t.height, high), range(0, t.width, wide)):
            here, a, b = np.s_[top : top + high, left : left + wide], x[:, left : left + wide], y[top : top + high]
            image[here] = _blend(t.rgb2, t.rgb1, 2 * np.sqrt(a * a + b * b) - 1)
        return image
    if t.builtin == CHECKER:
        return _checker(t.rgb1, t.rgb2, t.width, t.height)
    return _filled(t.rgb1, t.width, t.height)


def _cube_images(t: Texture) -> list[Image]:
    side = t.width
    if t.builtin == GRADIENT:
        x, y = _coordinates(side, side)
        distance = np.sqrt(1 + x * x + y * y)
        level = _blend(t.rgb1, t.rgb2, np.arcsin(y / distance) / (0.5 * np.pi))
        height = 1 - np.arccos(1.0 / distance) / (0.5 * np.pi)
        up, down = _blend(t.rgb1, t.rgb2, height), _blend(t.rgb1, t.rgb2, -height)
        return [up if k == UP else down if k == DOWN else level.copy() for k in range(6)]
    if t.builtin == CHECKER:
        return [_checker(*((t.rgb1, t.rgb2) if k < 4 else (t.rgb2, t.rgb1)), side, side) for k in range(6)]
    return [_filled(t.rgb2 if k == DOWN else t.rgb1, side, side) for k in range(6)]


def _mark(image: Image, t: Texture) -> None:
    colour = _bytes(t.markrgb)
    if t.mark == EDGE:
        image[[0, -1], :] = colour
        image[:, [0, -1]] = colour
    elif t.mark == CROSS:
        image[image.shape[0] // 2, :] = colour
        image[:, image.shape[1] // 2] = colour


def _dots(count: int, share: float) -> NDArray[np.bool_]:
    """Random dots: which of the words are below a fraction of their range."""
    dots = np.empty(count, bool)
    words = _twister(count)
    # temper the words, in blocks that fit into the CPU cache
    for at in range(0, count, TOGETHER):
        y = words[at : at + TOGETHER]
        y ^= (y >> np.uint64(29)) & np.uint64(0x5555555555555555)
        y ^= (y << np.uint64(17)) & np.uint64(0x71D67FFFEDA60000)
        y ^= (y << np.uint64(37)) & np.uint64(0xFFF7EEE000000000)
        y ^= y >> np.uint64(43)
        dots[at : at + TOGETHER] = y.astype(float) < share * 2.0**64
    return dots


def _twister(count: int) -> NDArray[np.uint64]:
    """The first words of the 64-bit Mersenne Twister with seed 42, before tempering."""
    mask = (1 << 64) - 1
    seed = [42]
    for k in range(1, STATE):
        seed.append((6364136223846793005 * (seed[-1] ^ (seed[-1] >> 62)) + k) & mask)
    steps = -(-count // BLOCK)
    words = np.empty(STATE + steps * BLOCK, np.uint64)
    words[:STATE] = seed
    if available(twist, count, MANY_WORDS):
        struct = Struct(Plan(WORDS, {"nword": 0}))
        struct.bind("word", words.view(np.int64))
        twist(struct)
    else:
        _twist(words, steps)
    return words[STATE : STATE + count]


def _twist(words: NDArray[np.uint64], steps: int) -> None:
    """The words after the initial state, one block per step."""
    upper, lower, one = np.uint64(0xFFFFFFFF80000000), np.uint64(0x7FFFFFFF), np.uint64(1)
    change = np.uint64(TWIST)
    mixed, odd = np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint64)
    # a word depends on those 312, 311 and 156 before it, so 311 can be computed at once; without new arrays
    for at in range(0, steps * BLOCK, BLOCK):
        np.bitwise_and(words[at : at + BLOCK], upper, out=mixed)
        np.bitwise_and(words[at + 1 : at + STATE], lower, out=odd)
        np.bitwise_or(mixed, odd, out=mixed)
        np.bitwise_and(mixed, one, out=odd)
        np.multiply(odd, change, out=odd)
        np.right_shift(mixed, one, out=mixed)
        np.bitwise_xor(mixed, odd, out=mixed)
        new = words[at + STATE : at + STATE + BLOCK]
        np.bitwise_xor(words[at + BACK : at + STATE], mixed[:BACK], out=new[:BACK])
        np.bitwise_xor(new[: BACK - 1], mixed[BACK:], out=new[BACK:])
