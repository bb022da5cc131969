"""The viewport: ghosts; arrows of instruments show through bodies; a video of the view has no outline."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np

from app.model.views import StateView
from app.render.capture.recording import RecordingOptions, VideoRecording
from app.run.history.timeline import BranchView, Timeline
from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.scene.camera import OrbitCamera
from app.scene.decor.user_geoms import ARROW, UserGeom
from app.scene.ghost import Ghost
from app.view.view_state import ViewState
from app.viewport import Viewport, ghosts_of
from tests.app.conftest import Views, world

SIZE = (160, 120)
BALL = world("<body><freejoint/><geom size='.5' rgba='.3 .3 .3 1'/></body>")


def test_the_ghost_of_a_branch_is_drawn_beside_that_of_an_instrument() -> None:
    here, there = StateView({}), StateView({})
    branches = BranchView(0, last=9), BranchView(1, 0, 5, 9, colour=1)
    run, view = RunState(history=Timeline(branches, 0, 9, ghost=1)), ViewState()
    view.instruments.ghost = Ghost(here, (1.0, 1.0, 1.0))
    assert [ghost.state for ghost in ghosts_of(Snapshot(1, run, ghost=there), view)] == [here, there]


def test_arrows_of_instruments_show_through_bodies(gl: moderngl.Context, views: Views) -> None:
    model, state = views(BALL)
    viewport, view = Viewport(gl), ViewState()
    view.camera = OrbitCamera(np.zeros(3), 3.0, 90.0, 0.0)
    # inside of the ball
    arrow = UserGeom.between(ARROW, 0.05, (0, 0, -0.3), (0, 0, 0.3), (1, 0, 0, 1))

    def picture(of_script: tuple[UserGeom, ...] = (), of_instruments: tuple[UserGeom, ...] = ()) -> np.ndarray:
        view.instruments.begin(model, view.instruments.answers)
        for geom in of_instruments:
            view.instruments.draw(geom)
        view.instruments.end()
        return viewport.image(Snapshot(1, RunState(), model, state), view, of_script, SIZE).astype(int)

    plain = picture()
    assert (picture(of_script=(arrow,)) == plain).all()
    redder = (picture(of_instruments=(arrow,)) - plain)[..., 0]
    middle = SIZE[1] // 2, SIZE[0] // 2
    assert redder[middle] > 20
    assert (picture() == plain).all()
    viewport.release()


def test_a_video_of_the_view_has_no_outline(gl: moderngl.Context, views: Views, tmp_path: Path) -> None:
    model, state = views(BALL)
    viewport, view, snapshot = Viewport(gl), ViewState(), Snapshot(1, RunState(), model, state)
    view.camera = OrbitCamera(np.zeros(3), 3.0, 90.0, 0.0)
    plain = viewport.image(snapshot, view, (), SIZE)
    view.select("body", 1)
    outlined = viewport.image(snapshot, view, (), SIZE)
    assert (outlined != plain).any()
    for panels, picture in ((False, plain), (True, outlined)):
        view.recording = VideoRecording(tmp_path / "a.mp4", SIZE, RecordingOptions(panels=panels))
        assert (viewport.image(snapshot, view, (), SIZE) == picture).all()
        assert "of simulated time" in view.recording.described
        view.recording.finish()
    viewport.release()
