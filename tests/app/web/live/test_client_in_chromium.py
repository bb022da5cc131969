"""The live viewer in Chromium: real events reach the host, and its picture, panels and answers the page."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui

from app.instruments import instruments
from app.render.capture.offscreen import Renderer
from app.run import commands as cmd
from app.run.commands import open_command
from sim import Data, forward, load
from tests.app.web.chromium import Page, chromium
from tests.app.web.live.conftest import Host
from tests.patience import PATIENCE

pytestmark = pytest.mark.release

XML = """
<mujoco model="all of it">
  <asset>
    <texture name="checks" type="2d" builtin="checker" rgb1=".2 .3 .4" rgb2=".6 .6 .5" width="64" height="64"/>
    <texture type="skybox" builtin="gradient" rgb1=".3 .5 .7" rgb2="0 0 0" width="32" height="32"/>
    <material name="floor" texture="checks" texrepeat="4 4" reflectance=".3"/>
    <mesh name="wedge" vertex="0 0 0 .2 0 0 0 .2 0 0 0 .2"/>
  </asset>
  <worldbody>
    <light name="lamp" pos="1 -1 3" dir="-.3 .3 -1"/>
    <geom name="floor" type="plane" size="2 2 .1" material="floor"/>
    <body name="brick" pos="0 0 .1">
      <freejoint/>
      <geom name="brick" type="box" size=".2 .15 .1" rgba=".8 .4 .2 1" mass="2"/>
    </body>
    <body name="ball" pos=".5 .2 .4"><freejoint/><geom name="ball" size=".1" rgba=".2 .6 .8 .6"/></body>
    <body name="post" pos="-.7 0 .8">
      <joint name="swing" axis="0 1 0" damping=".02"/>
      <geom name="rod" type="capsule" fromto="0 0 0 .5 0 0" size=".04"/>
      <body name="tip" pos=".5 0 0"><geom name="wedge" type="mesh" mesh="wedge" rgba=".5 .7 .3 1"/></body>
    </body>
  </worldbody>
</mujoco>
"""
# differences of channels of 0 to 255: edges of geoms may be one pixel apart
MEAN, EDGE, EDGES = 0.8, 32, 0.006

Pages = Callable[..., Page]


@pytest.fixture(scope="module")
def pages() -> Iterator[Pages]:
    with chromium() as make:
        yield make


@pytest.fixture
def page(pages: Pages, host: Host) -> Iterator[Page]:
    """The page of the driver; what it has shown on the console is looked at in the end."""
    made = pages()
    made.open_live(host.address)
    made.wait("kinetoscope.people.drives")
    made.evaluate("kinetoscope.canvas.focus()")
    yield made
    assert not made.messages
    made.close()


def state(page: Page, what: str) -> Any:
    """A value of the page."""
    return page.evaluate(f"(() => {{ const k = kinetoscope; return {what}; }})()")


def heard(page: Page, condition: Callable[[], object]) -> None:
    """Until the host has taken in what the page has sent."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "the host has not heard it"
        page.settle()


def show(host: Host, page: Page, path: Path) -> None:
    """Another model."""
    application = host.application
    application.send(open_command(path))
    heard(page, lambda: application.snapshot.run.path == str(path) and application.snapshot.run.ready)
    page.wait("kinetoscope.stage.whole && kinetoscope.camera.host")


def middle(page: Page) -> tuple[float, float]:
    """The middle of the picture."""
    x, y, w, h = state(page, "k.camera.rect")
    return x + w / 2, y + h / 2


def ball(page: Page, host: Host) -> tuple[float, float]:
    """Where the ball is in the window."""
    application, (x, y, w, h) = host.application, state(page, "k.camera.rect")
    seen, newest = application.current_view(), application.snapshot.state
    assert seen is not None and newest is not None
    across = seen.project(newest.xpos[1], w / h)
    assert across is not None
    return x + w * (1 + across[0]) / 2, y + h * (1 - across[1]) / 2


