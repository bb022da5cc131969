"""The palette of branches: what the timeline, the plots and the ghost paint a branch with.

After Okabe and Ito: told apart by the colour-blind too, and on dark and light panels.
"""

from __future__ import annotations

Rgb = tuple[float, float, float]

BRANCH_COLOURS: tuple[Rgb, ...] = (
    (0.34, 0.65, 0.93),
    (0.94, 0.57, 0.13),
    (0.18, 0.71, 0.53),
    (0.85, 0.47, 0.70),
    (0.84, 0.79, 0.22),
    (0.86, 0.33, 0.27),
    (0.56, 0.52, 0.92),
    (0.60, 0.66, 0.70),
)


def branch_colour(colour: int) -> Rgb:
    """The colour of a branch by its number, sRGB; after the last comes the first again."""
    return BRANCH_COLOURS[colour % len(BRANCH_COLOURS)]
