"""Quality: pictures that stay are not drawn again, those that move get coarser where frames take long."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock, PropertyMock

import moderngl
import numpy as np
import pytest
from imgui_bundle import imgui
from PIL import Image

import sim
from app.application import Application
from app.model.views import ModelView, StateView
from app.render.capture.recorder import CaptureOptions, OffscreenRun, render_image
from app.render.device import GpuTimer, RenderTexture
from app.render.quality import (
    FAST,
    FAST_FRAMES,
    FINE,
    PRESETS,
    QUICK,
    SLOW,
    SLOW_FRAMES,
    SLOW_SECONDS,
    AdaptiveQuality,
    deep_equal,
)
from app.render.renderer import STILL_FRAMES, Renderer
from app.scene.camera import OrbitCamera, View
from app.scene.instances import Batch
from app.scene.scene import Scene
from app.scene.visual_options import VisualOptions
from app.view.feedback import Feedback
from app.view.script.layer import ScriptLayer
from app.view.view_state import ViewState
from app.viewport import Viewport
from app.window.panels.rendering import rendering_panel
from tests.app.conftest import Views, world
from tests.app.gui_driver import Gui

SIZE = (160, 120)
BALL = "<geom type='plane' size='0 0 1' rgba='.6 .6 .6 1'/><geom size='.3' pos='{} 0 .5' rgba='1 .1 .1 1'/>"


class Easel:
    """A renderer that is asked for one picture after the other."""

    def __init__(self, gl: moderngl.Context, views: Views) -> None:
        self.gl, self.views = gl, views
        self.renderer, self.picture = Renderer(gl), RenderTexture(gl, SIZE)
        self._shown: dict[float, tuple[ModelView, StateView]] = {}

    def draw(self, preset: int, place: float = 0.0, azimuth: float = 90.0) -> bool:
        """A ball somewhere, seen from somewhere; returns whether that is another picture than before."""
        if place not in self._shown:
            self._shown[place] = self.views(world(BALL.format(place)))
        model, state = self._shown[place]
        camera = OrbitCamera(np.array([0.0, 0.0, 0.4]), 3.0, azimuth, -25.0)
        view = View(camera.eye(), camera.axes(), 45.0, 0.01, 100.0)
        scene = Scene(model, VisualOptions()).draw_list(state, view.eye)
        changed = self.renderer.draw(model, scene, view, self.picture.framebuffer, (0, 0, *SIZE), preset)
        assert self.gl.error == "GL_NO_ERROR"
        return changed

    def pixels(self) -> Any:
        return self.picture.pixels().astype(int)


@pytest.fixture
def easel(gl: moderngl.Context, views: Views) -> Iterator[Easel]:
    """A renderer with its quality presets."""
    made = Easel(gl, views)
    yield made
    made.picture.release()
    made.renderer.release()


def counted(monkeypatch: pytest.MonkeyPatch, name: str) -> list[int]:
    """A list that grows by one with each call of a method of the renderer."""
    calls: list[int] = []
    method = getattr(Renderer, name)

    def count(*given: Any) -> None:
        calls.append(1)
        method(*given)

    monkeypatch.setattr(Renderer, name, count)
    return calls


def test_what_stays_is_not_drawn_again(easel: Easel, monkeypatch: pytest.MonkeyPatch) -> None:
    passes = counted(monkeypatch, "_draw_frame")
    assert easel.draw(0)
    first = easel.pixels()
    easel.picture.framebuffer.clear()
    assert not easel.draw(0)
    assert len(passes) == 1
    assert (easel.pixels() == first).all()
    assert easel.draw(0, azimuth=91.0)
    assert easel.draw(0, azimuth=91.0, place=0.1)
    assert len(passes) == 3


def test_shadows_stay_while_only_the_eye_moves(easel: Easel, monkeypatch: pytest.MonkeyPatch) -> None:
    passes = counted(monkeypatch, "_cast_shadows")
    easel.draw(0)
    easel.draw(0, azimuth=92.0)
    assert len(passes) == 1
    kept = easel.pixels()
    easel.draw(0, place=0.5)
    assert len(passes) == 2
    easel.draw(0, azimuth=92.0)
    assert len(passes) == 3
    assert (easel.pixels() == kept).all()


def test_coarse_while_it_moves_and_fine_when_it_stays(easel: Easel) -> None:
    easel.draw(0)
    fine = easel.pixels()
    lowest = len(easel.renderer.presets) - 1
    easel.draw(lowest, azimuth=95.0)
    assert not easel.renderer.at_best_quality
    easel.draw(lowest)
    coarse = easel.pixels()
    # the same picture, at half the resolution
    assert np.abs(coarse - fine).max() > 30
    assert np.abs(coarse - fine).mean() < 4
    finished = []
    for _ in range(STILL_FRAMES):
        assert not easel.draw(lowest)
        finished.append(easel.renderer.at_best_quality)
    assert finished.index(True) == STILL_FRAMES - 1
    assert (easel.pixels() == fine).all()


def test_a_part_of_the_target_at_every_rung(easel: Easel) -> None:
    for preset in range(len(easel.renderer.presets)):
        easel.draw(0, azimuth=80.0)
        easel.picture.framebuffer.clear()
        model, state = easel.views(world("<geom size='.5' rgba='1 0 0 1'/>"))
        camera = OrbitCamera(np.zeros(3), 3.0, 90.0, 0.0)
        view = View(camera.eye(), camera.axes(), 45.0, 0.01, 100.0)
        scene = Scene(model, VisualOptions()).draw_list(state, view.eye)
        easel.renderer.draw(model, scene, view, easel.picture.framebuffer, (80, 0, 80, 60), preset)
        pixels = easel.pixels()
        rows, columns = np.nonzero(pixels[:, :, 0] > pixels[:, :, 1:].max(axis=2) + 40)
        assert pixels[:60].max() == 0
        assert (rows.mean(), columns.mean()) == pytest.approx((90, 120), abs=2)


def test_quality_goes_down_when_slow_and_up_when_fast() -> None:
    adaptive = AdaptiveQuality(3)
    for expected in (1, 2, 2):
        for _ in range(math.ceil(SLOW_SECONDS / (2 * SLOW))):
            adaptive.add_frame(2 * SLOW)
        assert adaptive.preset == expected
    # neither slow nor fast: all stays
    for _ in range(3 * FAST_FRAMES):
        adaptive.add_frame((SLOW + FAST) / 2)
    assert adaptive.preset == 2
    for expected in (1, 0, 0):
        for _ in range(2 * FAST_FRAMES):
            if adaptive.preset > expected:
                adaptive.add_frame(FAST / 2)
        assert adaptive.preset == expected


def test_quality_is_quick_where_frames_are_very_slow() -> None:
    adaptive = AdaptiveQuality(3)
    for _ in range(SLOW_FRAMES):
        assert adaptive.preset == 0
        adaptive.add_frame(1.0)
    assert adaptive.preset == 1


def test_a_single_slow_frame_is_forgiven() -> None:
    adaptive = AdaptiveQuality(3)
    for k in range(100):
        adaptive.add_frame(10 * SLOW if k % 5 == 0 else FAST)
        assert adaptive.preset == 0


@pytest.mark.parametrize(("on_device", "work"), [(0.0, 0.01), (0.03, 0.03)])
def test_the_wait_for_the_screen_is_no_work(
    gui: Gui, monkeypatch: pytest.MonkeyPatch, on_device: float, work: float
) -> None:
    now = 0.0

    def spend(seconds: float) -> bool:
        nonlocal now
        now += seconds
        return True

    app = MagicMock()
    app.window.get_framebuffer_size.return_value = (10, 10)
    app.window.closed, app._turn.return_value = False, False
    type(app._clock).worked = PropertyMock(side_effect=lambda: now)
    app._draw_view.side_effect = lambda *_: spend(0.01)
    app.window.flip.side_effect = lambda: spend(1.0)
    viewport: Any = SimpleNamespace(gpu_timer=MagicMock(seconds=on_device), _adaptive=MagicMock())
    app._viewport.gpu_timer = viewport.gpu_timer
    app._viewport.adapt = partial(Viewport.adapt, viewport)
    monkeypatch.setattr("app.application.time", SimpleNamespace(perf_counter=lambda: now))
    for name in ("imgui", "imgui_context", "recording.capture_frame", "_save_layout"):
        monkeypatch.setattr(f"app.application.{name}", MagicMock())
    Application._frame(app)
    viewport._adaptive.add_frame.assert_called_once_with(pytest.approx(work))


def test_the_timer_sees_what_the_device_does(gl: moderngl.Context) -> None:
    timer, picture = GpuTimer(gl), RenderTexture(gl, (512, 512))
    assert timer.seconds == 0
    # a lap is known one lap later
    for known in (False, True):
        with timer:
            picture.framebuffer.clear(1.0)
        timer.commit()
        assert (timer.seconds > 0) is known
    before = timer.seconds
    # one that shows nothing new does not count
    with timer:
        pass
    assert timer.seconds == before
    picture.release()


def test_each_rung_is_coarser() -> None:
    for above, below in pairwise(PRESETS):
        assert (below.samples, below.scale, below.shadow_size) < (above.samples, above.scale, above.shadow_size)


def test_films_and_those_who_ask_get_the_best() -> None:
    view = ViewState()
    adaptive, renderer = SimpleNamespace(preset=2), SimpleNamespace(presets=PRESETS)
    viewport: Any = SimpleNamespace(_adaptive=adaptive, _renderer=renderer)
    assert Viewport.preset(viewport, view) == 2
    assert str(PRESETS[2]) == view.feedback.quality_note
    view.recording = SimpleNamespace()  # type: ignore[assignment]
    assert Viewport.preset(viewport, view) == 0
    assert not view.feedback.quality_note
    view.recording, view.prefs.adaptive = None, False
    assert Viewport.preset(viewport, view) == 0


def test_frames_come_until_the_picture_is_fine() -> None:
    latest = SimpleNamespace(serial=1, run=SimpleNamespace(progress=None))
    app: Any = SimpleNamespace(
        _simulation=SimpleNamespace(latest=latest, endless_seconds=0.0), view=ViewState(),
        window=SimpleNamespace(events=1, busy=False, visible=True, hidden=False), _trailing=0,
        _viewport=SimpleNamespace(refining=True, pictures_due=lambda *_, **__: False),
        _drawn_serial=1, _drawn_events=1, sessions=None,
        _background=SimpleNamespace(news=lambda _: False), _script_layer=ScriptLayer(),
    )  # fmt: skip
    assert Application._needs_frame(app)
    app._viewport.refining, app._trailing = False, 0
    assert not Application._needs_frame(app)


def test_a_single_picture_takes_its_time(tmp_path: Path) -> None:
    model = tmp_path / "ball.xml"
    model.write_text(f"<mujoco>{world(BALL.format(0))}</mujoco>")
    shot = CaptureOptions(SIZE)
    render_image(sim, model, tmp_path / "ball.png", shot)
    with OffscreenRun(sim, model, shot, FINE) as run:
        fine = run.capture()
    assert (np.asarray(Image.open(tmp_path / "ball.png")) == fine).all()
    with OffscreenRun(sim, model, shot, QUICK) as run:
        assert (run.capture() != fine).any()


def test_panel_says_what_is_coarser(gui: Gui) -> None:
    view = ViewState(feedback=Feedback(quality_note="70% resolution"))

    def draw() -> None:
        imgui.set_next_window_pos((0, 0))
        imgui.set_next_window_size((400, 850))
        imgui.begin("Rendering")
        rendering_panel(view)
        imgui.end()

    gui.frame(draw, 2)
    assert "now: 70% resolution" in gui.texts
    gui.click(draw, "Adaptive quality")
    assert not view.prefs.adaptive


def test_same() -> None:
    rows = np.arange(6, dtype=np.float32)
    one = Batch("box", 1, rows)
    assert deep_equal(one, Batch("box", 1, rows.copy()))
    assert not deep_equal(one, Batch("box", 1, rows + 1))
    assert not deep_equal(one, Batch("box", 2, rows))
    assert deep_equal(({"a": (one, None)},), ({"a": (one, None)},))
    assert not deep_equal({"a": one}, {"b": one})
    assert not deep_equal((one,), (one, one))
    assert not deep_equal(1, 1.0)
