"""The viewer from a script: a passive one beside the script's own loop, with a real window under Xvfb."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui
from PIL import Image

import sim
from app.run import commands as cmd
from app.run.passive import PassiveSimulation
from app.run.publisher import DISPLAY_INTERVAL
from app.run.sim_thread import SimThread
from app.run.snapshot import Snapshot
from app.run.step_clock import MAX_LAG, MIN_CHUNK
from sim.engine import Engine
from tests.app.run.test_sim_thread import wait_for
from tests.app.script_child import BALL
from tests.app.window_child import SETTLING_BEATS
from tests.app.window_driver import ROOT, TURNS, ask, last_words, x_server
from tests.patience import PATIENCE


class Script:
    """The process, and a hand on its mouse and keyboard."""

    def __init__(self, display: str, home: Path) -> None:
        sim.prepare(sim.loads(BALL))
        # from where it is looked at in the beginning: azimuth and distance
        self.start: list[float] = []
        self._env = {**os.environ, "DISPLAY": display, "XDG_CONFIG_HOME": str(home), "PYTHONPATH": str(ROOT)}
        command = [sys.executable, str(Path(__file__).with_name("script_child.py"))]
        self.process = subprocess.Popen(
            command, env=self._env, cwd=home, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, expression: str) -> Any:
        """The value of an expression in the script."""
        return json.loads(ask(self.process, expression))

    def wait(self, expression: str, condition: Callable[[Any], bool] = bool) -> Any:
        """The first value that meets the condition."""
        for _ in range(TURNS):
            if condition(value := self.ask(expression)):
                return value
        raise AssertionError(f"{expression} stayed {value}")

    def do(self, *words: object) -> None:
        """One call of xdotool, and the turns in which the viewer takes it in."""
        subprocess.run(["xdotool", *map(str, words)], env=self._env, check=True, timeout=PATIENCE)
        self.ask(f"turns({SETTLING_BEATS})")

    def frames(self, count: int = 3) -> None:
        """Some more frames are drawn."""
        before = self.ask("seen.frames")
        self.wait("seen.frames", lambda now: now > before + count)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Script]:
    """A script for all tests here."""
    with x_server() as display:
        running = Script(display, tmp_path_factory.mktemp("home"))
        running.wait("v.is_running() and seen.frames > 5")
        running.start = running.ask("[v.cam.azimuth, v.cam.distance]")
        yield running
        out = last_words(running.process, "close\n")
        # a second viewer of the same process came and went too, and one that blocks until it is closed
        assert out == "closed False False\nreturned True\n"
        assert running.process.returncode == 0


@pytest.fixture
def script(shared: Script) -> Script:
    """A script that runs, with a ball at rest in the middle of the view and nothing selected."""
    shared.ask("start_over(v, m, seen)")
    shared.do("mousemove", 400, 400)
    return shared


@pytest.mark.window
def test_script_steps_and_the_window_follows(script: Script) -> None:
    steps = script.ask("seen.steps")
    script.wait("seen.steps", lambda now: now > steps)
    assert script.wait("v._simulation.latest.run.time") > 0
    assert script.ask("v._simulation.latest.run.problem is None")
    # its panels are drawn on the viewer's thread
    assert script.ask("sorted(seen.threads)") == ["viewer"]
    # what it plots is in the panel of plots, which has come to the front
    assert script.wait("len(v.view.plots.script['speed'].lines[-1])", lambda count: count > 1)
    assert script.ask("v.view.prefs.show_bottom and 'show_bottom' in v.view.unsaved")
    # it is seen from the start view of its model, but for what the script has set
    assert script.start == [90, 2.5]
    assert script.ask("v.opt.shadow")


@pytest.mark.window
def test_a_picture_that_cannot_be_drawn_is_left_out_until_it_can(script: Script) -> None:
    script.ask("Kept.swap(viewer.Application, 'draw_view', lambda *_: 1 / 0)")
    assert "ZeroDivisionError" in script.wait("v.view.feedback.faults and v.view.feedback.faults['The view'].text")
    frames = script.ask("seen.frames")
    script.wait("seen.frames", lambda now: now > frames + 3)
    script.ask("Kept.back()")
    # with other options it is tried again
    script.ask("setattr(v.opt, 'fog', True)")
    script.wait("not v.view.feedback.faults")
    script.ask("setattr(v.opt, 'fog', False)")


@pytest.mark.window
def test_what_is_wrong_in_an_action_does_not_close_the_window(script: Script) -> None:
    script.ask("Kept.swap(viewer.Application, 'screenshot', lambda *_: 1 / 0)")
    script.ask("v._application.act(bindings.actions.screenshot)")
    assert script.wait("v.view.feedback.message").startswith("That did not work: ZeroDivisionError")
    script.ask("Kept.back()")
    script.ask("v.view.feedback.faults.clear()")


@pytest.mark.window
def test_what_is_wrong_in_the_script_does_not_close_the_window(script: Script) -> None:
    # a panel that failed says so instead of being drawn again, and its neighbour is drawn as before
    script.ask("v.panels.update(Broken=broken_panel)")
    script.wait("len(v._script_layer.faults) == 1")
    script.frames()
    # one that leaves something open is closed for it
    script.ask("v.panels.update(Careless=lambda: imgui.begin_child('left open') and None)")
    script.ask("v.texts.update(number=3.5)")
    script.frames()
    assert script.ask("v.is_running() and v._application.context.error") == "GL_NO_ERROR"
    script.ask("setattr(v._script_layer, 'key', lambda code: 1 / 0)")
    script.do("key", "9")
    script.wait("v.view.feedback.message", lambda text: text == "key_callback failed: division by zero")


@pytest.mark.window
def test_the_script_sees_and_sets_the_selection(script: Script) -> None:
    script.ask("setattr(v.perturb, 'select', 1)")
    script.wait("v.perturb.select", lambda body: body == 1)
    assert not script.ask("v.perturb.active")
    script.ask("setattr(v.perturb, 'select', 0)")
    script.wait("v.perturb.select", lambda body: body == 0)
    assert script.ask("v.viewport.width") > 100
    assert script.ask("v.m is m and v.d is d")


@pytest.mark.window
def test_the_script_chooses_the_camera(script: Script) -> None:
    script.ask("v.track('ball')")
    script.wait("v.cam.lookat", lambda place: place == script.ask("v._application.snapshot.state.xipos[1]"))
    assert script.ask("v.view.tracked") == 1
    script.ask("v.look_through('side')")
    script.wait("v._application.current_view().fovy == 30")
    script.ask("v.look_through(None) or v.track(None)")
    assert script.ask("(v.view.camera_id, v.view.tracked)") == [-1, -1]
    # what is not there is said to the script, and the window stays open
    for wrong, said in (
        ("v.track('club')", "no body is named 'club'"),
        ("v.look_through(5)", "camera 5: there are 1"),
        ("setattr(v.perturb, 'select', 9)", "body id 9 is out of range: the model has 2 bodies"),
        ("v.user_scn", "a passive viewer has no 'user_scn': use the list `geoms`"),
        ("v.nonsense", "a passive viewer has no 'nonsense'"),
    ):
        assert said in script.ask(f"complaint(lambda: {wrong})")
    script.ask("v.cam.lookat.fill(float('nan'))")
    script.frames()


@pytest.mark.window
def test_what_the_script_changes_in_its_model_is_shown(script: Script) -> None:
    script.ask("m.geom_rgba.__setitem__(0, (0, 1, 0, 1))")
    script.wait("v._application.snapshot.model.geom_rgba[0]", lambda colour: colour == [0, 1, 0, 1])


@pytest.mark.window
def test_geoms_of_the_script_are_drawn(script: Script) -> None:
    script.do("key", "ctrl+p")
    message = script.wait("v._application.view.feedback.message", lambda text: text.endswith(".png"))
    with Image.open(message.removeprefix("saved ")) as picture:
        red, green, blue = np.moveaxis(np.asarray(picture.convert("RGB")).astype(int), 2, 0)
    assert (red > 2 * np.maximum(green, blue) + 40).sum() > 50


@pytest.mark.window
def test_keys_reach_the_script_and_pause_it(script: Script) -> None:
    script.do("key", "x")
    script.wait("seen.keys", lambda keys: ord("X") in keys)
    script.do("key", "space")
    script.wait("v._simulation.latest.run.paused")
    # `sync` does not return
    steps = script.ask("seen.steps")
    script.ask("turns(20)")
    assert script.ask("seen.steps") == steps
    # one step at a time, forward and back
    script.do("key", "Right")
    script.wait("seen.steps", lambda now: now == steps + 1)
    shown = script.wait("v._simulation.latest.run.steps")
    script.do("key", "Left")
    script.wait("v._simulation.latest.run.steps", lambda now: now == shown - 1)
    script.do("key", "space")
    script.wait("seen.steps", lambda now: now > steps + 5)
    assert script.ask("seen.keys[-1]") == ord(" ")


@pytest.mark.window
def test_mouse_pulls_and_lets_go(script: Script) -> None:
    x, y, width, height = script.ask("[getattr(v._application.rect, n) for n in ('x', 'y', 'width', 'height')]")
    middle = int(x + width / 2), int(y + height / 2)
    script.do("mousemove", *middle)
    script.do("click", "--repeat", 2, "--delay", 0, 1)
    script.wait("v._application.view.perturb is not None")
    script.do("keydown", "ctrl", "mousedown", 3)
    script.do("mousemove", middle[0], middle[1] - 60)
    script.wait("int(d.perturb.active)", lambda active: active > 0)
    script.wait("d.qpos[2]", lambda height: height > 0.02)
    script.do("mouseup", 3, "keyup", "ctrl")
    script.wait("int(d.perturb.active)", lambda active: active == 0)


# what `passive` has made; a test leaves nothing behind that listens to warnings
MADE: list[PassiveSimulation] = []


@pytest.fixture(autouse=True)
def released() -> Iterator[None]:
    """Simulations leave the interpreter as it was."""
    yield
    while MADE:
        MADE.pop().release()


def passive(xml: str = BALL, realtime: bool = False) -> tuple[PassiveSimulation, Any, Any]:
    """A passive simulation without a window, ready."""
    m = sim.loads(xml)
    d = sim.Data(m)
    engine: Engine = sim
    simulation = PassiveSimulation(engine, m, d, realtime)
    MADE.append(simulation)
    # the window opens with the model in it
    assert simulation.latest.model is not None
    show(simulation, lambda s: s.run.ready)
    return simulation, m, d


def test_commands_are_carried_out_between_the_steps_of_the_script() -> None:
    simulation, m, d = passive()
    for _ in range(5):
        sim.step(m, d)
    simulation.send(cmd.SetField("opt.timestep", 0.005))
    simulation.sync()
    assert m.opt.timestep == 0.005
    simulation.send(cmd.Perturb(cmd.Perturbation(1, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))))
    simulation.sync()
    assert d.perturb.active
    sim.step(m, d)
    assert d.perturb.xfrc[2] > 0
    simulation.send(cmd.Perturb())
    simulation.sync()
    assert not d.perturb.active
    simulation.send(cmd.Reset())
    simulation.sync()
    assert d.time == 0


def show(simulation: PassiveSimulation, condition: Callable[[Snapshot], bool], **options: bool) -> Snapshot:
    """Sync until what is shown meets a condition."""
    end = time.monotonic() + PATIENCE
    while not condition(simulation.latest):
        assert time.monotonic() < end, simulation.latest.run
        simulation.sync(**options)
        time.sleep(0.002)
    return simulation.latest


def test_the_script_sets_the_pace() -> None:
    simulation, _, _ = passive()
    assert not simulation.latest.run.paced


def test_a_step_does_not_cost_the_sleep_of_the_script() -> None:
    simulation, model, data = passive()
    for _ in range(10):
        sim.step(model, data)
        time.sleep(DISPLAY_INTERVAL)
        simulation.sync()
    assert 0 < simulation.live.clock.median_seconds < 0.5 * DISPLAY_INTERVAL


@pytest.mark.parametrize("speed", [1.0, 0.25])
def test_in_real_time_the_script_is_never_ahead_of_the_clock(speed: float) -> None:
    simulation, m, d = passive(realtime=True)
    assert simulation.latest.run.paced
    simulation.send(cmd.SetSpeed(speed))
    simulation.sync()
    start, began = d.time, time.perf_counter()
    for _ in range(int(300 * speed)):
        sim.step(m, d)
        simulation.sync()
    # but for what it may make up for after a delay
    seconds = time.perf_counter() - began + MAX_LAG + MIN_CHUNK
    assert d.time - start <= seconds * speed + m.opt.timestep


def test_a_script_held_back_by_the_clock_can_be_paused_and_closed() -> None:
    simulation, m, d = passive(realtime=True)
    simulation.send(cmd.SetSpeed(1 / 64))
    simulation.sync()
    # years ahead
    m.opt.timestep = 1e6
    sim.step(m, d, 250)
    threading.Timer(0.2, simulation.send, [cmd.Quit()]).start()
    simulation.sync()


def test_files_are_for_other_viewers() -> None:
    simulation, m, _ = passive()
    for command in (cmd.LoadModel("other.xml"), cmd.Reload()):
        simulation.send(command)
        shown = show(simulation, lambda s: s.run.problem is not None)
        assert shown.run.problem is not None
        assert "model of a script" in shown.run.problem.title
        assert simulation.live.model is m
        simulation.send(cmd.DismissProblem())
        show(simulation, lambda s: s.run.problem is None)


def test_changes_of_the_model_are_shown_unless_only_the_state_is_wanted() -> None:
    simulation, m, _ = passive()
    before: Any = simulation.latest.model
    m.geom_rgba[0], m.opt.gravity[2], m.vis.global_.fovy = (1, 0, 0, 1), -3.0, 30.0
    serial = simulation.latest.serial
    unchanged: Any = show(simulation, lambda s: s.serial > serial + 12, state_only=True).model
    assert unchanged is before
    after: Any = show(simulation, lambda s: s.model is not before).model
    # the same model, edited
    assert after == before
    assert after.geom_rgba[0].tolist() == [1, 0, 0, 1]
    assert after.opt.gravity[2] == -3.0
    assert after.vis.global_.fovy == 30.0
    assert after.geom_size is before.geom_size
    # of assets it has to be told
    simulation.show_model()
    assert show(simulation, lambda s: s.model is not after).model != before


def test_after_the_viewer_the_data_is_the_scripts_again() -> None:
    interval = sys.getswitchinterval()
    simulation, m, d = passive()
    simulation.send(cmd.Perturb(cmd.Perturbation(1, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))))
    simulation.sync()
    assert d.perturb.active
    assert len(d.trace.state)
    for _ in range(2):
        simulation.release()
        assert sys.getswitchinterval() == interval
        assert not d.perturb.active
        assert not len(d.trace.state)
        sim.step(m, d)


def test_a_run_of_the_script_can_be_gone_back_in_and_on_from() -> None:
    simulation, m, d = passive()
    d.qvel[0] = 1.0
    for _ in range(10):
        sim.step(m, d)
    places = d.qpos[0]
    show(simulation, lambda s: s.run.steps == 10)
    # paused, `sync` does not return: the user's commands are waiting before it is called
    for command in (cmd.GoTo(4), cmd.SetData("qvel", 0, (-1.0,)), cmd.SetPaused(False)):
        simulation.send(command)
    simulation.sync()
    assert d.qpos[0] == pytest.approx(places * 0.4)
    for _ in range(4):
        sim.step(m, d)
    assert d.qpos[0] == pytest.approx(0.0, abs=1e-12)
    shown = show(simulation, lambda s: s.run.steps == 8)
    assert [mark.text for mark in shown.run.history.markers] == ["opened", "qvel of ball free joint: 1 → -1"]


def test_a_run_of_the_script_is_replayed_and_left_as_it_was() -> None:
    """Whatever the script did between its steps, all moments are there; and it goes on as if nobody had looked."""
    simulation, m, d = passive()
    rows = {}
    for k in range(300):
        d.qfrc_applied[0] = np.sin(k)
        if k == 100:
            d.qpos[2] += 0.3
        sim.step(m, d)
        rows[k + 1] = sim.get_state(m, d, sim.record_signature(m)).tobytes()
        simulation.sync()
    show(simulation, lambda s: s.run.steps == 300)
    before = d.values()
    seen = list[int]()
    for step in (5, 250, 101):
        simulation.send(cmd.GoTo(step))
        assert simulation.live.history.row(0, step).tobytes() == rows[step]
    simulation.send(cmd.SetSpeed(8.0))
    simulation.send(cmd.SetPaused(False))
    watcher = threading.Thread(target=lambda: seen.extend(watch(simulation)), daemon=True)
    watcher.start()
    # it returns when the replay has come to the head
    simulation.sync()
    show(simulation, lambda s: not s.run.replaying)
    watcher.join(PATIENCE)
    assert seen and seen == sorted(seen) and seen[-1] == 300
    after = d.values()
    assert all(np.array_equal(before[name], after[name], equal_nan=True) for name in before if name != "warning.number")
    sim.step(m, d)
    shown = show(simulation, lambda s: s.run.steps == 301)
    assert len(shown.run.history.branches) == 1
    # from the past it goes on only if the user says so
    simulation.send(cmd.GoTo(200))
    simulation.send(cmd.GoOn())
    simulation.sync()
    assert sim.get_state(m, d, sim.record_signature(m)).tobytes() == rows[200]
    sim.step(m, d)
    shown = show(simulation, lambda s: s.run.steps == 201)
    assert [(branch.fork, branch.last) for branch in shown.run.history.branches] == [(0, 301), (200, 201)]


def watch(simulation: PassiveSimulation) -> Iterator[int]:
    """The steps that a replay shows, until its end."""
    end, last = time.monotonic() + PATIENCE, -1
    while time.monotonic() < end:
        run = simulation.latest.run
        if run.replaying and run.history.now != last:
            yield (last := run.history.now)
        if last >= 0 and not run.replaying:
            yield run.history.now
            return
        time.sleep(0.001)


def test_a_script_that_starts_over_leaves_a_mark() -> None:
    simulation, m, d = passive()
    for _ in range(2):
        sim.step(m, d, 5)
        serial = simulation.latest.serial
        show(simulation, lambda s, serial=serial: s.serial > serial)  # type: ignore[misc]
        sim.reset(m, d)
    assert [mark.text for mark in simulation.latest.run.history.markers] == ["opened", "the script set the time back"]
    assert simulation.latest.run.problem is None


def test_mocap_body_follows_the_hand_while_time_runs() -> None:
    body = "<body mocap='true' pos='0 0 1'><geom size='.1'/></body>"
    simulation, _, d = passive(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    assert not simulation.latest.run.paused
    simulation.send(cmd.Perturb(cmd.Perturbation(1, (0.0, 0.0, 0.1), (0.5, 0.0, 1.6))))
    simulation.sync()
    assert d.mocap_pos[0].tolist() == pytest.approx([0.5, 0.0, 1.5])
    assert not d.perturb.active


def test_adopted_state_is_kept() -> None:
    m = sim.loads(BALL)
    d = sim.Data(m)
    d.qpos[2] = 0.5
    d.qvel[2] = 1.0
    simulation = SimThread(sim, paused=True)
    simulation.adopt(m, d)
    simulation.start()
    wait_for(simulation, lambda s: s.run.ready)
    simulation.send(cmd.StepOnce(10))
    wait_for(simulation, lambda s: s.run.steps == 10)
    simulation.close()
    assert d.qpos[2] == pytest.approx(0.5 + 10 * m.opt.timestep)
    assert np.allclose(d.qvel[:2], 0)


def test_without_a_screen_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from app import viewer
    from app.ui.window import NoScreen

    monkeypatch.delenv("DISPLAY", raising=False)
    m = sim.loads(BALL)
    with pytest.raises(NoScreen, match="no screen"):
        viewer.launch_passive(m, sim.Data(m))
    assert imgui.get_current_context() is None
    # nothing of that is left in the way
    with pytest.raises(NoScreen, match="no screen"):
        viewer.launch_passive(m, sim.Data(m))
    with pytest.raises(ValueError, match="data must be"):
        viewer.launch_passive(m, m)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="another model"):
        viewer.launch_passive(m, sim.Data(sim.loads("<mujoco/>")))
    with pytest.raises(ValueError, match="key_callback"):
        viewer.launch_passive(m, sim.Data(m), key_callback="x")  # type: ignore[arg-type]
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(RuntimeError, match="main thread"):
        viewer.launch_passive(m, sim.Data(m))
