"""A replay in Chromium: every control by real events, the picture next to the desktop's, and a soak of random input."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.render.capture.offscreen import Renderer
from app.scene.visual_options import VisualOptions
from app.web.replay import Replay
from sim import Data, Model, forward, loads, step
from tests.app.web.chromium import Page, chromium

pytestmark = pytest.mark.release

# of each kind of thing that a page shows
XML = """
<mujoco model="all of it">
  <visual><global azimuth="120" elevation="-20"/></visual>
  <asset>
    <texture name="checks" type="2d" builtin="checker" rgb1=".2 .3 .4" rgb2=".6 .6 .5" width="64" height="64"/>
    <texture type="skybox" builtin="gradient" rgb1=".3 .5 .7" rgb2="0 0 0" width="32" height="32"/>
    <material name="floor" texture="checks" texrepeat="4 4" reflectance=".3"/>
    <mesh name="wedge" vertex="0 0 0 .2 0 0 0 .2 0 0 0 .2"/>
  </asset>
  <worldbody>
    <light name="lamp" pos="1 -1 3" dir="-.3 .3 -1"/>
    <camera name="front" pos="0 -3 1" xyaxes="1 0 0 0 .3 1"/>
    <geom name="floor" type="plane" size="2 2 .1" material="floor"/>
    <body name="brick" pos="0 0 .1">
      <freejoint/>
      <geom name="brick" type="box" size=".2 .15 .1" rgba=".8 .4 .2 1" mass="2"/>
      <site name="top" pos="0 0 .1" size=".02"/>
    </body>
    <body name="ball" pos=".5 .2 .4"><freejoint/><geom name="ball" size=".1" rgba=".2 .6 .8 .6"/></body>
    <body name="post" pos="-.7 0 .8">
      <site name="eye" zaxis="1 0 -2" size=".01"/>
      <joint name="swing" axis="0 1 0" damping=".02"/>
      <geom name="rod" type="capsule" fromto="0 0 0 .5 0 0" size=".04"/>
      <body name="tip" pos=".5 0 0">
        <joint name="bend" axis="0 1 0"/>
        <geom name="wedge" type="mesh" mesh="wedge" rgba=".5 .7 .3 1"/>
        <geom name="unseen" size=".15" group="3" contype="0" conaffinity="0"/>
        <site name="end" size=".02"/>
        <camera name="riding" pos="0 -1 0" xyaxes="1 0 0 0 0 1"/>
      </body>
    </body>
  </worldbody>
  <tendon><spatial name="rope" width=".01" rgba=".9 .8 .2 1"><site site="end"/><site site="top"/></spatial></tendon>
  <sensor><jointpos name="angle" joint="swing"/><framepos objtype="body" objname="ball"/>
    <rangefinder site="eye"/></sensor>
</mujoco>
"""
SECONDS, MARK = 1.0, 0.5
# differences of channels of 0 to 255: edges of geoms may be one pixel apart
MEAN, EDGE, EDGES = 0.6, 32, 0.004
SOAK = float(os.environ.get("KINETOSCOPE_WEB_SOAK", "30"))

Pages = Callable[..., Page]


@pytest.fixture(scope="module")
def model() -> Model:
    return loads(XML)


@pytest.fixture(scope="module")
def address(model: Model, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page of a second of it, with a mark."""
    replay = Replay(model, SECONDS, title="All of it")
    replay.content.header["marks"] = [{"time": MARK, "until": MARK, "text": "<b>half</b>", "kind": "edit"}]
    replay.content.header["remarks"] = [{"severity": "warning", "text": "the <b>arm</b> is heavy"}]
    file = tmp_path_factory.mktemp("web") / "run.html"
    replay.save(file)
    return file.as_uri()


@pytest.fixture(scope="module")
def pages() -> Iterator[Pages]:
    with chromium() as make:
        yield make


@pytest.fixture
def page(pages: Pages, address: str) -> Iterator[Page]:
    """The page, opened; what it has shown on the console is looked at in the end."""
    made = pages()
    made.open(address)
    yield made
    assert not made.messages
    made.close()


def state(page: Page, what: str) -> Any:
    """A value of the viewer."""
    return page.evaluate(f"(() => {{ const v = kinetoscope; return {what}; }})()")


