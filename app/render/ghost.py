"""The pass of the ghost: one translucent layer, behind the model wherever the two coincide."""

from __future__ import annotations

from collections.abc import Callable

import moderngl

from app.render.pool import GpuBatch

# factor and units of the polygon offset: parts that all but coincide with the model do not flicker through it
OFFSET = (1.0, 64.0)


def draw_ghost(
    context: moderngl.Context, target: moderngl.Framebuffer, draw: Callable[[GpuBatch], None], batches: list[GpuBatch]
) -> None:
    """Draw batches as one layer: first their depth, then the nearest surface of each pixel."""
    context.polygon_offset = OFFSET
    context.depth_func = "<"
    # no colour yet
    context.blend_func = moderngl.ZERO, moderngl.ONE
    for batch in batches:
        draw(batch)
    context.blend_func = moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA
    target.depth_mask = False
    context.depth_func = "<="
    for batch in batches:
        draw(batch)
    target.depth_mask = True
    context.depth_func = "<"
    context.polygon_offset = (0.0, 0.0)
