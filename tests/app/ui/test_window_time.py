"""Time in a real window under Xvfb: pull, edit, scrub, replay, go on from there, switch, compare, film the past."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from app.run.history.branch_colours import branch_colour
from tests.app.movie import read_frames
from tests.app.window_driver import TURNS, State, Viewer, own_viewer

pytestmark = [pytest.mark.window, pytest.mark.release]

# a ball on a spring above a floor, and a pendulum
MODEL = """<mujoco>
<worldbody>
<light directional='true' dir='0.3 0.3 -1'/>
<geom type='plane' size='0 0 1' rgba='0.3 0.4 0.3 1'/>
<body name='ball' pos='0 0 1'><joint type='slide' axis='1 0 0' stiffness='8'/><joint type='slide' axis='0 0 1'/>
<geom size='.2' rgba='0.8 0.3 0.2 1'/></body>
<body name='pendulum' pos='.7 0 1.2'><joint axis='0 1 0'/><geom type='capsule' size='.05' fromto='0 0 0 .5 0 0'/></body>
</worldbody>
</mujoco>
"""
TIMESTEP = "##opt.timestep()"
FILE_TIMESTEP = 0.002
STRIP, GO_ON = "##strip", "##go on"
# of the axis at both ends of the strip, in pixels
PAD = 6.75
Moments = dict[str, list[Any]]


@dataclass
class Story:
    """A viewer, where screenshots go, and what was seen of each branch: qpos, qvel and time by step."""

    viewer: Viewer
    folder: Path
    seen: dict[tuple[int, int], tuple[Any, ...]] = field(default_factory=dict)

    def shot(self, name: str, still: bool = True) -> np.ndarray:
        """A screenshot; `still`: when the picture does not change any more."""
        pixels, before = self.viewer.screen(), None
        while still and before is None:
            state = self.viewer.wait(lambda s: not s["refining"])
            self.viewer.ask("settle")
            before, pixels = pixels, self.viewer.screen()
            x, y, width, height = (round(part) for part in state["picture"])
            part = slice(y, y + height), slice(x, x + width)
            before = before if (before[part] == pixels[part]).all() else None
        Image.fromarray(np.ascontiguousarray(pixels)).save(self.folder / f"{name}.png")
        return pixels.astype(int)

    def look(self) -> State:
        """The state; a moment that was seen before has not changed."""
        state = self.viewer.state()
        now = state["qpos"], state["qvel"], state["time"]
        assert self.seen.setdefault((self.owner(state), state["steps"]), now) == now
        return state

    def owner(self, state: State) -> int:
        """The branch that the shown moment belongs to: at a fork the younger one."""
        branch = state["branch"]
        while state["steps"] < state["branches"][str(branch)]["fork"]:
            branch = state["branches"][str(branch)]["parent"]
        return int(branch)

    def until(self, condition: Callable[[State], bool]) -> State:
        """The first state that meets a condition, while all others are looked at too."""
        for _ in range(TURNS):
            state = self.look()
            if condition(state):
                return state
        raise AssertionError(f"never happened; the viewer is in {state}")

    def moments(self, branch: int) -> Moments:
        """All moments of the line of a branch, by step."""
        found: Moments = self.viewer.ask(f"moments {branch}")["moments"]
        return found

    def pause(self) -> State:
        """Press Space while it runs."""
        self.viewer.key("space")
        return self.until(lambda s: s["paused"])

    def pull(self, dx: int, dy: int) -> None:
        """Pull the selected body."""
        self.viewer.do("keydown", "ctrl")
        self.viewer.drag(3, dx, dy)
        self.viewer.do("keyup", "ctrl")

    def press(self, kind: str, label: str) -> None:
        """Press a button or an area, by the end of its label."""
        state = self.viewer.wait(lambda s: any(name.endswith(label) for name in s[kind]))
        self.viewer.press(next(rect for name, rect in state[kind].items() if name.endswith(label)))

    def drag(self, start: float, end: float, *modifiers: str) -> None:
        """Drag on the strip from one time to another, s."""
        viewer = self.viewer
        state = viewer.wait(lambda s: STRIP in s["areas"])
        left, top, right, bottom = state["areas"][STRIP]
        whole = max(branch["end"] for branch in state["branches"].values())
        x, x_end = (round(left + PAD + time / whole * (right - left - 2 * PAD)) for time in (start, end))
        viewer.do("mousemove", x, round(bottom - 0.1 * (bottom - top)))
        for key in modifiers:
            viewer.do("keydown", key)
        viewer.do("mousedown", 1)
        for part in (1, 2, 3):
            viewer.do("mousemove", x + (x_end - x) * part // 3, round(bottom - 0.1 * (bottom - top)))
        viewer.do("mouseup", 1)
        for key in modifiers:
            viewer.do("keyup", key)

    def scrub(self, time: float) -> State:
        """Drag the playhead to a time; the state once it is shown."""
        state = self.viewer.state()
        self.drag(0.9 * max(branch["end"] for branch in state["branches"].values()), time)
        return self.until(lambda s: s["paused"] and s["steps"] == s["gone_to"])

    def shows(self, state: State, moments: Moments) -> None:
        """What is on the screen is what was recorded there, with the model that it was recorded with."""
        _, time, qpos, qvel, edits = moments[str(state["steps"])]
        assert (state["time"], state["qpos"], state["qvel"]) == (time, qpos, qvel)
        cells = edits.get("opt.timestep", [])
        assert state["timestep"] == (cells[0][2] if cells else FILE_TIMESTEP)


def test_time_replays_and_branches(tmp_path: Path) -> None:
    """One story: each part begins with what the part before it has left."""
    (tmp_path / "model.xml").write_text(MODEL)
    with own_viewer(tmp_path / "model.xml", "1300x900") as viewer:
        story = Story(viewer, tmp_path)
        recorded, edited = pull_and_edit(story)
        scrub_and_replay(story, recorded, edited)
        branch = go_on_from_here(story, edited)
        switch_and_compare(story, branch)
        film_a_range(story)


def test_a_recording_is_opened_as_it_was_seen(tmp_path: Path) -> None:
    """The switch writes a file; opened, it has the same moments, camera and options, and goes on from any of them."""
    (tmp_path / "model.xml").write_text(MODEL)
    with own_viewer(tmp_path / "model.xml", "1300x900") as viewer:
        story = Story(viewer, tmp_path)
        viewer.drag(1, 120, 30)
        viewer.key("c")
        viewer.key("ctrl+alt+r")
        viewer.key("space")
        story.until(lambda s: s["time"] > 0.5)
        end = story.pause()
        viewer.key("ctrl+alt+r")
        viewer.wait(lambda s: s["notification"].startswith("saved "))
        (file,) = tmp_path.glob("*.ktr")
        recorded = story.moments(end["branch"])
        viewer.reset(file)
        again = viewer.wait(lambda s: s["steps"] == 0 and s["paused"])
        assert again["azimuth"] == end["azimuth"] != 90.0
        assert again["options"] == end["options"] and again["options"]["contact_point"]
        assert again["last"] == end["last"]
        viewer.key("End")
        story.shows(viewer.wait(lambda s: s["steps"] == s["last"]), recorded)
        # computed again
        viewer.key("Left")
        story.shows(viewer.wait(lambda s: s["steps"] == s["last"] - 1), recorded)
        kept = story.moments(again["branch"])
        assert kept == {step: recorded[step] for step in kept}
        story.shot("a recording")


def pull_and_edit(story: Story) -> tuple[Moments, float]:
    """Pull the ball while time runs, then edit the timestep and go on; returns all moments, and when the edit was."""
    viewer = story.viewer
    viewer.key("ctrl+b")
    viewer.wait(lambda s: s["bottom"] and STRIP in s["areas"])
    viewer._look(viewer.state())
    story.shot("0 start")
    viewer.do("mousemove", *map(round, viewer.state()["spots"][1]))
    viewer.double_click(1)
    viewer.wait(lambda s: s["body"] == 1)
    viewer.key("space")
    story.until(lambda s: s["time"] > 1.2)
    story.pull(60, -40)
    story.until(lambda s: any(text.startswith("pull: ") for text, _ in s["journal"]))
    pulled = story.pause()
    # the selection has brought the inspector to the front
    viewer.press(viewer.state()["tabs"]["Physics"])
    viewer.press(viewer.wait(lambda s: TIMESTEP in s["numbers"])["numbers"][TIMESTEP], 40)
    edited = viewer.wait(lambda s: s["timestep"] > FILE_TIMESTEP)
    assert (edited["steps"], edited["qpos"]) == (pulled["steps"], pulled["qpos"])
    viewer.key("space")
    story.until(lambda s: s["steps"] > edited["steps"] + 200)
    end = story.pause()
    story.shot("1 pulled and edited")
    moments = story.moments(end["branch"])
    assert sorted(map(int, moments)) == list(range(end["last"] + 1))
    story.shows(end, moments)
    return moments, edited["time"]


def scrub_and_replay(story: Story, recorded: Moments, edited: float) -> None:
    """In the past there is the model as it was; Space replays the same states, and simulates on at the end."""
    past = story.scrub(0.7 * edited)
    assert 0 < past["steps"] < past["last"] == len(recorded) - 1
    assert past["timestep"] == FILE_TIMESTEP
    story.shows(past, recorded)
    story.shot("2 scrubbed back")
    story.viewer.key("space")
    state = story.until(lambda s: not s["paused"])
    while state["steps"] < len(recorded) - 1:
        assert state["replaying"]
        story.shows(state, recorded)
        state = story.look()
    story.until(lambda s: s["last"] > len(recorded) + 20 and not s["replaying"])
    end = story.pause()
    assert end["branches"].keys() == past["branches"].keys()
    after = story.moments(end["branch"])
    # what was recorded is the same, all of each row
    assert {step: after[step] for step in recorded} == recorded
    story.shot("3 replayed and gone on")


def go_on_from_here(story: Story, edited: float) -> int:
    """The button begins a branch with the model of that moment; the old future stays. Returns the new branch."""
    past = story.scrub(0.8 * edited)
    old, before = past["branch"], story.moments(past["branch"])
    story.press("buttons", GO_ON)
    story.until(lambda s: s["branch"] != old and s["steps"] > past["steps"] + 100)
    # pulled elsewhere, it goes elsewhere
    story.pull(-80, -60)
    story.until(lambda s: s["steps"] > past["steps"] + 300)
    now = story.pause()
    mine = now["branches"][str(now["branch"])]
    assert (mine["parent"], mine["fork"], mine["last"]) == (old, past["steps"], now["steps"])
    assert now["branches"][str(old)]["last"] == past["last"]
    assert now["timestep"] == past["timestep"] == FILE_TIMESTEP
    assert story.moments(old) == before
    moments = story.moments(now["branch"])
    # the same up to the fork; there a pull of the old future has ended
    assert [step for step in range(mine["fork"]) if moments[str(step)] != before[str(step)]] == []
    assert moments[str(mine["fork"])][1:] == before[str(mine["fork"])][1:]
    common = str(min(mine["last"], past["last"]))
    assert moments[common][2] != before[common][2]
    story.shot("4 gone on from there")
    return int(now["branch"])


def switch_and_compare(story: Story, branch: int) -> None:
    """The other branch at the same time, with its own model; the one left is a ghost in the picture."""
    viewer, branches = story.viewer, story.look()["branches"]
    mine, old = branches[str(branch)], branches[str(branch)]["parent"]
    moments, other = story.moments(branch), story.moments(old)
    # a moment that both have, after they have parted
    begin, end = moments[str(mine["fork"])][1], min(mine["end"], branches[str(old)]["end"])
    here = story.scrub(begin + 0.8 * (end - begin))
    story.shows(here, moments)
    assert mine["fork"] < here["steps"] and here["time"] < end
    story.press("areas", f"##name{old}")
    there = story.until(lambda s: s["branch"] == old)
    assert there["time"] == pytest.approx(here["time"], abs=0.01)
    story.shows(there, other)
    assert there["qpos"] != here["qpos"]
    plain = story.shot("5 switched")
    story.press("buttons", f"ghost{branch}")
    compared = story.until(lambda s: s["ghost"] == branch and s["ghost_places"])
    # the ghost is the other branch at this time
    step = max(int(k) for k, moment in moments.items() if moment[1] <= compared["time"] + 1e-12)
    ball = moments[str(step)][2]
    assert compared["ghost_places"][1] == pytest.approx([ball[0], 0, 1 + ball[1]], abs=1e-12)
    assert (compared["qpos"], compared["steps"]) == (there["qpos"], there["steps"])
    ghostly = story.shot("6 compared")
    x, y, width, height = (round(part) for part in compared["picture"])
    part = slice(y, y + height), slice(x, x + width)
    changed = np.abs(ghostly - plain)[part].max(axis=2) > 20
    assert changed.sum() > 200
    # towards the colour of the branch
    colour = 255 * np.array(branch_colour(mine["colour"]))
    towards = np.abs(ghostly - colour).sum(axis=2) < np.abs(plain - colour).sum(axis=2)
    assert towards[part][changed].mean() > 0.9
    story.press("buttons", f"ghost{branch}")
    viewer.wait(lambda s: s["ghost"] == -1)


def film_a_range(story: Story) -> None:
    """Shift+drag selects it, the button films it, twice the same; then the user is back where he was."""
    viewer, here = story.viewer, story.look()
    story.drag(0.3, 1.0, "shift")
    loop = viewer.wait(lambda s: s["loop"])["loop"]
    story.shot("7 a range")
    moments = story.moments(here["branch"])
    films = []
    for _ in range(2):
        before = set(story.folder.glob("*.mp4"))
        story.press("buttons", "##film")
        viewer.wait(lambda s: s["filming"])
        story.shot("8 filming", still=False)
        back = viewer.wait(lambda s: not s["filming"] and s["steps"] == here["steps"])
        assert back["paused"] and back["branch"] == here["branch"]
        assert (back["qpos"], back["qvel"], back["timestep"]) == (here["qpos"], here["qvel"], here["timestep"])
        (path,) = set(story.folder.glob("*.mp4")) - before
        films.append(list(read_frames(path)))
    seconds = moments[str(loop[1])][1] - moments[str(loop[0])][1]
    assert len(films[0]) == len(films[1]) == int(60 * seconds + 1e-6) + 1
    assert all((a == b).all() for a, b in zip(*films, strict=True))
    assert np.abs(films[0][0].astype(int) - films[0][-1]).max() > 60
    Image.fromarray(films[0][len(films[0]) // 2]).save(story.folder / "9 a frame of the film.png")
    # nothing was recorded meanwhile, and nothing has changed
    assert story.moments(here["branch"]) == moments