@pytest.mark.parametrize("moment", [0.0, 0.5, 1.0])
def test_picture_is_that_of_the_desktop(page: Page, model: Model, moment: float) -> None:
    page.evaluate("(kinetoscope.show('contacts', true), kinetoscope.show('forces', true))")
    check_picture(page, model, moment, VisualOptions(contact_point=True, contact_force=True))


def test_floor_behind_the_shadows(pages: Pages, tmp_path: Path) -> None:
    """It is far behind all that casts a shadow, and lit."""
    ball = "<body pos='0 0 .6'><freejoint/><geom size='.1'/></body>"
    model = loads(f"<mujoco><worldbody><geom type='plane' size='0 0 .1'/>{ball}</worldbody></mujoco>")
    Replay(model, 0.1).save(tmp_path / "ball.html")
    page = pages()
    page.open((tmp_path / "ball.html").as_uri())
    check_picture(page, model, 0.0, VisualOptions())
    page.close()


def check_picture(page: Page, model: Model, moment: float, options: VisualOptions) -> None:
    """The picture of a moment next to that of the desktop."""
    data = Data(model)
    forward(model, data)
    while data.time < moment - 1e-9:
        step(model, data)
    with Renderer(model, 480, 640) as renderer:
        renderer.update_scene(data, scene_option=options)
        desktop = renderer.render().astype(int)
    page.resize((640, 480))
    page.evaluate("for (const id of ['panel', 'transport']) document.getElementById(id).style.display = 'none'")
    page.evaluate(f"kinetoscope.seek({moment})")
    page.settle()
    page.evaluate("kinetoscope.drawNow(0)")
    page.settle()
    difference = np.abs(page.picture() - desktop).max(axis=2)
    assert difference.mean() < MEAN and (difference > EDGE).mean() < EDGES


def test_time(page: Page) -> None:
    page.press("#play")
    page.wait("kinetoscope.now > 0.05")
    page.press("#play")
    assert not state(page, "v.playing")
    page.choose("#speed", "0.25")
    assert state(page, "v.speed") == 0.25
    page.key("=")
    assert state(page, "v.speed") == 0.5
    page.key("-")
    page.key("Home")
    assert state(page, "v.now") == 0
    page.key("ArrowRight")
    assert state(page, "v.replay.frame") == 1
    page.key("ArrowLeft")
    assert state(page, "v.replay.frame") == 0
    page.key("Ctrl+ArrowRight")
    assert state(page, "v.now") == MARK
    page.key("End")
    assert state(page, "v.now") == SECONDS
    page.press("#loop")
    assert not state(page, "v.loop")
    page.evaluate("kinetoscope.canvas.focus()")
    page.key("Space")
    page.wait("kinetoscope.playing && kinetoscope.now < 0.5")
    page.choose("#speed", "8")
    page.wait("!kinetoscope.playing")
    assert state(page, "v.now") == SECONDS
    x, y = page.middle("#time")
    page.click(x, y)
    assert abs(state(page, "v.now") - SECONDS / 2) < 0.05
    page.drag((x, y), (x + 100, y))
    assert state(page, "v.now") > 0.6
    page.press("#ticks button")
    assert state(page, "v.now") == MARK
    page.key("Home")
    page.press("#marks button")
    assert state(page, "v.now") == MARK
    # a text of the model is no markup
    assert page.evaluate("document.querySelector('#marks b') === null")
    assert "<b>half</b>" in page.evaluate("document.querySelector('#marks').textContent")


