"""Colours of constraint islands, and of trees that sleep constrained.

Hues step by the golden angle at equal lightness and chroma (OKLCH), so that consecutive ids differ most; steps of
lightness help colour-blind users. Asleep is the same hue, darker and greyer.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView, StateView
from app.scene.instances import Floats

Ids = NDArray[np.int64]

GOLDEN = 0.6180339887
# awake and asleep: lightness and chroma
AWAKE, ASLEEP = (0.74, 0.135), (0.42, 0.045)
# lightness steps from island to island
STEPS = (0.0, -0.10, 0.08)
# moving, but not in an island
ALONE = (0.62, 0.64, 0.67)


def island_colours(model: ModelView, state: StateView) -> Floats:
    """sRGB of every body, (nbody, 3)."""
    tree = np.asarray(model.body_treeid)
    colours = np.empty((len(tree), 3), np.float32)
    colours[:] = ALONE
    first, asleep = coloured_trees(state)
    shown = np.flatnonzero(tree >= 0) if len(first) else np.zeros(0, np.int64)
    shown = shown[first[tree[shown]] >= 0]
    colours[shown] = indexed_colours(first[tree[shown]], asleep[tree[shown]])
    return colours


def coloured_trees(state: StateView) -> tuple[Ids, NDArray[np.bool_]]:
    """Of each tree the lowest one of its island or sleep cycle, or -1 if it moves alone; and whether it sleeps."""
    island = np.asarray(getattr(state, "tree_island", ()), np.int64)
    # without islands the field is stale
    island = np.where(island < int(state.nisland), island, -1)
    asleep = np.asarray(getattr(state, "tree_asleep", np.full(len(island), -1)), np.int64)
    shown = (island >= 0) | (asleep >= 0)
    return np.where(shown, _first_trees(island, asleep), -1) if shown.any() else np.full(len(island), -1), asleep >= 0


def _first_trees(island: Ids, asleep: Ids) -> Ids:
    """The lowest tree of each island or sleep cycle: islands are renumbered at every step, trees are not."""
    first = np.arange(len(island))
    constrained = island >= 0
    lowest = np.full(int(island.max(initial=0)) + 1, len(island))
    np.minimum.at(lowest, island[constrained], first[constrained])
    first[constrained] = lowest[island[constrained]]
    # sleeping trees form a cycle: pointer doubling finds its lowest
    following = np.where(asleep >= 0, asleep, np.arange(len(island)))
    for _ in range(len(island).bit_length()):
        first = np.minimum(first, first[following])
        following = following[following]
    return first


def indexed_colours(index: Ids, asleep: NDArray[np.bool_]) -> Floats:
    """sRGB colours by index."""
    angle = 2 * np.pi * ((index * GOLDEN + 0.08) % 1.0)
    lightness = np.where(asleep, ASLEEP[0], AWAKE[0]) + np.take(STEPS, index % 3) * np.where(asleep, 0.3, 1.0)
    chroma = np.where(asleep, ASLEEP[1], AWAKE[1])
    return oklab_to_srgb(lightness, chroma * np.cos(angle), chroma * np.sin(angle))


def oklab_to_srgb(lightness: NDArray[np.float64], a: NDArray[np.float64], b: NDArray[np.float64]) -> Floats:
    """sRGB colours from OKLab."""
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    linear = np.stack([
        4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
    ], axis=-1).clip(0, 1)  # fmt: skip
    shown: Floats = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return shown.astype(np.float32)
