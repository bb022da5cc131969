"""The state that panels show: how the run goes, and how the user looks at it.

`RunState` is written by the simulation thread, immutable, and part of every snapshot. `ViewState` belongs to
the GUI thread alone: camera, visual options, which panels are open.
"""

from __future__ import annotations

import time
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from app.camera import Flight, OrbitCamera, View, model_camera_view, start_camera, whole_model
from app.marks import Mark
from app.plots import Plots
from app.selection import Selection

if TYPE_CHECKING:
    from app.browse import Browse
    from app.filming import Film
    from app.grasp import Grasp

NGROUP = 6
FREE_CAMERA = -1
MIN_FONT_SCALE, MAX_FONT_SCALE = 0.7, 2.5
# for which the status line says what was done
MESSAGE_SECONDS = 8.0
# of which elements axes and names are drawn
FRAMES = ("none", "body", "geom", "site", "camera", "light", "contact", "world")
LABELS = (
    "none", "body", "joint", "geom", "site", "camera", "light", "tendon", "actuator", "constraint", "skin",
    "selection", "contact", "contact force", "island",
)  # fmt: skip


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
    # of the history, where it can be looked at
    moment: int | None = None


@dataclass(frozen=True)
class Span:
    """The moments of a run that can be gone back to, and the one that is shown; times in s."""

    first: int = 0
    last: int = 0
    now: int = 0
    first_time: float = 0.0
    last_time: float = 0.0
    # what happened besides steps
    marks: tuple[Mark, ...] = ()


# why the speed cannot be chosen, beside a script's own loop
NOT_PACED = "the script sets the pace; with launch_passive(..., realtime=True) the speed is chosen here"


@dataclass(frozen=True)
class RunState:
    """The run as the simulation thread sees it."""

    path: str = ""
    paused: bool = False
    ready: bool = False
    # whether the viewer keeps time; beside a script's own loop the script does
    paced: bool = True
    speed: float = 1.0
    rate: float = 0.0
    step_seconds: float = 0.0
    # what each stage of a step costs, by name; nothing unless it is measured
    stage_seconds: tuple[tuple[str, float], ...] = ()
    time: float = 0.0
    history: Span = field(default_factory=Span)
    # how many times it exploded since the start
    explosions: int = 0
    progress: Progress | None = None
    problem: Problem | None = None
    # what the engine and the reader have warned of since the model was opened, each once
    warnings: tuple[str, ...] = ()
    # what was done last of what the user asked for, where that is worth a word
    news: str = ""

    @property
    def steps(self) -> int:
        """Steps since the last reset, up to the moment that is shown."""
        return self.history.now


@dataclass(frozen=True)
class Rect:
    """A rectangle in logical pixels from the top left of the window."""

    x: float
    y: float
    width: float
    height: float


def _first_groups() -> list[bool]:
    """Groups that are drawn unless told otherwise."""
    return [g < 3 for g in range(NGROUP)]


@dataclass(slots=True)
class VisualOptions:
    """What is drawn, independent of the model; `app/visual.py` says what each switch does. It has no other switches."""

    shadow: bool = True
    reflection: bool = True
    texture: bool = True
    skybox: bool = True
    haze: bool = True
    fog: bool = False
    additive: bool = False
    wireframe: bool = False
    transparent: bool = False
    static: bool = True
    skin: bool = True
    convex_hull: bool = False
    tendon: bool = True
    joint: bool = False
    actuator: bool = False
    activation: bool = False
    camera: bool = False
    light: bool = False
    auto_connect: bool = False
    body_bvh: bool = False
    mesh_bvh: bool = False
    inertia: bool = False
    scale_inertia: bool = False
    com: bool = False
    constraint: bool = False
    rangefinder: bool = True
    island: bool = False
    perturb_force: bool = False
    perturb_object: bool = True
    contact_point: bool = False
    contact_force: bool = False
    contact_split: bool = False
    friction_cone: bool = False
    contact_state: bool = False
    frame: str = FRAMES[0]
    label: str = LABELS[0]
    force_scale: float = 1.0
    bvh_depth: int = 1
    geom_group: list[bool] = field(default_factory=_first_groups)
    site_group: list[bool] = field(default_factory=_first_groups)
    joint_group: list[bool] = field(default_factory=_first_groups)
    tendon_group: list[bool] = field(default_factory=_first_groups)
    actuator_group: list[bool] = field(default_factory=_first_groups)
    skin_group: list[bool] = field(default_factory=_first_groups)


@dataclass
class Held:
    """A number that mouse or keyboard holds: its widget, what is asked for, the numbers there at first, how far the
    mouse went since."""

    key: str
    value: float
    start: tuple[float, ...] = ()
    pixels: float = 0.0
    typed: bool = False


@dataclass
class FilmOptions:
    """How the next video is made."""

    fps: int = 60
    gif: bool = False
    wall_time: bool = False
    panels: bool = False