def test_camera(page: Page) -> None:
    def camera() -> list[float]:
        found: list[float] = state(
            page, "[v.camera.azimuth, v.camera.elevation, v.camera.distance, ...v.camera.lookat]"
        )
        return found

    start = camera()
    page.drag((400, 300), (500, 300))
    assert camera()[0] == pytest.approx(start[0] - 180 * 100 / page.evaluate("innerHeight"), abs=1e-6)
    page.drag((400, 300), (400, 350))
    assert camera()[1] < start[1]
    before = camera()
    page.drag((400, 300), (450, 350), "right")
    assert camera()[:3] == before[:3] and camera()[5] > before[5]
    before = camera()
    page.drag((400, 300), (450, 350), "right", "Shift")
    assert camera()[5] == before[5] and camera()[3:5] != before[3:5]
    before = camera()
    page.drag((400, 300), (400, 350), "middle")
    assert camera()[2] < before[2]
    before = camera()
    page.wheel(400, 300, -100)
    assert camera()[2] < before[2]
    for keys in ("Shift+ArrowLeft", "Shift+ArrowUp", "Ctrl+Shift+ArrowLeft", "Ctrl+Shift+ArrowDown", "Shift+PageUp"):
        before = camera()
        page.key(keys)
        assert camera() != before, keys
    page.press("#whole")
    assert camera() == start
    page.choose("#camera", "0")
    assert state(page, "v.cameraIndex") == 0
    page.key("]")
    assert state(page, "v.cameraIndex") == 1
    page.key("[")
    page.key("Escape")
    assert state(page, "v.cameraIndex") == -1
    page.choose("#follow", "2")
    page.evaluate("kinetoscope.seek(0.3)")
    page.settle()
    assert np.allclose(state(page, "[v.camera.lookat, v.replay.centre(2)]")[0], state(page, "v.replay.centre(2)"))
    page.key("Escape")
    assert state(page, "v.follow") == 0
    x, y = screen(page, "v.replay.centre(1)")
    page.click(x, y, "right", 2)
    assert np.linalg.norm(np.subtract(camera()[3:], state(page, "v.replay.centre(1)"))) < 0.3
    x, y = screen(page, "v.replay.centre(1)")
    page.click(x, y, "right", 2, "Ctrl")
    assert state(page, "v.follow") == 1


def screen(page: Page, point: str) -> tuple[float, float]:
    """Where a point of the world is in the window."""
    x, y = page.evaluate(
        "(() => { const v = kinetoscope, w = v.view(), p = " + point + ", d = [0, 1, 2].map((k) => p[k] - w.eye[k]);"
        " const [x, y, z] = w.axes.map((a) => a[0] * d[0] + a[1] * d[1] + a[2] * d[2]);"
        " const t = Math.tan(w.fovy * Math.PI / 360), b = v.canvas.getBoundingClientRect();"
        " return [b.x + b.width * (1 + x / (-z * t * v.aspect)) / 2, b.y + b.height * (1 - y / (-z * t)) / 2]; })()"
    )
    return x, y


def test_selection(page: Page) -> None:
    page.click(*screen(page, "v.replay.centre(1)"))
    values = page.evaluate("document.querySelector('#values').textContent")
    assert "brick" in values and "2 kg" in values and "Position" in values
    page.key("PageUp")
    assert state(page, "v.selection") is None
    page.choose("#body", "4")
    assert state(page, "v.selection") == {"kind": "body", "index": 4}
    page.key("PageUp")
    assert state(page, "v.selection.index") == 3
    page.evaluate("kinetoscope.seek(1)")
    page.key("c")
    page.settle()
    page.press("#contact-next")
    values = page.evaluate("document.querySelector('#values').textContent")
    assert "Normal force" in values and "brick" in values and "sticks" in values
    page.press("#contact-before")
    page.evaluate("kinetoscope.select(null)")
    page.click(*screen(page, "v.replay.contacts()[0].position"))
    assert state(page, "v.selection.kind") == "contact"
    page.click(40, 40)
    page.click(*screen(page, "v.replay.centre(1)"), count=2)
    assert state(page, "v.selection.kind") in ("body", "contact")


def test_options(page: Page) -> None:
    shown = page.picture()

    def changes(act: Callable[[], object], what: str) -> None:
        before = state(page, what)
        act()
        assert state(page, what) != before, what

    page.evaluate("kinetoscope.seek(1)")
    for chip in range(1, 7):
        changes(lambda chip=chip: page.press(f"#toggles button:nth-child({chip})"), "JSON.stringify(v.shown)")
    names = {"c": "contacts", "f": "forces", "n": "islands", "t": "transparent", "s": "shadows", "r": "reflections",
             "x": "textures", "k": "skybox", "/": "haze", "g": "fog", ";": "skins", "v": "tendons",
             "y": "rangefinders"}  # fmt: skip
    for key, name in names.items():
        changes(lambda key=key: page.key(key), f"v.shown.{name}")
    for select, name in (("#names", "names"), ("#frames", "frames")):
        values = page.evaluate(f"[...document.querySelector({select!r}).options].map((o) => o.value)")
        for value in values[1:]:
            changes(lambda s=select, value=value: page.choose(s, value), f"v.shown.{name}")
    for key, name in (("F6", "frames"), ("F7", "names")):
        changes(lambda key=key: page.key(key), f"v.shown.{name}")
    changes(lambda: page.press("#geom-groups button:last-child"), "v.shown.geomGroups[3]")
    changes(lambda: page.key("3"), "v.shown.geomGroups[3]")
    changes(lambda: page.press("#site-groups button"), "v.shown.siteGroups[0]")
    assert (page.picture() != shown).any()


