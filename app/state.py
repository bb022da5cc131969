"""The state that panels show: how the run goes, and how the user looks at it.

`RunState` is written by the simulation thread, immutable, and part of every snapshot. `ViewState` belongs to
the GUI thread alone: camera, visual options, which panels are open.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.camera import OrbitCamera

if TYPE_CHECKING:
    from app.grasp import Grasp

NGROUP = 6
FREE_CAMERA = -1


@dataclass(frozen=True)
class Progress:
    """How far a long piece of work has come."""

    label: str
    done: int = 0
    total: int = 0

    @property
    def fraction(self) -> float:
        """Between 0 and 1; 0 as long as the total is unknown."""
        return self.done / self.total if self.total else 0.0


@dataclass(frozen=True)
class Problem:
    """Something that went wrong, in words for the user."""

    title: str
    text: str


@dataclass(frozen=True)
class RunState:
    """The run as the simulation thread sees it."""

    path: str = ""
    paused: bool = False
    ready: bool = False
    speed: float = 1.0
    rate: float = 0.0
    step_seconds: float = 0.0
    steps: int = 0
    time: float = 0.0
    progress: Progress | None = None
    problem: Problem | None = None


@dataclass(frozen=True)
class Rect:
    """A rectangle in logical pixels from the top left of the window."""

    x: float
    y: float
    width: float
    height: float


@dataclass
class VisualOptions:
    """What is drawn, independent of the model."""

    shadow: bool = True
    texture: bool = True
    skybox: bool = True
    haze: bool = True
    tendon: bool = True
    contact_point: bool = False
    contact_force: bool = False
    force_scale: float = 1.0
    geom_group: list[bool] = field(default_factory=lambda: [g < 3 for g in range(NGROUP)])
    site_group: list[bool] = field(default_factory=lambda: [g < 3 for g in range(NGROUP)])
    tendon_group: list[bool] = field(default_factory=lambda: [g < 3 for g in range(NGROUP)])


@dataclass
class ViewState:
    """The user's view of the run."""

    camera: OrbitCamera = field(default_factory=OrbitCamera)
    camera_id: int = FREE_CAMERA
    grasp: Grasp | None = None
    options: VisualOptions = field(default_factory=VisualOptions)
    show_panels: bool = True
    show_help: bool = False
    show_info: bool = False
    fps: float = 0.0
    message: str = ""
