"""Every binding of the table, by real keys and a real mouse in a real window under Xvfb."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.scene.visual_flags import GROUP_FLAGS, VISUAL_FLAGS
from app.view.input import actions
from app.view.input.bindings import BINDINGS
from tests.app.window_driver import Viewer, own_viewer

pytestmark = [pytest.mark.window, pytest.mark.release]

# how X calls the keys of the table
KEYSYMS = {
    "=": "equal", "-": "minus", "[": "bracketleft", "]": "bracketright", ",": "comma", "'": "apostrophe",
    ";": "semicolon", "`": "grave", "\\": "backslash", "/": "slash", "Space": "space", "Right arrow": "Right",
    "Left arrow": "Left", "Backspace": "BackSpace", "Page up": "Page_Up", "Enter": "Return",
}  # fmt: skip
# bindings that switch something, and what the viewer's state calls it
TOGGLES = {
    "Tab": "panels", "Shift+Tab": "right", "Ctrl+B": "bottom", "F1": "manual", "F2": "info", "F3": "profiler",
    "F4": "sensors", "Ctrl+D": "light", "F5": "full_screen", "F11": "full_screen",
}  # fmt: skip
# bindings that have a test of their own, here or beside
TESTED = {
    "Left drag", "Right drag", "Shift+Right drag", "Middle drag", "Scroll", "Right double-click",
    "Ctrl+Right double-click", "Escape", "[", "]", "Left double-click", "Page up", "Ctrl+Left drag", "Ctrl+Right drag",
    "Ctrl+Shift+Right drag", "Ctrl+Alt+Left drag", "Space", "Right arrow", "Left arrow", "Backspace", "=", "-",
    "Ctrl+L", "Ctrl+P", "Ctrl+K", "Ctrl+=", "Ctrl+-", "Ctrl+A", "Ctrl+Shift+R", "Ctrl+Z", "Ctrl+Y", "Ctrl+Shift+Z",
    "Shift+Space", "Ctrl+Enter", "Home", "End", "Ctrl+Left arrow", "Ctrl+Right arrow", "Ctrl+[", "Ctrl+]", "Ctrl+\\",
    "F8", "F9", "F12", "Shift+F9", "Ctrl+F9", "WASD+Right drag", "Shift+WASD+Right drag", "Right drag+Scroll",
    "Shift+Q", "Shift+G", "Shift+R", "Shift+S", "Shift+J", "Shift+M", "Shift+X",
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
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    """A viewer for all tests here."""
    home = tmp_path_factory.mktemp("keys")
    (home / "chain.xml").write_text(CHAIN)
    with own_viewer(home / "chain.xml") as shown:
        yield shown


@pytest.fixture
def viewer(shared: Viewer) -> Viewer:
    """A paused viewer on two bodies, the first in the middle of the view."""
    shared.reset()
    return shared


def test_every_binding_is_tested() -> None:
    switches = {b.trigger for b in BINDINGS if b.action is actions.switch}
    # files, videos and the gallery are tested where these are
    files = {b.trigger for b in BINDINGS if b.group == "File"}
    assert {b.trigger for b in BINDINGS} == switches | files | set(TOGGLES) | TESTED


def test_switches_of_the_picture(viewer: Viewer) -> None:
    keys = [switch.key for switch in VISUAL_FLAGS if switch.key]
    before = viewer.state()["options"]
    viewer.keys(*map(keysym, keys))
    names = [switch.option for switch in VISUAL_FLAGS if switch.key]
    viewer.wait(lambda s: all(s["options"][name] != before[name] for name in names))
    # those of two states come back
    two = [switch for switch in VISUAL_FLAGS if switch.key and isinstance(before[switch.option], bool)]
    viewer.keys(*(keysym(switch.key) for switch in two))
    viewer.wait(lambda s: all(s["options"][switch.option] == before[switch.option] for switch in two))


def test_groups(viewer: Viewer) -> None:
    for row in GROUP_FLAGS:
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


def test_the_log_is_shown_below(viewer: Viewer) -> None:
    assert not viewer.state()["bottom"]
    viewer.keys("F8")
    viewer.wait(lambda s: s["bottom"])


def test_history_by_the_arrows(viewer: Viewer) -> None:
    viewer.keys(*5 * ["Right"])
    viewer.wait(lambda s: s["steps"] == 5)
    viewer.keys("Left")
    back = viewer.wait(lambda s: s["steps"] == 4)
    assert back["time"] == pytest.approx(0.002 * back["steps"])
    viewer.keys("Right")
    viewer.wait(lambda s: s["steps"] == 5)
    viewer.keys("BackSpace")
    viewer.wait(lambda s: s["steps"] == 0)


def test_keys_of_breakpoints(viewer: Viewer) -> None:
    """All on and off; and where they fire in what was recorded. Breakpoints are typed into their panel."""
    viewer.keys("F9")
    opened = viewer.wait(lambda s: "##breakpoint" in s["areas"])
    assert "no breakpoints yet" in opened["message"]
    viewer.press(opened["areas"]["##breakpoint"])
    viewer.wait(lambda s: s["typing"])
    viewer.type("d.time > 0.005")
    viewer.keys("Return")
    # the field keeps the keyboard for the next one
    viewer.wait(lambda s: s["breakpoints"] == [["d.time > 0.005", True, 0]] and s["typing"])
    viewer.keys("Escape")
    viewer.wait(lambda s: not s["typing"])
    for on in (False, True):
        viewer.keys("F9")
        viewer.wait(lambda s, on=on: s["breakpoints"][0][1] is on)  # type: ignore[misc]
    viewer.keys(*6 * ["Right"])
    viewer.wait(lambda s: s["steps"] == 6)
    viewer.keys(keysym("Shift+F9"))
    viewer.wait(lambda s: s["steps"] == 3 and s["paused"])
    viewer.keys(keysym("Home"), keysym("Ctrl+F9"))
    viewer.wait(lambda s: s["steps"] == 3 and s["paused"] and s["breakpoints"][0][2] >= 2)


def test_keys_of_the_past(viewer: Viewer) -> None:
    """First and last step, marks, a loop, playing backwards, and going on from there as a branch."""
    viewer.keys(*6 * ["Right"])
    viewer.wait(lambda s: s["steps"] == 6)
    viewer.keys(keysym("Home"))
    viewer.wait(lambda s: s["steps"] == 0)
    viewer.keys(keysym("End"))
    viewer.wait(lambda s: s["steps"] == 6)
    # the only mark is the start
    viewer.keys(keysym("Ctrl+Left arrow"))
    viewer.wait(lambda s: s["steps"] == 0)
    viewer.keys(keysym("End"), keysym("Shift+Space"))
    backwards = viewer.wait(lambda s: s["steps"] == 0 and s["paused"])
    for steps, key in ((2, "Ctrl+["), (4, "Ctrl+]")):
        viewer.keys("Right", "Right")
        viewer.wait(lambda s, steps=steps: s["steps"] == steps)  # type: ignore[misc]
        viewer.keys(keysym(key))
    viewer.wait(lambda s: s["loop"] == [2, 4])
    viewer.keys(keysym("Ctrl+\\"))
    viewer.wait(lambda s: s["loop"] is None and s["steps"] == 4)
    viewer.keys(keysym("Ctrl+Enter"))
    on = viewer.wait(lambda s: s["branch"] != backwards["branch"] and s["steps"] > 6 and not s["paused"])
    assert on["branches"][str(on["branch"])]["fork"] == 4
    viewer.keys("space")
    viewer.wait(lambda s: s["paused"])
    viewer.keys(keysym("Home"))
    viewer.wait(lambda s: s["steps"] == 0)
    # the next mark is the beginning of the branch
    viewer.keys(keysym("Ctrl+Right arrow"))
    viewer.wait(lambda s: s["steps"] == 4)


def test_tools_are_taken_and_put_away(viewer: Viewer) -> None:
    for key, tool in zip("grsjmq", ("move", "turn", "scale", "joint", "measure", "select"), strict=True):
        viewer.keys(f"shift+{key}")
        viewer.wait(lambda s, tool=tool: s["tool"] == tool)  # type: ignore[misc]
    viewer.keys("shift+x")
    viewer.wait(lambda s: s["snaps"])


def test_the_start_view_comes_back(viewer: Viewer) -> None:
    before = viewer.state()
    viewer.do("click", 4)
    viewer.wait(lambda s: s["distance"] != before["distance"])
    viewer.keys("ctrl+a")
    viewer.wait(lambda s: s["distance"] == pytest.approx(1.5) and s["elevation"] == 0)


def test_states_are_copied_and_models_saved(viewer: Viewer) -> None:
    viewer.keys("ctrl+c")
    viewer.wait(lambda s: s["message"] == "copied the state as an MJCF <key>")
    viewer.keys("ctrl+s")
    viewer.wait(lambda s: s["message"].startswith("nothing to save"))


def test_only_the_program_itself_restarts(viewer: Viewer) -> None:
    viewer.keys("ctrl+shift+r")
    viewer.wait(lambda s: s["message"].endswith("run the script again"))


def test_code(viewer: Viewer) -> None:
    viewer.key("F12")
    viewer.wait(lambda s: s["instruments"] == ["Code"] and "Code" in s["tabs"])


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
        viewer.type(f"shortcuts {word}")
        viewer.keys("Return")
        viewer.wait(lambda s, word=word: s["message"] == f"keyboard shortcuts: {word}" and not s["typing"])
        # the key of the help always works; that of the numbers before it, if shortcuts do
        for shown in (True, False):
            viewer.keys("F2", "F1")
            state = viewer.wait(lambda s, shown=shown: s["manual"] is shown)
            assert state["info"] is (shown and word == "on")


def test_palette_finds_and_does(viewer: Viewer) -> None:
    viewer.keys("ctrl+k")
    viewer.wait(lambda s: s["palette"])
    # letters go into its field, not to the picture
    options = viewer.state()["options"]
    viewer.type("faster")
    viewer.keys("Return")
    done = viewer.wait(lambda s: s["speed"] == 2.0)
    assert not done["palette"]
    assert done["options"] == options


QUICK = ("type", "--args", 1, "--delay", 0)
ENTER = ("key", "--delay", 0, "Return")


def open_plots(viewer: Viewer) -> tuple[int, int]:
    """Give the keyboard to the field of the plots; returns a place in the picture above."""
    viewer.keys("ctrl+b")
    left, top, _, height = viewer.wait(lambda s: s["bottom"] and s["picture"][3] < 0.8 * viewer.height)["picture"]
    # the second tab below the picture is that of plots, with a field on top or, if it is narrow, at the bottom
    viewer.do("mousemove", round(left) + 95, round(top + height) + 15)
    viewer.do("click", 1)
    for y in range(25, round(viewer.height - top - height), 8):
        viewer.do("mousemove", round(left) + 60, round(top + height) + y)
        if viewer.do("click", 1)["typing"]:
            return round(left) + 200, round(top) + 100
    pytest.fail("there is no field to type into")


def test_what_is_typed_stays_in_order(viewer: Viewer) -> None:
    options = viewer.state()["options"]
    # faster than frames are drawn: letters wait for the field, and for keys that are no letters
    viewer.do("key", "--delay", 0, "ctrl+k", *QUICK, "fastex", "key", "--delay", 0, "BackSpace", *QUICK, "r", *ENTER)
    done = viewer.wait(lambda s: s["speed"] == 2.0)
    assert not done["palette"]
    assert done["options"] == options


def test_lines_typed_one_after_another(viewer: Viewer) -> None:
    above = open_plots(viewer)
    options = viewer.state()["options"]
    done = viewer.do(*QUICK, "d.time", *ENTER, *QUICK, "d.qpos[0]", *ENTER, *QUICK, "m.nv", *ENTER)
    assert done["watches"] == ["d.time", "d.qpos[0]", "m.nv"]
    assert done["options"] == options
    # the field goes on to the next line
    viewer.wait(lambda s: s["typing"])
    # over the picture keys are its own again, unless something is half typed
    viewer.do("mousemove", *above)
    viewer.wait(lambda s: not s["typing"])
    viewer.keys("ctrl+b")
    viewer.wait(lambda s: not s["bottom"])


def test_all_that_came_during_a_frame_is_obeyed_in_the_next(viewer: Viewer) -> None:
    open_plots(viewer)
    viewer.ask("hold")
    viewer.do(*QUICK, "d.time", *ENTER, *QUICK, "d.qpos[0]", *ENTER, *QUICK, "m.nv", *ENTER)
    viewer.do("mousemove", *viewer.middle)
    held = viewer.do("key", "--delay", 0, *20 * ["w"], *9 * ["Right"], "F1", *3 * ["ctrl+equal"], *6 * ["minus"])
    assert held["watches"] == []
    after = viewer.ask("frame")
    assert after["frames"] == held["frames"] + 1
    assert after["watches"] == ["d.time", "d.qpos[0]", "m.nv"]
    assert (after["manual"], after["options"]["wireframe"]) == (True, held["options"]["wireframe"])
    assert after["font"] > held["font"]
    viewer.ask("go")
    viewer.wait(lambda s: s["steps"] == 9 and s["speed"] == 2**-6)


def test_keys_typed_before_another_window_takes_the_keyboard_are_not_lost(viewer: Viewer) -> None:
    open_plots(viewer)
    viewer.ask("hold")
    viewer.do(*QUICK, "d.time")
    viewer.do("windowfocus", 1)
    viewer.ask("frame")
    viewer.ask("go")
    viewer.do("windowfocus", "--sync", viewer.window())
    viewer.do(*ENTER)
    viewer.wait(lambda s: s["watches"] == ["d.time"])


def test_a_window_behind_its_input_closes_with_its_next_frame(tmp_path: Path) -> None:
    (tmp_path / "chain.xml").write_text(CHAIN)
    with own_viewer(tmp_path / "chain.xml") as viewer:
        viewer.do("mousemove", *viewer.middle)
        viewer.ask("hold")
        viewer.do("key", "--delay", 0, *100 * ["w"])
        viewer.double_click(1)
        viewer.do("click", "--repeat", 20, "--delay", 0, 4, "mousemove_relative", 3, 3)
        before = viewer.do("key", "ctrl+q")["frames"]
        assert viewer.close("frame").endswith(f"closed after {before + 1}\n")


def test_select_look_at_track_and_let_go(viewer: Viewer) -> None:
    x, y = viewer.middle
    # the second body is to the right, four tenths of the visible height of 1.5 * tan(22.5°) * 2 m away
    right = x + round(0.4 / 1.2426 * viewer.height)
    viewer.do("mousemove", right, y)
    viewer.double_click(1)
    viewer.wait(lambda s: s["body"] == 2 and "rod" in s["message"])
    viewer.keys("Page_Up")
    viewer.wait(lambda s: s["body"] == 1)
    before = viewer.state()["distance"]
    viewer.double_click(3)
    looking = viewer.wait(lambda s: s["lookat"][0] == pytest.approx(0.4, abs=0.1))
    assert looking["distance"] == pytest.approx(before)
    # now the second body is in the middle
    viewer.do("mousemove", x, y)
    viewer.do("keydown", "ctrl")
    viewer.double_click(3)
    viewer.do("keyup", "ctrl")
    viewer.wait(lambda s: s["tracked"] == 2)
    viewer.keys("Escape")
    viewer.wait(lambda s: s["tracked"] == -1)


@pytest.mark.parametrize(
    ("modifiers", "button", "way", "moved"),
    [(("ctrl", "shift"), 3, (0, -60), 1), (("ctrl", "alt"), 1, (0, -60), 2), (("ctrl",), 1, (60, 0), None)],
)
def test_pulls(viewer: Viewer, modifiers: tuple[str, ...], button: int, way: tuple[int, int], moved: int) -> None:
    viewer.double_click(1)
    before = viewer.wait(lambda s: s["body"] == 1)["places"]
    for name in modifiers:
        viewer.do("keydown", name)
    viewer.drag(button, *way)
    for name in modifiers:
        viewer.do("keyup", name)
    if moved is None:
        # a turn moves what hangs on the body, not the body
        viewer.wait(lambda s: s["places"][1] == pytest.approx(before[1], abs=1e-3)
                    and s["places"][2] != pytest.approx(before[2], abs=1e-2))  # fmt: skip
    else:
        viewer.wait(lambda s: abs(s["places"][1][moved] - before[1][moved]) > 0.02)


def test_shortcuts_are_off_while_typing(viewer: Viewer) -> None:
    before = viewer.state()
    # the search field of the model tree, in the lower half of the left side
    for y in range(280, 420, 12):
        viewer.do("mousemove", 50, y)
        if viewer.do("click", 1)["typing"]:
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