def test_plots(page: Page) -> None:
    page.choose("#series", "1")
    page.choose("#series", "0")
    assert page.evaluate("document.querySelectorAll('#plots figure').length") == 2
    x, y = page.middle("#plots canvas")
    page.click(x, y)
    assert abs(state(page, "v.now") - SECONDS / 2) < 0.02
    page.mouse("mouseMoved", x + 20, y)
    page.settle()
    tip = page.evaluate("[document.querySelector('#tip').hidden, document.querySelector('#tip').textContent]")
    assert not tip[0] and " s  " in tip[1]
    page.evaluate("document.querySelector('#plots canvas').focus()")
    before = state(page, "v.replay.frame")
    page.key("ArrowRight")
    assert state(page, "v.replay.frame") == before + 1
    page.press("#plots figcaption button")
    assert page.evaluate("document.querySelectorAll('#plots figure').length") == 1


def test_doctor(page: Page) -> None:
    page.press("#doctor summary")
    assert page.evaluate("document.querySelector('#doctor').open")
    assert page.evaluate("document.querySelector('#doctor').innerText").split("\n")[0] == "Doctor: 1"
    assert page.evaluate("document.querySelector('#remarks').textContent") == "warningthe <b>arm</b> is heavy"


def test_links(page: Page, address: str) -> None:
    page.evaluate("location.hash = '#t=0.7&camera=front&show=contacts'")
    page.wait("kinetoscope.cameraIndex === 0")
    assert abs(state(page, "v.now") - 0.7) < 1e-9 and state(page, "v.shown.contacts")
    page.key("Escape")
    page.drag((400, 300), (440, 320))
    page.press("#link")
    page.wait("location.hash.includes('view=')")
    link, seen = page.evaluate("location.hash"), state(page, "v.view().eye")
    page.key("Escape")
    page.open(address + link)
    page.wait("kinetoscope.pictures > 0")
    assert np.allclose(state(page, "v.view().eye"), seen, rtol=1e-3)


def test_keys_alone(page: Page) -> None:
    """Tab reaches every control, each with a name, in the order in which they are seen."""
    page.evaluate("document.activeElement.blur()")
    seen = []
    for _ in range(60):
        page.key("Tab")
        name = page.evaluate(
            "(() => { const e = document.activeElement; return (e.id || e.tagName) + '|' + (e.ariaLabel ||"
            " e.labels?.[0]?.textContent || e.textContent || '').trim(); })()"
        )
        if seen and name == seen[0]:
            break
        seen.append(name)
    names = [entry.partition("|")[0] for entry in seen]
    assert all(entry.partition("|")[2] or entry.startswith("BODY") for entry in seen), seen
    wanted = ["picture", "names", "camera", "body", "series", "play", "time", "speed", "loop", "full", "fold"]
    places = [names.index(name) for name in wanted]
    assert places == sorted(places)
    page.evaluate("document.querySelector('#fold').focus()")
    page.key("Enter")
    assert page.evaluate("document.querySelector('#panel').hidden")
    page.key("Space")
    assert not page.evaluate("document.querySelector('#panel').hidden")
    page.key("?")
    assert page.evaluate("document.querySelector('#help').open")
    page.key("Escape")
    assert not page.evaluate("document.querySelector('#help').open")
    page.press("#full")
    page.wait("document.fullscreenElement !== null")
    page.press("#full")
    page.wait("document.fullscreenElement === null")


