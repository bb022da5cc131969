"""The charts of the instrument Softness: force and impedance over depth, with where the constraint is now."""

from __future__ import annotations

import numpy as np
from imgui_bundle import imgui, implot

from app.instruments.softness.curves import Curves, curves
from app.ui import theme
from app.ui.plots.small import FLAGS, line_spec
from app.ui.widgets import caption, em, font, show_tooltip
from sim.analysis.softness import Softness

AXIS = implot.AxisFlags_.no_menus | implot.AxisFlags_.no_highlight
# heights of the charts
FORCE_EM, IMPEDANCE_EM = 10.5, 6.5
# of impedances
CEILING = 1.01
# millimetres, or milliradians
MILLI = 1e3
SHADE = 0.16
# spans below are in millionths
SMALL = 0.1


def charts(now: Softness) -> None:
    """Both charts."""
    found = curves(now)
    _force_chart(now, found)
    _impedance_chart(now, found)


def units(now: Softness) -> tuple[str, str]:
    """The units of depth and force."""
    return ("mrad", "N·m") if now.angular else ("mm", "N")


def depth_unit(now: Softness, span: float) -> tuple[str, float]:
    """The unit of an axis of depths, and how many of it are a metre or radian."""
    base = "rad" if now.angular else "m"
    return (f"m{base}", MILLI) if span * MILLI > SMALL else (f"µ{base}", MILLI**2)


def _force_chart(now: Softness, found: Curves) -> None:
    _, force = units(now)
    unit, scale = depth_unit(now, float(found.depth[-1]))
    _caption("force at rest over depth")
    if not _begin("##force over depth", FORCE_EM):
        return
    implot.setup_axes("", "", AXIS, AXIS)
    implot.setup_axis_format(implot.ImAxis_.x1, f"%g {unit}")
    implot.setup_axis_format(implot.ImAxis_.y1, f"%g {force}")
    x = found.depth * scale
    implot.setup_axes_limits(0.0, float(x[-1]), 0.0, found.top, implot.Cond_.always)
    implot.setup_finish()
    # what no step can bear
    _beyond(x, found)
    _line("##limit", x, found.limit, theme.ERROR, 1.2)
    _line("##load", x[[0, -1]], np.full(2, now.load), (*theme.DIM[:3], 0.7), 1.0)
    _line("##force", x, found.force, theme.ACCENT, 2.2)
    _drop(now.rest * scale, now.load)
    _dot(now.rest * scale, now.load, theme.ACCENT, hollow=False)
    if now.active:
        _dot(now.depth * scale, now.force, theme.WARNING, hollow=True)
    if implot.is_plot_hovered():
        _explain_force(now, unit, scale, force)
    implot.end_plot()


def _impedance_chart(now: Softness, found: Curves) -> None:
    unit, scale = depth_unit(now, float(found.wide_depth[-1]))
    _caption("impedance over depth")
    if not _begin("##impedance over depth", IMPEDANCE_EM):
        return
    implot.setup_axes("", "", AXIS, AXIS)
    implot.setup_axis_format(implot.ImAxis_.x1, f"%g {unit}")
    x = found.wide_depth * scale
    implot.setup_axes_limits(0.0, float(x[-1]), found.floor, CEILING, implot.Cond_.always)
    implot.setup_finish()
    _line("##impedance", x, found.impedance, theme.CONTACT, 2.2)
    at, _ = now.law.impedance(now.rest)
    _drop(now.rest * scale, at)
    _dot(now.rest * scale, at, theme.ACCENT, hollow=False)
    if now.active and now.depth >= 0.0:
        _dot(now.depth * scale, now.law.impedance(now.depth)[0], theme.WARNING, hollow=True)
    if implot.is_plot_hovered():
        depth = max(implot.get_plot_mouse_pos().x / scale, 0.0)
        d, _ = now.law.impedance(depth)
        show_tooltip(
            f"{depth * scale:.4g} {unit}: impedance {d:.4g}\nthe constraint gets {d:.0%} of the acceleration that it "
            f"asks for, and leaves {1 - d:.2%} of what the other forces do\nfrom dmin {now.solimp[0]:g} to dmax "
            f"{now.solimp[1]:g} over a width of {now.solimp[2] * scale:g} {unit}"
        )
    implot.end_plot()


