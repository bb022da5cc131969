"""The entry of an instrument: its panel, the question that it answers, its thread and pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from app.render.assets import Assets
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.scene.scene import Scene
from app.ui.docking import Panel
from app.view.view_state import ViewState


class Shown(Protocol):
    """What an instrument with a thread of its own keeps between frames."""

    # the newest answer; its `version` grows with each change
    found: Any

    def take_request(self) -> Any:
        """What was asked in this frame; None: nothing."""


class Worker(Protocol):
    """A thread that answers."""

    latest: Any

    def want(self, request: Any) -> None:
        """Say what is shown now; None: nothing."""

    def start(self) -> None:
        """Begin."""

    def close(self) -> None:
        """End, soon."""


class Pictures(Protocol):
    """Renders what an instrument shows, next to the view."""

    # whether they change by themselves, and may be late
    playing: bool

    def due(self, snapshot: Snapshot, view: ViewState) -> bool:
        """Whether one more frame would show newer pictures."""

    def draw(self, snapshot: Snapshot, view: ViewState, scene: Scene | None) -> None:
        """Render what is out of date, as much as there is time for."""

    def release(self) -> None:
        """Free everything on the GPU."""


@dataclass(frozen=True)
class Instrument(Panel):
    """A panel that is closed until it is asked for, and the question that it answers."""

    question: str = ""
    # expressions that it shows, offered when the state is exported
    quantities: Callable[[Snapshot, ViewState], Sequence[str]] = lambda _snapshot, _view: ()
    # the type of its state, and the thread that answers
    worker: tuple[type[Shown], Callable[[Send], Worker]] | None = None
    pictures: Callable[[Any, Assets], Pictures] | None = None
    # called in each frame while it is closed
    closed: Callable[[ViewState], None] = lambda _: None
