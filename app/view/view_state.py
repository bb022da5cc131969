"""The user's view of the run: camera, selection, options, recording. It belongs to the GUI thread alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

import numpy as np

from app.background.export.dialog_state import ExportDialog
from app.model.element_keys import same_elements
from app.model.selection import Selection
from app.model.views import ModelView, StateView
from app.render.capture.frame_size import MAX_LENGTH
from app.render.capture.range_film import RangeFilm
from app.render.capture.recording import RecordingOptions, VideoRecording
from app.scene.camera import (
    FREE_CAMERA,
    Flight,
    OrbitCamera,
    View,
    ZoomAnchor,
    default_free_camera,
    model_camera_view,
    nearest_body,
    overview_camera,
)
from app.scene.sight import Sight
from app.scene.visual_options import VisualOptions
from app.view.asking import Instruments
from app.view.build_state import Building
from app.view.feedback import Feedback
from app.view.plots import Plots
from app.view.preferences import Preferences
from app.view.timeline_view import TimelineView
from app.view.ui_state import UiState
from sim.analysis.element_names import described

if TYPE_CHECKING:
    from app.view.perturb_drag import PerturbDrag

S = TypeVar("S")


@runtime_checkable
class Follower(Protocol):
    """What an instrument keeps, if it names elements of the model."""

    def follow_elements(self, found: Callable[[str, int], int]) -> None:
        """The model's file has changed: `found` gives the new index of an element of a kind, -1 if it is gone."""


