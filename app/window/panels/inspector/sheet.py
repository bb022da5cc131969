"""Rows of the inspector: numbers with their units, angles as the user prefers, links to other elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from imgui_bundle import imgui

from app.instruments.offer import offered
from app.model.angle_unit import shown_unit
from app.model.field_names import mentioned_fields
from app.model.views import ModelView, StateView
from app.ui.quantities import FLOORS, NOISE
from app.ui.widgets import (
    angle_heading,
    caption,
    choice_heading,
    elide,
    label_width,
    link,
    number_row,
    section,
    vector_row,
)
from app.view.view_state import ViewState
from sim.analysis.element_names import element_name

# what is rest for the eye: larger than rounding noise; the tooltip has all digits
REST = FLOORS | {
    "rad": 1e-7, "m/s": 1e-6, "rad/s": 1e-6, "m/s²": 1e-5, "rad/s²": 1e-5, "kg m/s": 1e-9, "kg m²/s": 1e-9,
}  # fmt: skip

Vector = Sequence[float] | np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Sheet:
    """What the rows are about."""

    model: ModelView
    state: StateView
    view: ViewState

    def numbers(
        self, label: str, values: Vector, unit: str = "", hint: str = "", attribute: str = "", scale: float = 1.0
    ) -> None:
        """One number or several; the tooltip has all their digits, a right-click copies them.

        What is copied is in the engine's units or, if MJCF has an attribute for it, as that, multiplied by `scale`.
        """
        exact = [float(value) for value in np.ravel(values)]
        factor, shown = shown_unit(unit, self.view.prefs.degrees)
        noise = REST.get(unit, NOISE) * factor
        row = [value * factor for value in exact]
        fields = mentioned_fields(hint) if offered("Code") else ()
        imgui.begin_group()
        copy = vector_row(label, row, shown, partial(_explained, hint, row, shown, attribute, fields), noise)
        imgui.end_group()
        if fields and imgui.is_item_clicked(imgui.MouseButton_.left):
            self.view.instruments.open("Code", fields[0])
        if copy:
            written = " ".join(f"{round(value * scale, 12) + 0.0:.9g}" for value in exact)
            text = f'{attribute}="{written}"' if attribute else written
            imgui.set_clipboard_text(text)
            self.view.feedback.show_message(f"copied {text}")

    def text(self, label: str, text: str, hint: str = "") -> None:
        """A word, or a whole number."""
        number_row(label, text, "", hint)

    def link(self, label: str, kind: str, index: int) -> None:
        """A link that selects an element."""
        start, labels = imgui.get_cursor_pos_x(), label_width()
        caption(label)
        imgui.same_line(start + labels)
        name = element_name(self.model, kind, index)
        if link(f"{elide(name, imgui.get_content_region_avail().x)}##{label}", f"select {kind} {name}"):
            self.view.select(kind, index)

    def section(self, title: str) -> None:
        """A heading."""
        section(title)

    def angle_section(self, title: str) -> None:
        """A heading with the choice between radians and degrees."""
        angle_heading(self.view, title)

    def axes_section(self, title: str) -> None:
        """A heading with the choice between world and local axes."""
        hint = "in the axes of the world, or of the element itself"
        self.view.prefs.local_axes = (
            choice_heading(title, ("world", "local"), int(self.view.prefs.local_axes), hint) == 1
        )


def _explained(hint: str, row: Sequence[float], unit: str, attribute: str, fields: Sequence[str]) -> str:
    """The tooltip of some numbers: what they are, and all their digits."""
    exact = "  ".join(f"{value:.10g}" for value in row)
    copied = f"as MJCF's {attribute}" if attribute else "in the engine's units"
    code = f"click: the code that computes {fields[0]}" if fields else ""
    return "\n".join(filter(None, (hint, f"{exact} {unit}".strip(), f"right-click: copy it, {copied}", code)))