@dataclass
class Fault:
    """Why a part of the window has failed, and whether the user has put the card about it away."""

    text: str
    dismissed: bool = False


# by the part: a name, or what draws it
Faults = dict[Hashable, Fault]


@dataclass
class ViewState:
    """The user's view of the run."""

    camera: OrbitCamera = field(default_factory=OrbitCamera)
    camera_id: int = FREE_CAMERA
    # the body that the free camera goes along with, or -1
    tracked: int = -1
    selection: Selection | None = None
    grasp: Grasp | None = None
    film: Film | None = None
    film_options: FilmOptions = field(default_factory=FilmOptions)
    options: VisualOptions = field(default_factory=VisualOptions)
    plots: Plots = field(default_factory=Plots)
    # panel -> how wide or high the user made it, and how it is now; and the window in which they are measured
    docked: dict[str, float] = field(default_factory=dict)
    measured: dict[str, float] = field(default_factory=dict)
    docked_in: tuple[float, float] = (0.0, 0.0)
    show_left: bool = True
    show_right: bool = True
    show_bottom: bool = False
    show_help: bool = False
    show_info: bool = False
    show_profiler: bool = False
    show_sensors: bool = False
    show_palette: bool = False
    show_gallery: bool = False
    # the card that arrow keys and mouse have chosen
    gallery_card: int = 0
    # the file dialog, while it is open
    browse: Browse | None = None
    # thumbnails that the gallery has read, by scene: textures of ImGui's
    pictures: dict[str, Any] = field(default_factory=dict)
    # settings that a script has made, for this time only
    passing: set[str] = field(default_factory=set)
    light_theme: bool = False
    # whether all keys of the table work, or only those that always do
    shortcuts: bool = True
    font_scale: float = 1.0
    # what is typed into the search fields of the options, of the visual settings, of the model tree and of the sensors
    search: str = ""
    visual_search: str = ""
    tree_search: str = ""
    sensor_search: str = ""
    # nodes of the model tree that were opened or, below the world, closed
    unfolded: set[tuple[str, int]] = field(default_factory=set)
    # the selection that the model tree has brought into sight
    tree_selection: Selection | None = None
    # the number that is being dragged or typed
    editing: Held | None = None
    # what is typed into the command palette, None before it has the keyboard; the entry that is chosen
    palette_text: str | None = None
    palette_row: int = 0
    # a panel that is asked to come to the front
    reveal: str = ""
    # the largest value that each type of sensor has shown
    sensor_scale: dict[int, float] = field(default_factory=dict)
    # whether the picture gets coarser where frames take long; and what is coarser now, or nothing
    adaptive: bool = True
    quality_note: str = ""
    # what the parts of a frame cost, s
    frame_seconds: dict[str, float] = field(default_factory=dict)
    # the camera is asked to fly to the selection; and where it is flying to
    fly: bool = False
    flight: Flight | None = None
    fps: float = 0.0
    # what was said last, and when it goes: on the clock of time.monotonic, never if it lasts
    message: str = ""
    message_end: float = np.inf
    # another selection than before was made: the status line is to name it
    named_anew: bool = False
    # a file of the program that is newer than what runs; empty if there is none, or the user knows
    changed_source: str = ""
    # parts of the window that have failed and are left out
    faults: Faults = field(default_factory=dict)
    # whether a script has added geoms to the picture
    extra: bool = False

    def current_view(self, model: Any, state: Any) -> View:
        """The pose of the eye: that of the free camera or of one of the model's."""
        if 0 <= self.camera_id < model.ncam:
            return model_camera_view(model, state, self.camera_id)
        view = self.camera.view(model)
        # a script may have put it where something exploded
        sound = np.isfinite(view.eye).all() and np.isfinite(view.axes).all() and 0 < view.fovy < np.inf
        return view if sound else start_camera(model).view(model)

    def align(self, model: Any, state: Any) -> None:
        """Look at the whole model, as when it was opened, wherever it has gone."""
        self.camera, self.camera_id = whole_model(model, state), FREE_CAMERA
        self.tracked, self.flight = -1, None

    def select(self, kind: str, index: int, fly: bool = False) -> None:
        """Select an element; `fly` asks the camera to look at it."""
        chosen = Selection(kind, index)
        self.named_anew |= chosen != self.selection
        self.selection, self.fly = chosen, fly
        self.reveal = "Inspector"

    def deselect(self) -> None:
        """Select nothing."""
        self.named_anew |= self.selection is not None
        self.selection = None

    def say(self, text: str, lasting: bool = False) -> None:
        """Words for the status line, for a while or until there is something else to say."""
        self.message, self.message_end = text, np.inf if lasting else time.monotonic() + MESSAGE_SECONDS

    def hush(self, now: float) -> bool:
        """Let go of a message that has been read; says whether there was one."""
        over = bool(self.message) and now > self.message_end
        if over:
            self.message = ""
        return over
