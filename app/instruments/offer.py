"""Ways to an instrument from elsewhere: nothing offers one that is not in the list."""

from __future__ import annotations

from app.instruments import instruments
from app.ui.widgets import button
from app.view.view_state import ViewState


def offered(name: str) -> bool:
    """Whether there is an instrument of this name."""
    return name in instruments()


def offer(
    view: ViewState,
    name: str,
    hint: str,
    label: str = "",
    size: tuple[float, float] = (0.0, 0.0),
    beside: bool = False,
    small: bool = False,
) -> bool:
    """A button that opens an instrument; returns whether it was pressed."""
    pressed = offered(name) and button(label or name, hint, size=size, beside=beside, small=small)
    if pressed:
        view.instruments.open(name)
    return pressed