def _begin(name: str, height: float) -> bool:
    implot.push_style_var(implot.StyleVar_.plot_min_size, imgui.ImVec2(em(6), em(4)))
    implot.push_style_var(implot.StyleVar_.plot_padding, imgui.ImVec2(em(0.2), em(0.2)))
    begun = implot.begin_plot(name, (-1, em(height)), FLAGS | implot.Flags_.no_inputs)
    implot.pop_style_var(2)
    return begun


def _explain_force(now: Softness, unit: str, scale: float, force: str) -> None:
    """The numbers at the pointer."""
    depth = max(implot.get_plot_mouse_pos().x / scale, 0.0)
    stiff, push = now.law.stiffness(depth), now.law.force(depth)
    per = f"{force}/{'rad' if now.angular else 'm'}"
    show_tooltip(
        f"{depth * scale:.4g} {unit}: {push:.4g} {force}, {stiff:.4g} {per}\n"
        f"dot: at rest under the load of {now.load:.4g} {force}\n"
        f"ring: now, {now.depth * scale:.4g} {unit} and {now.force:.4g} {force}\n"
        "red: stiffer than steps of this length can bear, with this damping ratio and impedance"
    )


def _line(name: str, x: np.ndarray, y: np.ndarray, tint: theme.Rgba, weight: float) -> None:
    implot.plot_line(name, np.ascontiguousarray(x), np.ascontiguousarray(y), line_spec(tint, weight))


def _beyond(x: np.ndarray, found: Curves) -> None:
    """What steps of this length cannot bear: tinted, with a word."""
    # the corners of the curve up to the top of the chart, and the corner above it
    below = found.limit < found.top
    last = int(below.sum())
    over = float(np.interp(found.top, found.limit, x)) if last < len(x) else float(x[-1])
    corners = [(float(a), float(b)) for a, b in zip(x[below], found.limit[below], strict=True)] + [(over, found.top)]
    places = [implot.plot_to_pixels(a, b) for a, b in corners]
    low, high = places[0], implot.plot_to_pixels(0.0, found.top)
    draw, shade = implot.get_plot_draw_list(), imgui.get_color_u32((*theme.ERROR[:3], SHADE))
    if places[-1].x > low.x + 1.0:
        draw.add_concave_poly_filled([imgui.ImVec2(place.x, place.y) for place in (*places, high)], shade)
    word = "too stiff for the timestep"
    with font("sans", 0.86):
        wide, end = imgui.calc_text_size(word).x, places[-1].x
        at = end + em(0.4) if end - high.x < wide + em(0.8) else high.x + em(0.4)
        draw.add_text((at, high.y + em(0.15)), imgui.get_color_u32((*theme.ERROR[:3], 0.9)), word)


def _dot(x: float, y: float, tint: theme.Rgba, hollow: bool) -> None:
    place, draw, shade = implot.plot_to_pixels(x, y), implot.get_plot_draw_list(), imgui.get_color_u32(tint)
    implot.push_plot_clip_rect(em(0.5))
    if hollow:
        draw.add_circle((place.x, place.y), em(0.42), shade, 0, 1.8)
    else:
        draw.add_circle_filled((place.x, place.y), em(0.28), shade)
    implot.pop_plot_clip_rect()


def _drop(x: float, y: float) -> None:
    """A line from a mark down to the axis."""
    top, low = implot.plot_to_pixels(x, y), implot.get_plot_pos().y + implot.get_plot_size().y
    shade = imgui.get_color_u32((*theme.ACCENT[:3], 0.4))
    implot.get_plot_draw_list().add_line((top.x, top.y), (top.x, low), shade, 1.0)


def _caption(text: str) -> None:
    """The title of the chart below."""
    with font("sans", 0.92):
        caption(text)
