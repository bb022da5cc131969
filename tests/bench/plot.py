"""A line plot with logarithmic axes as SVG text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil, floor, log10

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 480, 70, 190, 40, 50
COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b")

Line = Sequence[tuple[float, float]]


def log_plot(title: str, x_label: str, y_label: str, lines: Mapping[str, Line]) -> str:
    """SVG of some lines. A name that ends in `, dashed` gives the line before it a companion in its colour."""
    points = [p for line in lines.values() for p in line]
    x0, x1 = (f(log10(p[0]) for p in points) for f in (min, max))
    y0, y1 = floor(min(log10(p[1]) for p in points)), ceil(max(log10(p[1]) for p in points))

    def place(x: float, y: float) -> tuple[float, float]:
        return (
            LEFT + (log10(x) - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT),
            HEIGHT - BOTTOM - (log10(y) - y0) / (y1 - y0) * (HEIGHT - TOP - BOTTOM),
        )

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif">']
    out.append('<rect width="100%" height="100%" fill="white"/>')
    out.append(_text(LEFT + 50, 24, title, size=16))
    out.append(_text(LEFT, HEIGHT - 12, x_label))
    out.append(_text(12, 24, y_label))
    for k in range(y0, y1 + 1):
        y = place(10**x0, 10.0**k)[1]
        out.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        out.append(_text(LEFT - 8, y + 4, f"{10.0**k:g}", anchor="end"))
    for k in range(ceil(x0), floor(x1) + 1):
        x = place(10.0**k, 10.0**y0)[0]
        out.append(f'<path d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>')
        out.append(_text(x, HEIGHT - BOTTOM + 18, f"{10.0**k:g}", anchor="middle"))
    colour = -1
    for k, (name, line) in enumerate(lines.items()):
        dashed = name.endswith(", dashed")
        colour += not dashed
        style = f'stroke="{COLOURS[colour % len(COLOURS)]}"' + (' stroke-dasharray="5 4"' if dashed else "")
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*p) for p in line))
        out.append(f'<polyline points="{path}" fill="none" stroke-width="2" {style}/>')
        y = TOP + 20 * k
        out.append(f'<path d="M{WIDTH - RIGHT + 12} {y}h24" stroke-width="2" {style}/>')
        out.append(_text(WIDTH - RIGHT + 42, y + 4, name.removesuffix(", dashed")))
    return "\n".join([*out, "</svg>", ""])


def _text(x: float, y: float, text: str, anchor: str = "start", size: int = 12) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}">{escape(text)}</text>'