@dataclass(eq=False)
class ViewState:
    """Camera, selection and options, with the preferences, the state of the panels, and feedback."""

    camera: OrbitCamera = field(default_factory=OrbitCamera)
    camera_id: int = FREE_CAMERA
    # the body that the free camera tracks, or -1
    tracked: int = -1
    # request for the camera to fly to the selection, and its flight
    fly: bool = False
    flight: Flight | None = None
    # factor of the speed with which keys fly, and the point to which the wheel zooms
    flight_speed: float = 1.0
    zoom_anchor: ZoomAnchor | None = None
    sight: Sight = field(default_factory=Sight)
    selection: Selection | None = None
    perturb: PerturbDrag | None = None
    options: VisualOptions = field(default_factory=VisualOptions)
    plots: Plots = field(default_factory=Plots)
    timeline: TimelineView = field(default_factory=TimelineView)
    instruments: Instruments = field(default_factory=Instruments)
    # a video of what is shown, or a film of the past, that is being made
    recording: VideoRecording | None = None
    film: RangeFilm | None = None
    recording_options: RecordingOptions = field(default_factory=RecordingOptions)
    # an export of the moment that is asked for, and the kind of one that something has asked for
    export: ExportDialog | None = None
    export_wanted: str = ""
    # the size of the view on the screen, and the longest side of an image that the GPU can draw, pixels
    shown_size: tuple[int, int] = (0, 0)
    largest_image: int = MAX_LENGTH
    gpu: str = ""
    # how the next model opens: input/opening.py
    opening: Callable[..., None] | None = None
    has_user_geoms: bool = False
    prefs: Preferences = field(default_factory=Preferences)
    # preferences that a script has set, not to be saved
    unsaved: set[str] = field(default_factory=set)
    ui: UiState = field(default_factory=UiState)
    feedback: Feedback = field(default_factory=Feedback)
    # what instruments keep between frames, by type
    _states: dict[type, Any] = field(default_factory=dict)

    def of(self, kind: type[S]) -> S:
        """What an instrument keeps between frames, begun when it is first asked for."""
        if kind not in self._states:
            self._states[kind] = kind()
        found: S = self._states[kind]
        return found

    @property
    def video(self) -> VideoRecording | None:
        """The video or film that is being made."""
        return self.film.recording if self.film is not None else self.recording

    @property
    def asks(self) -> bool:
        """Whether a dialog waits for an answer: until then keys are for it alone."""
        saves = self.ui.saving is not None and self.ui.saving.shown
        exports = self.export is not None and self.export.shown
        builds = self.of(Building).question is not None
        return builds or self.ui.leaving is not None or self.ui.browse is not None or saves or exports

    @property
    def outlined(self) -> Selection | None:
        """The selection, unless a video of the view alone is being made: that shows the model only."""
        return None if self.video is not None and not self.video.options.panels else self.selection

    def current_view(self, model: ModelView, state: StateView) -> View:
        """The pose of the camera: the free one or one of the model's."""
        return self.view_of(model, state, self.camera_id)

    def view_of(self, model: ModelView, state: StateView, camera_id: int) -> View:
        """The pose of a camera of the model, or of the free one."""
        if 0 <= camera_id < model.ncam:
            return model_camera_view(model, state, camera_id)
        view = self.camera.view(model)
        # a script may have set it from a state that has diverged
        sound = np.isfinite(view.eye).all() and np.isfinite(view.axes).all() and 0 < view.fovy < np.inf
        return view if sound else default_free_camera(model).view(model)

    def follow_file(self, before: ModelView, after: ModelView) -> None:
        """The model's file has changed: keep the selection, cameras and the unfolded tree by the keys of elements."""
        same = {kind: indices.tolist() for kind, indices in same_elements(before, after).items()}

        def found(kind: str, index: int) -> int:
            # contacts and islands have no keys; -1 is none
            places = same.get(kind, [])
            return places.index(index) if index >= 0 and index in places else -1

        if self.selection is not None:
            index = found(self.selection.kind, self.selection.index)
            self.selection = Selection(self.selection.kind, index) if index >= 0 else None
        self.tracked, self.camera_id = found("body", self.tracked), found("camera", self.camera_id)
        for state in self._states.values():
            if isinstance(state, Follower):
                state.follow_elements(found)
        # headings have no index
        rows = {(kind, index): index if index < 0 else found(kind, index) for kind, index in self.ui.unfolded}
        self.ui.unfolded = {(kind, now) for (kind, was), now in rows.items() if was < 0 or now >= 0}
        self.camera.update_projection(before, after)

    def align(self, model: ModelView, state: StateView) -> None:
        """Look at the whole model as when it was opened, wherever it has moved."""
        self.camera, self.camera_id = overview_camera(model, state), FREE_CAMERA
        self.tracked, self.flight = -1, None
        if not np.array_equal(self.camera.lookat, model.stat.center):
            # it has left the place where it was, and would leave the view again
            self.tracked = nearest_body(model, state, self.camera.lookat)
            # that body may not be the middle of the model, all of which is to be seen
            aside = float(np.linalg.norm(state.xipos[self.tracked] - self.camera.lookat))
            self.camera.distance *= 1 + min(2 * aside / float(model.stat.extent), 1.0)
            name = described(model, "body", self.tracked)
            self.feedback.show_message(f"tracking {name}, which has moved away; Escape stops it")

    def select(self, kind: str, index: int, fly: bool = False, stay: bool = False) -> None:
        """Select an element; `fly` asks the camera to look at it, `stay` keeps the inspector where it is.

        Instruments stay: the inspector would cover the panel that was clicked.
        """
        chosen = Selection(kind, index)
        self.feedback.announce_selection |= chosen != self.selection
        self.selection, self.fly = chosen, fly
        # the microscope, where it is open, is about the contact that is selected
        in_sight = kind == "contact" and "Contact" in self.prefs.instruments
        self.ui.reveal = "" if stay else "Contact" if in_sight else "Inspector"

    def show_bottom(self, panel: str) -> None:
        """Bring a panel of the bottom side to the front."""
        self.prefs.show_bottom, self.ui.reveal = True, panel

    def plot(self, *expressions: str) -> None:
        """Add expressions to Plots, and show them."""
        for expression in expressions:
            self.plots.add(expression)
        self.show_bottom("Plots")

    def deselect(self) -> None:
        """Select nothing."""
        self.feedback.announce_selection |= self.selection is not None
        self.selection = None
