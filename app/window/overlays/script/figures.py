"""Draws a script's figures over the view: grid, curves or bars, numbers, title and legend."""

from __future__ import annotations

from itertools import pairwise

from imgui_bundle import imgui

from app.ui import theme
from app.ui.widgets import em, font
from app.view.rect import Rect
from app.view.script.figure import Colour, Figure, Line

MARGIN_EM = 0.5
# size of the text, in that of the user's
TEXT_SHARE = 0.85
Box = tuple[float, float, float, float]


def draw_figure(figure: Figure, rect: Rect) -> None:
    """Draw one figure at its place in the view."""
    scale_x, scale_y = imgui.get_io().display_framebuffer_scale
    left, width, height = rect.x + figure.left / scale_x, figure.width / scale_x, figure.height / scale_y
    top = rect.y + rect.height - figure.bottom / scale_y - height
    draw = imgui.get_background_draw_list()
    theme.ensure_glyphs(figure.title, figure.xlabel, *(line.name for line in figure.lines))
    draw.add_rect_filled((left, top), (left + width, top + height), _colour(figure.background))
    draw.push_clip_rect((left, top), (left + width, top + height), True)
    with font("sans", TEXT_SHARE):
        _draw_parts(draw, figure, (left, top, width, height))
    draw.pop_clip_rect()


def _draw_parts(draw: imgui.ImDrawList, figure: Figure, box: Box) -> None:
    """The pane with its curves, and the texts around it."""
    left, top, width, height = box
    margin, text = em(MARGIN_EM), imgui.get_text_line_height()
    across = max((imgui.calc_text_size(label).x for label in _numbers(figure, 1)), default=0.0)
    x = left + margin + (across + margin if figure.numbered[1] else 0.0)
    y = top + margin + (text + margin if figure.title else 0.0)
    below = margin + (text + margin / 2) * (figure.numbered[0] + bool(figure.xlabel))
    pane = (x, y, max(left + width - margin - x, 1.0), max(top + height - below - y, 1.0))
    draw.add_rect_filled((x, y), (x + pane[2], y + pane[3]), _colour(figure.pane))
    _grid(draw, figure, pane)
    draw.push_clip_rect((x, y), (x + pane[2], y + pane[3]), True)
    for line in figure.lines:
        (_bars if figure.bars else _curve)(draw, figure, line, pane)
    draw.pop_clip_rect()
    colour = _colour(figure.text_colour)
    if figure.title:
        _centred(draw, left + width / 2, top + margin, figure.title, colour)
    if figure.xlabel:
        _centred(draw, x + pane[2] / 2, top + height - margin - text, figure.xlabel, colour)
    if figure.legend:
        _legend(draw, figure, pane)


def _grid(draw: imgui.ImDrawList, figure: Figure, pane: Box) -> None:
    """Lines of the grid, and their numbers."""
    x, y, width, height = pane
    lines, text = _colour(figure.grid_colour), _colour(figure.text_colour)
    for k, label in enumerate(_numbers(figure, 0)):
        at = x + width * _share(k, figure.grid[0])
        draw.add_line((at, y), (at, y + height), lines)
        if figure.numbered[0]:
            _centred(draw, at, y + height + em(MARGIN_EM) / 2, label, text)
    for k, label in enumerate(_numbers(figure, 1)):
        at = y + height * (1 - _share(k, figure.grid[1]))
        draw.add_line((x, at), (x + width, at), lines)
        size = imgui.calc_text_size(label)
        if figure.numbered[1]:
            draw.add_text((x - em(MARGIN_EM) / 2 - size.x, at - size.y / 2), text, label)


def _numbers(figure: Figure, axis: int) -> list[str]:
    """The numbers at the lines of the grid."""
    low, high, count = figure.low[axis], figure.high[axis], figure.grid[axis]
    values = [low + (high - low) * _share(k, count) for k in range(count)]
    try:
        return [figure.formats[axis] % value for value in values]
    except (TypeError, ValueError):
        return [f"{value:.3g}" for value in values]


def _share(k: int, count: int) -> float:
    """Where the k-th line of a grid is, from 0 to 1."""
    return k / (count - 1) if count > 1 else 0.0


def _places(figure: Figure, line: Line, pane: Box) -> list[tuple[float, float]]:
    """The points of a curve on the screen."""
    x, y, width, height = pane
    (x0, y0), (x1, y1) = figure.low, figure.high
    across = x + width * (line.points[:, 0] - x0) / (x1 - x0)
    down = y + height * (1 - (line.points[:, 1] - y0) / (y1 - y0))
    return list(zip(across.tolist(), down.tolist(), strict=True))


def _curve(draw: imgui.ImDrawList, figure: Figure, line: Line, pane: Box) -> None:
    colour, width = _colour(line.colour), max(figure.line_width / 2, 1.0)
    for start, end in pairwise(_places(figure, line, pane)):
        draw.add_line(start, end, colour, width)


def _bars(draw: imgui.ImDrawList, figure: Figure, line: Line, pane: Box) -> None:
    zero = pane[1] + pane[3] * (1 + min(figure.low[1], 0.0) / (figure.high[1] - figure.low[1]))
    places = _places(figure, line, pane)
    half = 0.4 * pane[2] / max(len(places), 1)
    for x, y in places:
        draw.add_rect_filled((x - half, min(y, zero)), (x + half, max(y, zero)), _colour(line.colour))


def _legend(draw: imgui.ImDrawList, figure: Figure, pane: Box) -> None:
    """Names of the curves, in their colours, in the upper right corner."""
    x, y, width, _ = pane
    for line in figure.lines:
        if line.name:
            size = imgui.calc_text_size(line.name)
            draw.add_text((x + width - size.x - em(MARGIN_EM), y + em(MARGIN_EM) / 2), _colour(line.colour), line.name)
            y += size.y


def _centred(draw: imgui.ImDrawList, x: float, y: float, text: str, colour: int) -> None:
    draw.add_text((x - imgui.calc_text_size(text).x / 2, y), colour, text)


def _colour(rgba: Colour) -> int:
    red, green, blue = rgba[:3]
    return imgui.get_color_u32((red, green, blue, rgba[3] if len(rgba) > 3 else 1.0))
