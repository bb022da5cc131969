"""Every binding of the table, by real keys and a real mouse in a real window under Xvfb."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.bindings import BINDINGS, Action
from app.visual import GROUPS, SWITCHES
from tests.app.window_driver import Viewer, own_viewer

pytestmark = pytest.mark.window

# how X calls the keys of the table
KEYSYMS = {
    "=": "equal", "-": "minus", "[": "bracketleft", "]": "bracketright", ",": "comma", "'": "apostrophe",
    ";": "semicolon", "`": "grave", "\\": "backslash", "/": "slash", "Space": "space", "Right arrow": "Right",
    "Left arrow": "Left", "Backspace": "BackSpace", "Page up": "Page_Up",
}  # fmt: skip
# bindings that switch something, and what the viewer's state calls it
TOGGLES = {
    "Tab": "panels", "Shift+Tab": "right", "Ctrl+B": "bottom", "F1": "help", "F2": "info", "F3": "profiler",
    "F4": "sensors", "Ctrl+D": "light", "F5": "full_screen",
}  # fmt: skip
# bindings that have a test of their own, here or beside
TESTED = {
    "Left drag", "Right drag", "Shift+Right drag", "Middle drag", "Scroll", "Right double-click",
    "Ctrl+Right double-click", "Escape", "[", "]", "Left double-click", "Page up", "Ctrl+Left drag", "Ctrl+Right drag",
    "Ctrl+Shift+Right drag", "Ctrl+Alt+Left drag", "Space", "Right arrow", "Left arrow", "Backspace", "=", "-",
    "Ctrl+L", "Ctrl+P", "Ctrl+K", "Ctrl+=", "Ctrl+-", "Ctrl+A", "Ctrl+Shift+R",
}  # fmt: skip

CHAIN = """<mujoco><option gravity='0 0 0'/><statistic center='0 0 0' extent='1'/>
<visual><global azimuth='90' elevation='0'/></visual>
<worldbody><body name='ball'><freejoint/><geom size='.2'/>
  <body name='rod' pos='.4 0 0'><joint type='hinge'/><geom type='box' size='.15 .15 .15'/></body>