def test_touch(pages: Pages, address: str) -> None:
    page = pages((380, 700), touch=True)
    page.open(address)
    azimuth, distance = state(page, "v.camera.azimuth"), state(page, "v.camera.distance")
    page.touch([(150, 200)], [(170, 200)], [(220, 210)])
    assert state(page, "v.camera.azimuth") != azimuth
    page.touch([(150, 200), (200, 200)], [(130, 200), (220, 200)], [(100, 200), (250, 200)])
    assert state(page, "v.camera.distance") < distance
    lookat = state(page, "v.camera.lookat")
    page.touch([(150, 200), (200, 200)], [(160, 220), (210, 220)], [(180, 260), (230, 260)])
    assert state(page, "v.camera.lookat") != lookat
    page.press("#whole") if not page.evaluate("document.querySelector('#panel').hidden") else page.key("Ctrl+a")
    page.touch([screen(page, "v.replay.centre(1)")])
    assert state(page, "v.selection") == {"kind": "body", "index": 1}
    assert not page.messages
    page.close()


@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("size", [(380, 700), (1280, 720), (2560, 1440)])
def test_sizes_and_schemes(pages: Pages, address: str, size: tuple[int, int], scheme: str) -> None:
    """Nothing is cut off, and texts are large enough and differ from what is behind them."""
    page = pages(size, scheme=scheme)
    page.open(address)
    page.evaluate("kinetoscope.select({kind: 'body', index: 1}), document.querySelector('#panel').hidden"
                  " && document.querySelector('#fold').click()")  # fmt: skip
    page.settle()
    inside = page.evaluate(
        "[...document.querySelectorAll('#transport > *, #panel')].every((e) => { const b = e.getBoundingClientRect();"
        " return e.hidden || (b.left >= 0 && b.right <= innerWidth && b.top >= 0 && b.bottom <= innerHeight); })"
    )
    assert inside
    assert page.evaluate("document.querySelector('#panel').scrollWidth <= document.querySelector('#panel').clientWidth")
    assert page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") >= 13
    bright = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--text').trim()")
    assert (bright == "#dee0e6") == (scheme == "dark")
    assert not page.messages
    page.close()


def test_soak(page: Page) -> None:
    """Random input: no error, no memory that grows."""
    rng = random.Random(7)
    keys = ["Space", "ArrowRight", "Home", "F6", "F7", "[", "]", "Escape", "=", "-", "PageUp", "?", *"cfntsrx03"]
    keys += ["Ctrl+ArrowRight", "Shift+ArrowLeft", "Shift+PageUp", "Shift+PageDown"]

    def somewhere() -> tuple[float, float]:
        return rng.uniform(0, page.size[0]), rng.uniform(0, page.size[1])

    acts: list[Callable[[], object]] = [
        lambda: page.key(rng.choice(keys)),
        lambda: page.click(*somewhere(), rng.choice(["left", "left", "right", "middle"]), rng.choice([1, 1, 2])),
        lambda: page.drag(somewhere(), somewhere(), rng.choice(["left", "right", "middle"])),
        lambda: page.wheel(*somewhere(), rng.choice([-300, -100, 100, 300])),
        lambda: page.resize((rng.randint(320, 1400), rng.randint(300, 900))),
    ]
    sizes: list[float] = []
    end, begun = time.monotonic() + SOAK, time.monotonic()
    while time.monotonic() < end:
        for _ in range(25):
            rng.choice(acts)()
            page.evaluate("document.querySelectorAll('dialog[open]').forEach((d) => d.close())")
        assert not page.messages
        page.send("HeapProfiler.collectGarbage")
        sizes.append(page.send("Runtime.getHeapUsage")["usedSize"] / 1e6)
        print(f"{time.monotonic() - begun:.0f} s: {sizes[-1]:.2f} MB")
    half = len(sizes) // 2
    assert half < 2 or np.median(sizes[half:]) < 1.3 * np.median(sizes[:half]) + 1


def test_without_webgl(pages: Pages, address: str) -> None:
    """The page says plainly what is missing."""
    page = pages()
    absent = "const real = HTMLCanvasElement.prototype.getContext; HTMLCanvasElement.prototype.getContext ="
    absent += " function (kind, ...more) { return kind === 'webgl2' ? null : real.call(this, kind, ...more); };"
    page.send("Page.addScriptToEvaluateOnNewDocument", source=absent)
    page.open(address)
    assert "WebGL 2" in page.evaluate("document.querySelector('#message').textContent")
    page.close()


def test_file_is_all_it_needs(address: str) -> None:
    text = Path(address.removeprefix("file://")).read_text(encoding="utf-8")
    assert "http://" not in text and "https://" not in text
