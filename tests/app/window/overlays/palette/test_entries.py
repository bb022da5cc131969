"""Everyday words find what is meant."""

from __future__ import annotations

from dataclasses import fields

import pytest

import sim
from app.model.editable import ELEMENTS, FLAGS, OPTIONS, VISUALS
from app.run import commands as cmd
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model, view_state
from app.scene.visual_flags import BY_OPTION, GROUP_FLAGS
from app.view.input.bindings import BINDINGS
from app.view.preferences import Preferences
from app.view.view_state import ViewState
from app.window.overlays.palette import synonyms
from app.window.overlays.palette.entries import Entry, entries, found_entries
from app.window.panel_list import panels
from tests.app.live import MODEL, SMALL

# typed text -> the first line that is found
FIRST = {
    "reload": "reload the file",
    "screenshot": "save a screenshot of the view",
    "undo": "undo the last change",
    "redo": "redo it",
    "record": "record a video (start or stop)",
    "reset": "reset",
    "restart": "reset",
    "theme": "dark or light theme",
    "dark mode": "dark or light theme",
    "fullscreen": "full screen",
    "full screen": "full screen",
    "export": "export this moment",
    "csv": "export plots as csv",
    "grid": "grid",
    "shadows": "shadow",
    "slow motion": "slow motion",
    "speed": "real-time speed",
    "pause": "play or pause",
    "play": "play or pause",
    "step": "one step forward",
    "save": "save the edits to the model's file",
    "open": "open a file",
    "quit": "quit",
    "exit": "quit",
    "help": "manual, including all shortcuts",
    "shortcuts": "manual, including all shortcuts",
    "gravity": "edit gravity",
    "friction": "edit friction of a geom",
    "timestep": "edit timestep",
    "time step": "edit timestep",
    "integrator": "edit integrator",
    "fps": "info overlay",
    "contacts": "open Contacts",
    "forces": "open Forces",
    "contact forces": "contact force",
    "wireframe": "wireframe",
    "transparent": "transparent",
    "hide floor": "static bodies",
    "camera": "free camera",
    "follow": "track the body",
    "zoom": "zoom in",
    "centre": "centre the whole model",
    "center": "centre the whole model",
    "video": "record a video (start or stop)",
    "gif": "record a video (start or stop)",
    "keyframe": "store the state as a new keyframe",
    "units": "angles in degrees",
    "font size": "larger font",
    "panels": "left panels",
    "plot": "open Plots",
    "log": "open Log",
    "profiler": "profiler",
    "sensors": "sensors",
    "sleep": "enable sleep",
    "islands": "open Islands",
    "joints": "open Joints",
    "com": "centre of mass",
    "inertia": "inertia",
    "collision geoms": "show or hide geom group 3",
    "measure": "measure distances and angles",
    "doctor": "open Doctor",
    "names": "labels",
    # a wrong letter
    "relaod": "reload the file",
    "screnshot": "save a screenshot of the view",
    "gravty": "edit gravity",
}


def shown(mjcf: str = MODEL) -> Snapshot:
    model = sim.loads(mjcf)
    return Snapshot(0, RunState(), view_model(model), view_state(sim.Data(model)))


@pytest.mark.parametrize("text", FIRST)
def test_everyday_words_find_what_is_meant_first(text: str) -> None:
    found, certain = found_entries(shown(), ViewState(), print, print, text)
    assert certain and found[0].title == FIRST[text]


def test_what_is_not_there_is_said_and_the_nearest_offered() -> None:
    found, certain = found_entries(shown(), ViewState(), print, print, "skrinshott")
    assert not certain and found[0].title == "save a screenshot of the view"


def test_the_field_of_the_selection_comes_first() -> None:
    view = ViewState()
    view.select("geom", 0)
    found, _ = found_entries(shown(), view, print, print, "friction")
    assert found[0].title == "edit friction of geom floor"
    assert not any(entry.title == "edit friction of a geom" for entry in found)
    view.select("body", 1)
    found, _ = found_entries(shown(), view, print, print, "follow")
    found[0].do()
    assert view.tracked == 1