</body></worldbody></mujoco>"""


def keysym(trigger: str) -> str:
    """A key of the table as xdotool writes it."""
    *modifiers, key = trigger.split("+") if not trigger.endswith("+") else [trigger]
    name = KEYSYMS.get(key, key.lower() if len(key) == 1 else key)
    return "+".join([*(m.lower() for m in modifiers), name])


@pytest.fixture(scope="module")
def viewer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    """A paused viewer on two bodies, the first in the middle of the view."""
    home = tmp_path_factory.mktemp("keys")
    (home / "chain.xml").write_text(CHAIN)
    with own_viewer(home / "chain.xml") as shown:
        yield shown


def test_every_binding_is_tested() -> None:
    switches = {b.trigger for b in BINDINGS if b.action is Action.SWITCH}
    # files, videos and the gallery are tested where these are
    files = {b.trigger for b in BINDINGS if b.group == "File"}
    assert {b.trigger for b in BINDINGS} == switches | files | set(TOGGLES) | TESTED


def test_switches_of_the_picture(viewer: Viewer) -> None:
    keys = [switch.key for switch in SWITCHES if switch.key]
    before = viewer.state()["options"]
    viewer.do("mousemove", *viewer.middle)
    viewer.keys(*map(keysym, keys))
    names = [switch.option for switch in SWITCHES if switch.key]
    viewer.wait(lambda s: all(s["options"][name] != before[name] for name in names))
    # those of two states come back
    two = [switch for switch in SWITCHES if switch.key and isinstance(before[switch.option], bool)]
    viewer.keys(*(keysym(switch.key) for switch in two))
    viewer.wait(lambda s: all(s["options"][switch.option] == before[switch.option] for switch in two))


def test_groups(viewer: Viewer) -> None:
    for row in GROUPS:
        keys = [row.key(group) for group in range(6) if row.key(group)]
        if not keys:
            continue
        before = viewer.state()["options"][row.option]
        viewer.keys(*map(keysym, keys))
        viewer.wait(lambda s, row=row, before=before: s["options"][row.option] == [not on for on in before])  # type: ignore[misc]
        viewer.keys(*map(keysym, keys))
        viewer.wait(lambda s, row=row, before=before: s["options"][row.option] == before)  # type: ignore[misc]


@pytest.mark.parametrize("trigger", TOGGLES)
def test_toggles(viewer: Viewer, trigger: str) -> None:
    what = TOGGLES[trigger]
    before = viewer.state()[what]
    for wanted in (not before, before):
        viewer.keys(keysym(trigger))
        viewer.wait(lambda s, wanted=wanted: s[what] is wanted)  # type: ignore[misc]


def test_history_by_the_arrows(viewer: Viewer) -> None:
    viewer.keys("BackSpace")
    viewer.wait(lambda s: s["steps"] == 0)
    # where frames are slow, a key that is held repeats
    viewer.keys("Right", "Right", "Right", "Right", "Right")
    end = viewer.wait(lambda s: s["steps"] >= 5)["steps"]
    viewer.keys("Left")
    back = viewer.wait(lambda s: s["steps"] < end)
    assert back["time"] == pytest.approx(0.002 * back["steps"])
    viewer.keys("Right")
    viewer.wait(lambda s: s["steps"] > back["steps"])
    viewer.keys("BackSpace")
    viewer.wait(lambda s: s["steps"] == 0)


def test_the_start_view_comes_back(viewer: Viewer) -> None:
    before = viewer.state()
    viewer.do("mousemove", *viewer.middle)
    viewer.do("click", 4)
    viewer.wait(lambda s: s["distance"] != before["distance"])
    viewer.keys("ctrl+a")
    viewer.wait(lambda s: s["distance"] == pytest.approx(1.5) and s["elevation"] == 0)


def test_states_and_models_are_copied_and_saved(viewer: Viewer) -> None:
    viewer.keys("ctrl+c")
    viewer.wait(lambda s: s["message"] == "copied the state as a <key> of MJCF")
    viewer.keys("ctrl+s")
    path = Path(viewer.wait(lambda s: s["message"].startswith("saved"))["message"].removeprefix("saved "))
    assert path.name.startswith("chain-")
    assert "rod" in path.read_text()


def test_only_the_program_itself_starts_anew(viewer: Viewer) -> None:
    viewer.keys("ctrl+shift+r")
    viewer.wait(lambda s: s["message"].endswith("run the script again"))


def test_font_size(viewer: Viewer) -> None:
    before = viewer.state()["font"]
    viewer.keys("ctrl+equal")
    viewer.wait(lambda s: s["font"] > before)
    viewer.keys("ctrl+minus")
    viewer.wait(lambda s: s["font"] == pytest.approx(before))


def test_shortcuts_can_be_switched_off(viewer: Viewer) -> None:
    for word in ("off", "on"):
        viewer.keys("ctrl+k")
        viewer.wait(lambda s: s["palette"])
        viewer.do("mousemove_relative", 1, 1)
        viewer.do("type", "--delay", 40, f"shortcuts {word}")
        viewer.keys("Return")
        viewer.wait(lambda s, word=word: s["message"] == f"keyboard shortcuts are {word}" and not s["typing"])
        # the key of the help always works; that of the numbers before it, if shortcuts do
        for shown in (True, False):
            viewer.keys("F2", "F1")
            state = viewer.wait(lambda s, shown=shown: s["help"] is shown)
            assert state["info"] is (shown and word == "on")


def test_palette_finds_and_does(viewer: Viewer) -> None:
    viewer.keys("ctrl+k")
    viewer.wait(lambda s: s["palette"])
    # letters go into its field, not to the picture
    options = viewer.state()["options"]
    viewer.do("mousemove_relative", 1, 1)
    viewer.do("type", "--delay", 40, "faster")
    viewer.keys("Return")
    done = viewer.wait(lambda s: s["speed"] == 2.0)
    assert not done["palette"]
    assert done["options"] == options
    viewer.keys("minus")
    viewer.wait(lambda s: s["speed"] == 1.0)


def test_what_is_typed_stays_in_order(viewer: Viewer) -> None:
    viewer.keys("ctrl+k")
    viewer.wait(lambda s: s["palette"] and s["typing"])
    options = viewer.state()["options"]
    # faster than frames are drawn: letters and other keys wait for each other
    quick = ("type", "--args", 1, "--delay", 0)
    viewer.do(*quick, "fastex", "key", "--delay", 0, "BackSpace", *quick, "r", "key", "--delay", 0, "Return")
    done = viewer.wait(lambda s: not s["palette"])
    assert done["speed"] == 2.0
    assert done["options"] == options
    viewer.keys("minus")
    viewer.wait(lambda s: s["speed"] == 1.0)


def test_lines_typed_one_after_another(viewer: Viewer) -> None:
    viewer.keys("ctrl+b")
    left, top, _, height = viewer.wait(lambda s: s["bottom"] and s["picture"][3] < 0.8 * viewer.height)["picture"]
    # the second tab below the picture is that of plots, with a field on top
    viewer.do("mousemove", round(left) + 95, round(top + height) + 15)
    viewer.do("click", 1)
    for y in range(25, 80, 8):
        viewer.do("mousemove", round(left) + 60, round(top + height) + y)
        viewer.do("click", 1)
        if viewer.state()["typing"]:
            break
    else:
        pytest.fail("there is no field to type into")
    options = viewer.state()["options"]
    quick = ("type", "--args", 1, "--delay", 0)
    enter = ("key", "--delay", 0, "Return")
    viewer.do(*quick, "d.time", *enter, *quick, "d.qpos[0]", *enter, *quick, "m.nv", *enter)
    done = viewer.wait(lambda s: len(s["watches"]) == 3)
    assert done["watches"] == ["d.time", "d.qpos[0]", "m.nv"]
    assert done["options"] == options
    assert done["typing"]
    # over the picture keys are its own again, unless something is half typed
    x, y = round(left) + 200, round(top) + 100
    viewer.do("mousemove", x, y)
    viewer.wait(lambda s: not s["typing"])
    viewer.keys("ctrl+b")
    viewer.wait(lambda s: not s["bottom"])


def test_select_look_at_track_and_let_go(viewer: Viewer) -> None:
    x, y = viewer.middle
    double = ("click", "--repeat", 2, "--delay", 60)
    # the second body is to the right, four tenths of the visible height of 1.5 * tan(22.5°) * 2 m away
    right = x + round(0.4 / 1.2426 * viewer.height)
    viewer.do("mousemove", right, y)
    time.sleep(0.5)
    viewer.do(*double, 1)
    viewer.wait(lambda s: s["body"] == 2 and "rod" in s["message"])
    viewer.keys("Page_Up")
    viewer.wait(lambda s: s["body"] == 1)
    before = viewer.state()["distance"]
    viewer.do(*double, 3)
    looking = viewer.wait(lambda s: s["lookat"][0] == pytest.approx(0.4, abs=0.1))
    assert looking["distance"] == pytest.approx(before)
    # now the second body is in the middle
    viewer.do("mousemove", x, y)
    viewer.do("keydown", "ctrl")
    viewer.do(*double, 3)
    viewer.do("keyup", "ctrl")
    viewer.wait(lambda s: s["tracked"] == 2)
    viewer.keys("Escape")
    viewer.wait(lambda s: s["tracked"] == -1)


def test_pulls(viewer: Viewer) -> None:
    viewer.keys("BackSpace")
    viewer.wait(lambda s: s["steps"] == 0)
    assert viewer.state()["body"] == 1
    for modifiers, button, way, moved in (
        (("ctrl", "shift"), 3, (0, -60), 1),
        (("ctrl", "alt"), 1, (0, -60), 2),
        (("ctrl",), 1, (60, 0), None),
    ):
        before = viewer.state()["places"]
        for name in modifiers:
            viewer.do("keydown", name)
        viewer.drag(button, *way)
        for name in modifiers:
            viewer.do("keyup", name)
        if moved is None:
            # a turn moves what hangs on the body, not the body
            viewer.wait(lambda s, b=before: s["places"][1] == pytest.approx(b[1], abs=1e-3)  # type: ignore[misc]
                        and s["places"][2] != pytest.approx(b[2], abs=1e-2))  # fmt: skip
        else:
            viewer.wait(lambda s, b=before, k=moved: abs(s["places"][1][k] - b[1][k]) > 0.02)  # type: ignore[misc]


def test_shortcuts_are_off_while_typing(viewer: Viewer) -> None:
    before = viewer.state()
    # the search field of the model tree, in the lower half of the left side
    for y in range(280, 420, 12):
        viewer.do("mousemove", 50, y)
        viewer.do("click", 1)
        if viewer.state()["typing"]:
            break
    else:
        pytest.fail("there is no field to type into")
    viewer.keys("w", "x")
    viewer.keys("space")
    now = viewer.state()
    assert now["paused"]
    assert now["options"] == before["options"]
    viewer.do("mousemove", *viewer.middle)
    viewer.do("click", 1)
    viewer.keys("w")
    viewer.wait(lambda s: s["options"]["wireframe"] != before["options"]["wireframe"])
    viewer.keys("w")