def test_picture_is_that_of_the_window(page: Page, host: Host, tmp_path: Path) -> None:
    file = tmp_path / "all.xml"
    file.write_text(XML)
    show(host, page, file)
    model = load(file)
    data = Data(model)
    forward(model, data)
    page.wait("kinetoscope.stage.groups.some((g) => g.shape.startsWith('mesh')) && kinetoscope.camera.host.orbit")
    # without panels over it
    page.evaluate("(kinetoscope.lists.take = () => {}, kinetoscope.lists.order = [], kinetoscope.draw(0))")
    page.settle()
    page.evaluate("kinetoscope.draw(0)")
    page.settle()
    x, y, w, h = (int(part) for part in state(page, "k.camera.rect"))
    with Renderer(model, h, w) as renderer:
        renderer.update_scene(data)
        desktop = renderer.render().astype(int)
    difference = np.abs(page.picture()[y : y + h, x : x + w] - desktop).max(axis=2)
    print(f"mean {difference.mean():.3f}, of pixels {(difference > EDGE).mean():.5f} by more than {EDGE}")
    assert difference.mean() < MEAN and (difference > EDGE).mean() < EDGES
    show(host, page, host.model)


def test_camera_moves_before_the_host_answers(page: Page, host: Host) -> None:
    application = host.application
    before, (x, y) = state(page, "k.camera.view().eye"), middle(page)
    frame = application._frame
    # the host neither listens nor draws meanwhile
    application._frame = lambda: None  # type: ignore[method-assign]
    page.drag((x, y), (x + 60, y + 20))
    ahead = state(page, "k.camera.view().eye")
    assert np.linalg.norm(np.subtract(ahead, before)) > 0.1
    assert state(page, "k.camera.pending.length")
    application._frame = frame  # type: ignore[method-assign]
    # another event: frames that were not drawn are not missed by themselves
    page.mouse("mouseMoved", x, y)
    heard(page, lambda: not state(page, "k.camera.pending.length"))
    # the same formulas: nothing jumps
    assert state(page, "k.camera.view().eye") == pytest.approx(ahead, abs=1e-3)
    assert application.view.camera.eye() == pytest.approx(ahead, abs=1e-3)


def test_mouse_and_keys(page: Page, host: Host) -> None:
    application, (x, y) = host.application, middle(page)
    view, camera = application.view, application.view.camera
    acts: tuple[Callable[[], None], ...] = (
        lambda: page.drag((x + 150, y), (x + 190, y), "right"),
        lambda: page.drag((x + 150, y), (x + 150, y + 40), "middle"),
        lambda: page.wheel(x + 150, y, -200),
    )
    for act in acts:
        before = camera.pose()
        act()
        heard(page, lambda before=before: camera.pose() != before)
    page.key("Ctrl+a")
    heard(page, lambda: view.flight is None)
    page.click(*ball(page, host), count=2)
    heard(page, lambda: view.perturb is not None)
    assert view.perturb is not None and view.perturb.body == 1
    page.key("Space")
    heard(page, lambda: not application.run_state.paused)
    page.mouse("mousePressed", *ball(page, host), "right", 2, clickCount=1, modifiers=2)
    page.mouse("mouseMoved", x, y - 100, "right", 2, modifiers=2)
    heard(page, lambda: view.perturb is not None and view.perturb.active)
    page.mouse("mouseReleased", x, y - 100, "right", 0, clickCount=1, modifiers=2)
    heard(page, lambda: view.perturb is None or not view.perturb.active)
    page.key("Space")
    heard(page, lambda: application.run_state.paused)
    application.send(cmd.Reset())


def test_text_and_clipboard(page: Page, host: Host) -> None:
    ui = host.application.view.ui
    page.key("Ctrl+k")
    heard(page, lambda: ui.show_palette)
    page.wait("document.activeElement.id === 'field'")
    for letter in "gra":
        page.key(letter)
    # an input method: what is composed arrives when it is finished
    page.send("Input.imeSetComposition", text="vi", selectionStart=2, selectionEnd=2)
    assert page.evaluate("document.querySelector('#field').classList.contains('composing')")
    page.send("Input.insertText", text="vité")
    heard(page, lambda: ui.palette_text == "gravité")
    page.evaluate(
        "(() => { const d = new DataTransfer(); d.setData('text/plain', ' now'); kinetoscope.keys.awaitPaste("
        "() => { for (const down of [1, 0]) kinetoscope.put(['k', 'KeyV', 'v', down, 1]); });"
        " document.activeElement.dispatchEvent(new ClipboardEvent('paste', {clipboardData: d, bubbles: true})); })()"
    )
    heard(page, lambda: ui.palette_text == "gravité now")
    page.evaluate("kinetoscope.clipboard.write = (text) => { globalThis.copied = text; }")
    page.key("Ctrl+a")
    page.key("Ctrl+c")
    page.wait("globalThis.copied === 'gravité now'")
    page.key("Escape")
    heard(page, lambda: not ui.show_palette)
    page.wait("document.activeElement.id === 'picture'")