def test_parameters_of_actuators_are_found_before_one_is_selected() -> None:
    snapshot, view = shown(SMALL), ViewState()
    found, _ = found_entries(snapshot, view, print, print, "kp")
    assert found[0].title == "edit kp of an actuator"
    found[0].do()
    assert view.feedback.message == "select an actuator: its kp is in the Inspector"
    view.select("actuator", 1)
    found, _ = found_entries(snapshot, view, print, print, "kp")
    assert found[0].title == "edit kp of hinge / position servo 1"


def test_elements_without_a_name_are_found_by_body_type_and_number() -> None:
    snapshot, view = shown(SMALL), ViewState()
    for text in ("position servo 1", "hinge servo", "actuator 1", "actuator:1"):
        found, _ = found_entries(snapshot, view, print, print, text)
        assert any(entry.title == "select hinge / position servo 1" for entry in found), text
    found, _ = found_entries(snapshot, view, print, print, "a free joint")
    found[0].do()
    assert view.selection is not None and (view.selection.kind, view.selection.index) == ("joint", 0)


def test_entries_act() -> None:
    snapshot, view, sent = shown(), ViewState(), list[cmd.Command]()
    made = {entry.title: entry for entry in entries(snapshot, view, sent.append, print)}
    before = view.camera.distance
    made["zoom in"].do()
    assert view.camera.distance < before
    made["slow motion"].do()
    made["store the state as a new keyframe"].do()
    assert sent == [cmd.SetSpeed(0.25), cmd.AddKey("state 1")]
    made["open Islands"].do()
    assert (view.ui.reveal, view.prefs.show_bottom) == ("Islands", True)
    made["export plots as csv"].do()
    assert view.ui.reveal == "Plots" and "nothing to export" in view.feedback.message
    made["angles in degrees"].do()
    assert view.prefs.degrees
    made["edit friction of a geom"].do()
    assert view.ui.reveal == "Model tree"
    made["orbit"].do()
    assert view.feedback.message == "orbit: Left drag"


def test_each_line_is_there_once() -> None:
    lines = [(entry.line, entry.hint) for entry in entries(shown(), ViewState(), print, print)]
    assert len(set(lines)) == len(lines)


def test_synonyms_are_of_what_there_is() -> None:
    names = {row.name for row in (*OPTIONS, *VISUALS, *ELEMENTS)} | {flag.name for flag in FLAGS}
    assert synonyms.FIELDS.keys() <= names
    assert synonyms.VISUAL.keys() <= BY_OPTION.keys()
    assert {option for option, _ in synonyms.GROUPS} <= {row.option for row in GROUP_FLAGS}
    assert synonyms.PREFERENCES.keys() <= {field.name for field in fields(Preferences)}
    assert all(panel.words for panel in panels())


def test_synonyms_of_bindings_are_words() -> None:
    for binding in BINDINGS:
        assert binding.synonyms == " ".join(binding.synonyms.lower().split())


def test_ten_thousand_elements_are_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    geoms = "<geom size='.1'/>" * 10000
    snapshot, view = shown(f"<mujoco><worldbody>{geoms}</worldbody></mujoco>"), ViewState()
    found, _ = found_entries(snapshot, view, print, print, "sphere 9999")
    assert found[0].title == "select world / sphere 9999"
    made: list[str] = []

    def noted(title: str, *rest: object) -> Entry:
        made.append(title)
        return Entry(title, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr("app.window.overlays.palette.entries.Entry", noted)
    assert found_entries(snapshot, view, print, print, "sphere 9999")[0][0] is found[0]
    assert not any(title.startswith("select world") for title in made)


def test_a_line_does_not_say_a_name_twice() -> None:
    lines = [entry.line for entry in entries(shown(), ViewState(), print, print)]
    assert any(line.startswith("edit integrator: Euler") for line in lines)


def test_a_name_before_a_number_means_what_begins_so() -> None:
    """`kp 200` is not about breakpoints."""
    made = {entry.title: entry for entry in entries(shown(), ViewState(), print, print)}
    assert made["edit damping of a joint"].begins("Damp") and not made["open Breakpoints"].begins("kp")
