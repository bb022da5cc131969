"""An afternoon's work in a real window under Xvfb: edits, undo, a pull, another editor, a save, and leaving."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.ui.test_window_files import GOOD, press
from tests.app.window_driver import State, Viewer, own_viewer
from tests.patience import PATIENCE

pytestmark = [pytest.mark.window, pytest.mark.release]

TIMESTEP, IMPRATIO, LS_TOLERANCE = (f"##opt.{name}()" for name in ("timestep", "impratio", "ls_tolerance"))


def drag(viewer: Viewer, number: str, dx: int) -> None:
    """Drag a number of the Physics panel."""
    count = len(viewer.state()["journal"])
    viewer.press(viewer.wait(lambda s: number in s["numbers"])["numbers"][number], dx)
    viewer.wait(lambda s: len(s["journal"]) == count + 1)


def test_nothing_is_lost_in_an_afternoon(tmp_path: Path) -> None:
    file = tmp_path / "first.xml"
    file.write_text(GOOD)
    with own_viewer(file) as viewer:
        start = viewer.state()["options_now"]
        options = edit_undo_and_redo(viewer, start)
        back = pull_and_undo(viewer)
        assert back["options_now"] == options
        # the file is changed in an editor: edits, state and time stay
        changed = GOOD.replace("rgba='0.8 0.3 0.2 1'", "rgba='0 0 1 1'").replace(
            "<worldbody>", "<!-- mine -->\n<worldbody>"
        )
        file.write_text(changed)
        state = viewer.wait(lambda s: any(text.startswith("file: rgba of") for text in s["markers"]))
        assert state["options_now"] == options
        assert (state["qpos"], state["time"], state["steps"]) == (back["qpos"], back["time"], back["steps"])
        assert len(state["unsaved"]) == 2
        # saved: those two, and nothing else
        viewer.key("ctrl+s")
        press(viewer, "Save")
        state = viewer.wait(lambda s: not s["asks"] and not s["unsaved"])
        numbers = f'impratio="{options["impratio"]:g}" timestep="{options["timestep"]:g}"'
        assert file.read_text() == changed.replace("<mujoco>\n", f"<mujoco>\n<option {numbers}/>\n")
        assert (state["options_now"], state["qpos"]) == (options, back["qpos"])
        leave(viewer, start)


def edit_undo_and_redo(viewer: Viewer, start: dict[str, float]) -> dict[str, float]:
    """Edit three fields by the mouse, undo two, redo one; returns the options after that."""
    for number, dx in ((TIMESTEP, 30), (IMPRATIO, 60), (LS_TOLERANCE, 40)):
        drag(viewer, number, dx)
    edited = viewer.state()
    assert [text.split(":")[0] for text, _ in edited["journal"]] == ["timestep", "impratio", "ls_tolerance"]
    assert all(edited["options_now"][name] > value for name, value in start.items())
    assert len(edited["unsaved"]) == 3
    viewer.key("ctrl+z")
    viewer.key("ctrl+z")
    state = viewer.wait(lambda s: [on for _, on in s["journal"]] == [True, False, False])
    assert state["options_now"] == {**start, "timestep": edited["options_now"]["timestep"]}
    assert state["notification"].startswith("undone: impratio: 1 → ")
    viewer.key("ctrl+shift+z")
    state = viewer.wait(lambda s: [on for _, on in s["journal"]] == [True, True, False])
    options: dict[str, float] = {**edited["options_now"], "ls_tolerance": start["ls_tolerance"]}
    assert state["options_now"] == options
    return options


def pull_and_undo(viewer: Viewer) -> State:
    """Pull the ball while time runs, and go back to before that."""
    viewer.do("mousemove", viewer.middle[0], viewer.middle[1] - 120)
    viewer.double_click(1)
    viewer.wait(lambda s: s["body"] == 1)
    viewer.key("space")
    viewer.wait(lambda s: s["steps"] > 10)
    viewer.do("keydown", "ctrl")
    viewer.drag(3, 0, -60)
    viewer.do("keyup", "ctrl")
    viewer.wait(lambda s: any(text.startswith("pull: ") for text, _ in s["journal"]))
    viewer.key("ctrl+z")
    back = viewer.wait(lambda s: s["paused"] and s["notification"].startswith("undone: pull"))
    # the future that was pulled stays, on a branch of its own
    assert back["steps"] < max(branch["last"] for branch in back["branches"].values())
    assert [on for _, on in back["journal"]] == [True, True, False, False]
    return back


def leave(viewer: Viewer, start: dict[str, float]) -> None:
    """Undo goes on behind a save; leaving asks if something is unsaved, and can be cancelled."""
    viewer.key("ctrl+z")
    state = viewer.wait(lambda s: s["options_now"]["impratio"] == start["impratio"])
    assert len(state["unsaved"]) == 1
    viewer.key("ctrl+q")
    viewer.wait(lambda s: s["asks"])
    press(viewer, "Cancel")
    viewer.wait(lambda s: not s["asks"])
    viewer.key("ctrl+y")
    viewer.wait(lambda s: not s["unsaved"])
    # with nothing unsaved it asks nothing
    viewer.tell("key", "ctrl+q")
    assert viewer.process.wait(PATIENCE) == 0
    viewer._last = "closed"