def test_a_number_is_dragged_and_typed(page: Page, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    application, label, rects = host.application, "##opt.timestep()", dict[str, tuple[float, float]]()
    usual = imgui.drag_float

    def noted(name: str, *arguments: Any) -> Any:
        result, low, high = usual(name, *arguments), imgui.get_item_rect_min(), imgui.get_item_rect_max()
        rects[name] = (low.x + high.x) / 2, (low.y + high.y) / 2
        return result

    def timestep() -> float:
        model = application.snapshot.model
        assert model is not None
        return float(model.opt.timestep)

    monkeypatch.setattr(imgui, "drag_float", noted)
    page.mouse("mouseMoved", 300, 300)
    heard(page, lambda: label in rects)
    before, (x, y) = timestep(), rects[label]
    page.drag((x, y), (x + 30, y))
    heard(page, lambda: timestep() > before)
    page.mouse("mouseMoved", 300, 300)
    page.key("Ctrl+z")
    heard(page, lambda: timestep() == before)
    page.click(x, y, count=2)
    page.wait("document.activeElement.id === 'field'")
    page.key("Ctrl+a")
    for sign in "0.004":
        page.key(sign)
    page.key("Enter")
    heard(page, lambda: timestep() == 0.004)
    page.wait("document.activeElement.id === 'picture'")
    page.mouse("mouseMoved", 300, 300)
    page.key("Ctrl+z")
    heard(page, lambda: timestep() == before)


def test_every_instrument_is_drawn(page: Page, host: Host) -> None:
    view = host.application.view
    for name in instruments():
        view.instruments.open(name)
        # a panel that opens is a picture that changes
        page.mouse("mouseMoved", 300, 300)
        heard(page, lambda name=name: name in view.prefs.instruments)
        serial = state(page, "k.serial")
        page.wait(f"kinetoscope.acknowledged > {serial}")
        page.mouse("mouseMoved", 310, 300)
    assert not view.feedback.faults
    view.prefs.instruments = []


def test_a_file_that_is_made_is_offered(page: Page, host: Host) -> None:
    page.send("Browser.setDownloadBehavior", behavior="deny")
    page.key("Ctrl+p")
    page.wait("document.querySelector('#notes a')")
    kind = page.evaluate(
        "fetch(document.querySelector('#notes a').href).then((a) => a.arrayBuffer())"
        ".then((b) => String.fromCharCode(...new Uint8Array(b, 1, 3)))"
    )
    assert kind == "PNG"


def test_focus_lost_releases_all(page: Page, host: Host) -> None:
    window = host.application.window
    page.mouse("mousePressed", *middle(page), "left", 1, clickCount=1)
    page.send("Input.dispatchKeyEvent", type="keyDown", key="w", code="KeyW", windowsVirtualKeyCode=87)
    heard(page, lambda: window.busy)
    page.evaluate("dispatchEvent(new Event('blur'))")
    heard(page, lambda: not window.busy)
    page.mouse("mouseReleased", *middle(page), "left", 0, clickCount=1)


def test_files_that_are_dropped_are_opened(page: Page, host: Host) -> None:
    page.evaluate(
        f"(() => {{ const d = new DataTransfer(); d.items.add(new File([{json.dumps(XML)}], 'dropped.xml'));"
        " document.dispatchEvent(new DragEvent('drop', {dataTransfer: d, bubbles: true})); })()"
    )
    heard(page, lambda: host.application.snapshot.run.path.endswith("dropped.xml"))
    page.wait("kinetoscope.stage.groups.some((g) => g.shape.startsWith('mesh'))")
    show(host, page, host.model)


def test_size_density_and_lost_context(page: Page, host: Host) -> None:
    page.resize((900, 600))
    heard(page, lambda: host.application.window.shape[:2] == (900, 600))
    page.wait("kinetoscope.lists.size[0] === 900 && kinetoscope.canvas.width === 900")
    page.send("Emulation.setDeviceMetricsOverride", width=900, height=600, deviceScaleFactor=2, mobile=False)
    page.wait("kinetoscope.canvas.width === 1800 && kinetoscope.lists.size[0] === 900")
    page.resize((900, 600))
    page.wait("kinetoscope.canvas.width === 900")
    page.settle()
    page.evaluate("kinetoscope.draw(0)")
    page.settle()
    before = page.picture().astype(int)
    page.evaluate(
        "(() => { const lose = kinetoscope.renderer.gl.getExtension('WEBGL_lose_context'); lose.loseContext();"
        " setTimeout(() => lose.restoreContext(), 50); globalThis.lost = kinetoscope.renderer; })()"
    )
    page.wait("kinetoscope.renderer !== lost && !kinetoscope.fresh && kinetoscope.stage.whole")
    page.settle()
    page.evaluate("kinetoscope.draw(0)")
    page.settle()
    assert np.abs(page.picture().astype(int) - before).mean() < 2


def test_connection_is_made_again(page: Page, host: Host) -> None:
    page.evaluate("kinetoscope.link.socket.close()")
    page.wait("!document.querySelector('#problem').hidden")
    assert "does not answer" in page.evaluate("document.querySelector('#said').textContent")
    page.evaluate("document.querySelector('#again').click()")
    page.wait("document.querySelector('#problem').hidden && kinetoscope.link.ready && kinetoscope.people.drives")
    page.key("Space")
    heard(page, lambda: not host.application.run_state.paused)
    page.key("Space")
    heard(page, lambda: host.application.run_state.paused)


def test_others_watch_with_a_camera_of_their_own(page: Page, pages: Pages, host: Host) -> None:
    other = pages((700, 700))
    other.open_live(host.address)
    other.wait("kinetoscope.people.list.length === 2 && !document.querySelector('#people').hidden")
    assert "drives" in other.evaluate("document.querySelector('#who').textContent")
    # the whole interface, scaled
    other.wait("Math.abs(kinetoscope.canvas.getBoundingClientRect().width - 700) < 1")
    camera = host.application.view.camera.pose()
    x, y = (part * state(other, "k.scale") for part in middle(other))
    left, top = other.evaluate("(({x, y}) => [x, y])(kinetoscope.canvas.getBoundingClientRect())")
    other.drag((left + x, top + y), (left + x + 40, top + y))
    assert state(other, "k.camera.own !== null")
    assert host.application.view.camera.pose() == camera
    other.evaluate("document.querySelector('#people').open = true")
    other.press("#acts button:last-child")
    assert not state(other, "k.camera.own !== null")
    other.press("#acts button")
    page.wait("document.querySelectorAll('#acts button').length === 2")
    page.evaluate("document.querySelector('#people').open = true")
    page.press("#acts button")
    other.wait("kinetoscope.people.drives")
    page.wait("!kinetoscope.people.drives")
    assert not other.messages
    other.close()
    page.wait("kinetoscope.people.list.length === 1")
    if not state(page, "k.people.drives"):
        page.press("#acts button")
        page.wait("kinetoscope.people.drives")


def test_touch(pages: Pages, host: Host) -> None:
    page = pages((390, 800), touch=True)
    page.open_live(host.address)
    page.wait("kinetoscope.people.drives && kinetoscope.lists.size[0] === 390")
    camera = host.application.view.camera
    # one panel at a time: the picture has all of the width
    page.wait("kinetoscope.camera.rect[2] === 390")
    before = camera.azimuth
    page.touch([(150, 300)], [(170, 300)], [(230, 305)])
    heard(page, lambda: camera.azimuth != before)
    distance = camera.distance
    page.touch([(150, 300), (200, 300)], [(130, 300), (220, 300)], [(100, 300), (250, 300)])
    heard(page, lambda: camera.distance < distance)
    assert not page.messages
    page.close()


def test_without_webgl(pages: Pages, host: Host) -> None:
    """The page says plainly what is missing."""
    page = pages()
    absent = "const real = HTMLCanvasElement.prototype.getContext; HTMLCanvasElement.prototype.getContext ="
    absent += " function (kind, ...more) { return kind === 'webgl2' ? null : real.call(this, kind, ...more); };"
    page.send("Page.addScriptToEvaluateOnNewDocument", source=absent)
    page.open_live(host.address, "document.querySelector('#wait')?.textContent.includes('WebGL 2')")
    page.close()
