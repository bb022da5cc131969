"""The session: a run and the view of it, as they continue after a restart or a crash."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from app.model.selection import Selection
from app.model.views import ModelView
from app.run.journal.saved_run import SavedRun
from app.view.view_state import ViewState

# of a window: width, height, and whether it is full screen
Shape = tuple[int, int, bool]
# what is saved of a view, by part
View = dict[str, Any]


@dataclass(frozen=True)
class Session:
    """A run, the view of it, the window; `when` it was saved, s since the epoch."""

    run: SavedRun
    view: View = field(default_factory=dict)
    window: Shape | None = None
    when: float = 0.0


def capture_view(view: ViewState) -> View:
    """What is saved of a view."""
    selection = view.selection
    return {
        "camera": asdict(view.camera) | {"lookat": [float(x) for x in view.camera.lookat]},
        "options": asdict(view.options), "camera_id": view.camera_id, "tracked": view.tracked,
        "watches": [*view.plots.expressions()],
        "selection": [selection.kind, selection.index] if selection else ["", 0],
    }  # fmt: skip


def restore_view(saved: View, view: ViewState, model: ModelView) -> None:
    """Show a model as a saved view did; elements that the model does not have are left out."""
    if not saved:
        return
    _set_fields(view.camera, saved["camera"])
    _set_fields(view.options, saved["options"])
    view.camera_id, view.tracked = saved["camera_id"], saved["tracked"]
    view.plots.watches.clear()
    for text in saved["watches"]:
        view.plots.add(text)
    kind, index = saved["selection"]
    if index < len(model.names.get(kind, ())):
        view.selection = Selection(kind, index)


def _set_fields(target: Any, values: dict[str, Any]) -> None:
    """Set fields to saved values; changed source may have other fields."""
    for name, value in values.items():
        if hasattr(target, name):
            setattr(target, name, value)
