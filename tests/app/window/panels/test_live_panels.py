"""Panels by clicking, with the engine behind them: each edit reaches it and changes what it should."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui

from app.model.editable import ELEMENTS, FLAGS, OPTIONS, VISUALS, Editable, rows_of
from app.model.parameters import VECTORS, in_file, parameters_of
from app.model.selection import COUNTS, Selection
from app.run import commands as cmd
from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.ui.gestures import GestureReader
from app.view.input import actions
from app.view.input.gesture import Gesture
from app.view.plots import curves_of
from app.view.ui_state import UiState
from app.view.view_state import ViewState
from app.window import layout
from app.window.overlays.palette.entries import Entry, entries
from app.window.overlays.palette.ranking import search
from sim.analysis.element_names import WORDS
from tests.app.conftest import Views
from tests.app.gui_driver import Gui
from tests.app.live import RICH_MODEL, Hand, LiveDesk
from tests.app.run.test_sim_thread import wait_for


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hand]:
    """One simulation for all tests here."""
    hand = Hand(tmp_path_factory.mktemp("panels"))
    yield hand
    hand.thread.close()


@pytest.fixture
def desk(gui: Gui, loaded: Hand) -> Iterator[LiveDesk]:
    """Panels around the model at its start."""
    loaded.restart()
    yield LiveDesk(gui, loaded)
    assert loaded.thread.latest.run.problem is None


@pytest.fixture(scope="module")
def richly_loaded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hand]:
    """One simulation of a model that has everything."""
    hand = Hand(tmp_path_factory.mktemp("rich"), RICH_MODEL)
    yield hand
    hand.thread.close()


@pytest.fixture
def rich_desk(gui: Gui, richly_loaded: Hand) -> Iterator[LiveDesk]:
    """Panels around that model at its start."""
    richly_loaded.restart()
    yield LiveDesk(gui, richly_loaded)
    assert richly_loaded.thread.latest.run.problem is None


def press(desk: LiveDesk, key: imgui.Key) -> list[Gesture]:
    """Press and release a key over the picture; what the bindings make of it."""
    keys, events = GestureReader(), []
    for down in (True, False):
        desk.gui.io.add_key_event(key, down)
        desk.gui.frame(lambda: (desk.draw(), events.extend(keys.events(desk.rect))))
    return events


def choose(desk: LiveDesk, key: str, place: int) -> None:
    """Open a combo and click an entry of its list, which is below it."""
    desk.gui.click(desk.draw, key)
    desk.frames()
    style, (left, _, _, bottom) = imgui.get_style(), desk.gui.rects[key]
    line = style.font_size_base + style.item_spacing.y
    desk.gui.click_at(desk.draw, left + 20, bottom + (place + 0.5) * line + style.window_padding.y)


def edit(desk: LiveDesk, row: Editable, rows: tuple[int, ...]) -> None:
    """Change a field by its widget, see it in the engine, and put it back by a right-click."""
    before = desk.hand.field(row.path)
    key = f"##{row.path}{rows}"
    if row.choices:
        current = int(np.ravel(before[list(rows)] if rows else before)[0])
        choose(desk, key, next(place for place, (_, value) in enumerate(row.choices) if value != current))
    elif row.widget == "switch":
        desk.click(key)
    elif row.widget == "colour":
        # a patch opens a picker below it; then the place in the picker is a colour
        left, _, _, bottom = desk.gui.find(desk.draw, key)
        desk.click(key)
        # near the right edge the picker moves to the left
        desk.gui.click_at(desk.draw, min(left + 70, desk.gui.io.display_size.x - 200), bottom + 40)
        press(desk, imgui.Key.escape)
        desk.hand.settle()
    else:
        several = before[rows[0]].ndim > 0 if rows else before.ndim > 0
        # of a unit quaternion w stays 1, however far it is dragged
        part = int(row.path.endswith("quat"))
        desk.drag(f"{key}[{part}]" if several else key)
    wait_for(desk.hand.thread, lambda s: not np.array_equal(desk.hand.field(row.path), before))
    changed = desk.hand.settle()
    assert np.array_equal(changed.file_values[row.path], before)
    desk.frames()
    assert f"{row.name} •" in desk.gui.texts
    desk.click(f"{key}[0]" if f"{key}[0]" in desk.gui.rects else key, button=1)
    assert np.array_equal(desk.hand.field(row.path), before)


@pytest.mark.parametrize("row", [row for row in OPTIONS if not row.choices], ids=lambda row: row.path)
def test_every_option(desk: LiveDesk, row: Any) -> None:
    desk.reveal("Physics")
    desk.view.ui.search = row.name
    edit(desk, row, ())


# of each section one of every kind of widget
SOME_VISUALS = {(row.section, row.widget): row for row in VISUALS}.values()


@pytest.mark.parametrize("row", SOME_VISUALS, ids=lambda row: row.path)
def test_visual_settings(desk: LiveDesk, row: Any) -> None:
    desk.reveal("Visual")
    desk.view.ui.visual_search = row.name
    edit(desk, row, ())


def test_choices_are_combos(desk: LiveDesk) -> None:
    desk.reveal("Physics")
    desk.view.ui.search = "cone"
    desk.frames()
    row = next(row for row in OPTIONS if row.path == "opt.cone")
    choose(desk, "##opt.cone()", [name for name, _ in row.choices].index("elliptic"))
    desk.until(lambda s: s.model is not None and s.model.opt.cone == dict(row.choices)["elliptic"])


@pytest.mark.parametrize("flag", FLAGS, ids=lambda flag: flag.name)
def test_every_flag(desk: LiveDesk, flag: Any) -> None:
    desk.reveal("Physics")
    desk.view.ui.search = flag.name
    before = int(desk.hand.field(flag.path))
    desk.gui.click(desk.draw, f"{flag.name}##flag")
    # an edit that needs native code is tried on the engine's own model first: what counts is the snapshot
    field = flag.path.removeprefix("opt.")
    desk.until(lambda s: s.model is not None and getattr(s.model.opt, field) == before ^ flag.bit)
    desk.hand.settle()
    desk.click("Reset to file")
    assert int(desk.hand.field(flag.path)) == before


POSES = ("body_ipos", "body_iquat", "body_pos", "body_quat", "geom_pos", "geom_quat")
PROPERTIES = [row for row in ELEMENTS if not row.choices and row.path not in VECTORS]


@pytest.mark.parametrize("row", PROPERTIES, ids=lambda row: row.path)
def test_every_property_of_an_element(rich_desk: LiveDesk, row: Any) -> None:
    index = {"body": 1, "geom": 1, "joint": 2, "tendon": 1, "actuator": 1}.get(row.section, 0)
    # the ball is a simple body, whose inertial frame stays where the body is
    index = rich_desk.hand.model.names[row.section].index("arm") if row.path in POSES else index
    rich_desk.view.select(row.section, index)
    rich_desk.reveal("Inspector")
    edit(rich_desk, row, rows_of(row, rich_desk.hand.model, index))


@pytest.mark.parametrize(("index", "name"), [(2, "kp"), (2, "dampratio"), (3, "force"), (1, "bias by length")])
def test_parameters_of_actuators(rich_desk: LiveDesk, index: int, name: str) -> None:
    """A drag changes all cells of one number, and a right-click puts them back."""
    desk = rich_desk
    desk.view.select("actuator", index)
    desk.reveal("Inspector")
    (parameter,) = (p for p in parameters_of(desk.hand.model, "actuator", index) if p.name == name)
    before = {path: desk.hand.field(path) for path in VECTORS}
    desk.drag(parameter.key)
    edited = desk.hand.settle()
    desk.frames()
    assert edited.model is not None
    changed = {
        (path, *cell) for path in VECTORS for cell in np.argwhere(desk.hand.field(path) != before[path]).tolist()
    }
    assert changed == {(cell.path, index, cell.column) for cell in parameter.terms}
    assert parameter.changed(edited.model.read, in_file(edited.model, before))
    assert f"{name} •" in desk.gui.texts
    desk.click(parameter.key, button=1)
    assert all(np.array_equal(desk.hand.field(path), before[path]) for path in VECTORS)
    desk.frames()
    assert name in desk.gui.texts


def test_the_palette_finds_parameters(rich_desk: LiveDesk) -> None:
    """kp of the selected servo, not its gainprm."""
    rich_desk.view.select("actuator", 2)
    found = entries(rich_desk.hand.thread.latest, rich_desk.view, rich_desk.hand.send, lambda action: None)
    titles = [entry.line for entry in search(found, "edit kp")]
    assert titles[0].startswith("edit kp of actuator servo: stiffness")
    assert not search(found, "gainprm")


def test_gravity_off_by_a_click_stops_the_fall(desk: LiveDesk) -> None:
    desk.reveal("Physics")
    desk.view.ui.search = "gravity"
    desk.click("gravity##flag")
    desk.hand.send(cmd.StepOnce(5))
    assert not desk.hand.state.qvel[:3].any()
    desk.click("gravity##flag")
    desk.hand.send(cmd.StepOnce(5))
    assert desk.hand.state.qvel[2] == pytest.approx(-10 * 5 * 0.002)


def test_joint_sliders(desk: LiveDesk) -> None:
    desk.reveal("Joints")
    for key, first, count in (("##qpos14", 14, 1), ("##qpos0", 0, 1), ("##turn3.1", 3, 4), ("##turn15.0", 15, 4)):
        desk.view.ui.joints.text = "ball" if first == 15 else ""
        before = desk.hand.state.qpos.copy()
        desk.drag(key, 15)
        after = desk.hand.state.qpos
        assert not np.array_equal(after[first : first + count], before[first : first + count]), key
        others = np.ones(len(after), bool)
        others[first : first + count] = False
        assert np.array_equal(after[others], before[others])
        if count == 4:
            assert np.linalg.norm(after[first : first + 4]) == pytest.approx(1.0)
        desk.click(key, button=1)
        assert np.allclose(desk.hand.state.qpos, before)


def test_controls_noise_and_equalities(desk: LiveDesk) -> None:
    desk.reveal("Controls")
    desk.drag("##ctrl0", 30)
    assert desk.hand.state.ctrl[0] > 0
    desk.hand.send(cmd.StepOnce())
    assert desk.hand.thread.live.data.qfrc_actuator[12] == desk.hand.state.ctrl[0]
    desk.click("Reset##controls")
    assert desk.hand.state.ctrl[0] == 0
    desk.click("more controls")
    desk.drag("noise scale", 30)
    assert desk.hand.state.noise.scale > 0
    desk.hand.send(cmd.StepOnce(10))
    assert desk.hand.state.ctrl[0] != 0
    desk.click("noise scale", button=1)
    assert desk.hand.state.noise.scale == 0
    # outside of the menu
    desk.gui.click_at(desk.draw, 2, 2)
    desk.click("##equality0")
    assert desk.hand.state.eq_active[0]
    desk.hand.send(cmd.StepOnce())
    assert desk.hand.state.ne == 1


def test_a_control_without_a_range_is_dragged_as_far_as_one_likes(rich_desk: LiveDesk) -> None:
    rich_desk.reveal("Controls")
    rich_desk.drag("##ctrl1", 400)
    assert rich_desk.hand.state.ctrl[1] > 10
    rich_desk.click("##ctrl1", button=1)
    assert rich_desk.hand.state.ctrl[1] == 0


def test_a_joint_without_limits_is_dragged_from_where_it_is(desk: LiveDesk) -> None:
    desk.hand.send(cmd.SetData("qpos", 14, (20.0,)))
    desk.reveal("Joints")
    desk.drag("##qpos14", 6)
    assert 20 < desk.hand.state.qpos[14] < 20.1


def test_keyframes(desk: LiveDesk) -> None:
    copied: list[str] = []
    imgui.get_platform_io().platform_set_clipboard_text_fn = lambda _, text: copied.append(text)
    desk.hand.send(cmd.StepOnce(20))
    present = desk.hand.state.qpos.copy()
    desk.click("Copy state as MJCF")
    numbers = copied[0].split('qpos="')[1].split('"')[0].split()
    assert [float(x) for x in numbers] == present.tolist()
    desk.click("start##key0", button=1)
    desk.hand.send(cmd.Reset())
    desk.click("start##key0")
    assert np.array_equal(desk.hand.state.qpos, present)


def test_timeline(desk: LiveDesk) -> None:
    desk.hand.send(cmd.StepOnce(50))
    desk.reveal("Timeline")
    desk.click("##back")
    assert desk.hand.thread.latest.run.steps == 49
    desk.click("##oldest")
    assert desk.hand.thread.latest.run.steps == 0
    assert desk.hand.state.qpos[2] == 1.0
    desk.click("##strip")
    assert 15 < desk.hand.thread.latest.run.steps < 35
    desk.click("##newest")
    assert desk.hand.thread.latest.run.steps == 50
    desk.click("##forward")
    assert desk.hand.thread.latest.run.steps == 51


def test_tree_selects_and_searches(desk: LiveDesk) -> None:
    desk.reveal("Model tree")
    desk.click("arm##row")
    assert desk.view.selection == Selection("body", 3) or desk.view.selection == Selection("geom", 3)
    desk.view.ui.tree_search = "hinge"
    desk.click("hinge##row")
    assert desk.view.selection == Selection("joint", 2)
    desk.frames()
    assert any("joint hinge" in text for text in desk.gui.texts)


def test_tree_finds_types_and_says_when_there_is_nothing(desk: LiveDesk) -> None:
    desk.reveal("Model tree")
    desk.view.ui.tree_search = "capsule arm"
    desk.click("arm##row")
    assert desk.view.selection == Selection("geom", 3)
    desk.view.ui.tree_search = "no such thing"
    desk.frames()
    assert "no matches" in desk.gui.texts


def test_tree_shows_what_was_selected_elsewhere(desk: LiveDesk) -> None:
    desk.reveal("Model tree")
    desk.view.ui.unfolded = {("body", 0)}
    desk.frames()
    assert not any("hinge" in label for label in desk.gui.rects)
    desk.view.select("joint", 2)
    desk.frames()
    assert any("hinge" in label for label in desk.gui.rects)
    # and it can be folded again
    desk.view.ui.unfolded ^= {("body", 0)}
    desk.frames()
    assert not any("hinge" in label for label in desk.gui.rects)


def test_contacts_table_selects_and_flies(desk: LiveDesk) -> None:
    desk.hand.send(cmd.StepOnce(3))
    assert desk.hand.state.ncon == 4
    desk.reveal("Contacts")
    desk.click("2###2")
    assert desk.view.selection == Selection("contact", 2)
    assert desk.view.fly
    desk.frames()
    assert any("contact of world / floor and " in text for text in desk.gui.texts)
    for words in ("stick", "box / box", "world / floor"):
        assert words in desk.gui.texts
    # what makes it soft
    assert {"solref", "0.020", "solimp", "0.950"} <= set(desk.gui.texts)
    desk.reveal("Constraints")
    desk.click("6###6")
    assert desk.view.selection == Selection("contact", 1)


def test_a_search_leaves_only_what_fits(desk: LiveDesk) -> None:
    for words, expected in (("solref", False), ("actuator gr", True)):
        desk.view.ui.search = words
        desk.frames()
        assert ("actuator groups" in desk.gui.texts) == expected
        # contacts have the solref of the options only if this flag is on
        assert any(label.startswith("override") for label in desk.gui.rects) != expected


def test_plots_of_the_past(desk: LiveDesk) -> None:
    """An expression has all that was recorded when it is typed; going back erases nothing."""
    desk.hand.send(cmd.StepOnce(30))
    desk.reveal("Plots")
    desk.click("##expression")
    desk.gui.type(desk.draw, "d.qpos[2] * 2")
    desk.sample()
    timeline = desk.hand.thread.latest.run.history

    def samples() -> tuple[list[float], list[float]]:
        curves = curves_of(desk.view.plots, timeline, timeline.branch, "d.qpos[2] * 2")
        return [float(t) for c in curves for t in c.times], [float(v) for c in curves for v in c.values]

    times, values = samples()
    assert times == pytest.approx(0.002 * np.arange(31))
    # a free fall, step by step
    assert values[0] == 2.0 and np.diff(values, 2) == pytest.approx(-2 * 10 * 0.002**2, rel=1e-6)
    assert desk.view.plots.sampled.shown.values == {"d.qpos[2] * 2": values[-1]}
    # back in time, the value is that of the shown moment, and the curve stays
    desk.hand.send(cmd.GoTo(10))
    desk.sample()
    assert desk.view.plots.sampled.shown.values == {"d.qpos[2] * 2": values[10]}
    timeline = desk.hand.thread.latest.run.history
    assert samples() == (times, values)
    # the field is where it was left, ready for the next
    desk.frames()
    desk.gui.type(desk.draw, "d.nonsense")
    desk.sample()
    desk.frames()
    # what has no value is in the field again, with the reason
    assert desk.view.plots.typed == "d.nonsense"
    assert [w.expression for w in desk.view.plots.watches] == ["d.qpos[2] * 2"]


def test_palette(desk: LiveDesk) -> None:
    desk.view.ui.show_palette = True
    desk.frames()
    desk.gui.type(desk.draw, "faster")
    assert desk.acted == [actions.faster]
    assert not desk.view.ui.show_palette
    desk.view.ui.show_palette = True
    desk.frames()
    desk.gui.type(desk.draw, "disable gravity")
    desk.hand.settle()
    assert desk.hand.model.opt.disableflags == 1 << 7
    # without a match, or without a text, Enter does nothing
    desk.acted.clear()
    sent = desk.hand.thread.latest.run.history.markers
    for text in ("skrinshott", ""):
        desk.view.ui.show_palette = True
        desk.frames()
        desk.gui.type(desk.draw, text)
        assert desk.view.ui.show_palette
        # and one can go on typing
        desk.gui.io.add_input_character(ord("x"))
        desk.frames()
        assert desk.view.ui.palette_text == f"{text}x"
        press(desk, imgui.Key.escape)
    assert not desk.view.ui.show_palette
    assert (desk.acted, desk.hand.thread.latest.run.history.markers) == ([], sent)
    # all there is can be found
    snapshot = desk.hand.thread.latest
    everything = entries(snapshot, desk.view, print, print)
    for words in (
        "timestep", "wireframe", "open dominoes", "keyframe start", "profiler", "geom group 4", "camera eye",
        "headlight",
    ):  # fmt: skip
        assert search(everything, words), words
    # each line says what it does, once
    physics = [entry.line for entry in search(everything, "gravity") if entry.group == "Physics"]
    assert physics == ["edit gravity: gravitational acceleration", "enable gravity"]
    # and all of it can be done
    for entry in entries(snapshot, desk.view, lambda _: None, lambda _: None):
        entry.do()


def test_palette_finds_elements_and_the_fields_of_the_selected_one(desk: LiveDesk) -> None:
    model = desk.hand.model
    desk.view.ui.show_palette = True
    desk.frames()
    desk.gui.type(desk.draw, "head")
    assert desk.view.selection == Selection("body", model.names["body"].index("head"))
    everything = entries(desk.hand.thread.latest, desk.view, print, print)
    for kind, names in model.names.items():
        for index, name in enumerate(names):
            for entry in everything:
                if entry.title == f"select {WORDS.get(kind, kind)} {name}":
                    entry.do()
            assert desk.view.selection == Selection(kind, index)
    # the fields of what is selected, and of nothing else
    assert not search(everything, "edit gear of actuator motor")
    desk.view.select("actuator", 0)
    # they come before those of the whole model
    everything = entries(desk.hand.thread.latest, desk.view, print, print)
    assert search(everything, "edit")[0].group == "Inspector"
    desk.reveal("Physics")
    desk.view.prefs.show_right, desk.view.ui.show_palette = False, True
    desk.frames()
    desk.gui.type(desk.draw, "edit gear of actuator motor")
    desk.frames()
    assert desk.view.prefs.show_right
    assert "##actuator_gear(0,)[0]" in desk.gui.rects


def test_palette_writes_names_down_once_and_draws_what_is_in_sight(
    gui: Gui, views: Views, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = 2000
    geoms = "".join(f"<geom name='pebble{k}' size='.1'/>" for k in range(count))
    model, state = views(f"<worldbody>{geoms}</worldbody>")
    view, made = ViewState(ui=UiState(show_palette=True)), list[str]()

    def noted(words: str, *rest: Any) -> Entry:
        made.append(words)
        return Entry(words, *rest)

    monkeypatch.setattr("app.window.overlays.palette.entries.Entry", noted)
    draw = partial(layout.draw, Snapshot(1, RunState(ready=True), model, state), view, print, print)
    gui.frame(draw, 3)
    view.ui.palette_text = "pebble"
    gui.frame(draw, 3)
    assert made.count("select geom pebble7") == 1
    drawn = sum(name.startswith("##entry") for name in gui.rects)
    assert 0 < drawn < 50


def test_what_only_the_caption_of_a_scene_mentions_comes_last() -> None:
    names = ("open box", "select geom box", "show boxes", "open pile")
    made = [Entry(words, "", "", print) for words in names[:3]]
    made.insert(0, Entry(names[3], "", "", print, "pile", "a box of boxes"))
    made[2] = replace(made[2], name="box")
    assert [entry.title for entry in search(made, "box")] == [names[1], names[0], names[2], names[3]]
    assert [entry.title for entry in search(made, "pile")] == [names[3]]


def test_palette_reaches_what_is_below_its_edge(desk: LiveDesk) -> None:
    desk.view.ui.show_palette = True
    desk.frames()
    everything = search(entries(desk.hand.thread.latest, desk.view, print, print), "")
    assert len(everything) > 100
    for down in [True, False] * 60:
        desk.gui.io.add_key_event(imgui.Key.down_arrow, down)
        desk.frames(1)
    assert desk.view.ui.palette_row == 59
    desk.frames()
    _, top, _, bottom = desk.gui.rects["##entry59"]
    window: Any = imgui.internal.find_window_by_name("##palette")
    assert window.pos.y < top < bottom < window.pos.y + window.size.y
    # it is left as it was found
    press(desk, imgui.Key.escape)
    assert not desk.view.ui.show_palette


def test_islands_and_sleep(desk: LiveDesk) -> None:
    desk.reveal("Islands")
    desk.click("sleep##flag")
    desk.until(lambda s: s.model is not None and s.model.opt.enableflags == 1 << 4)
    # the box rests: it can be put to sleep and woken; the last tree in the table is the arm
    desk.hand.send(cmd.StepOnce(2))
    desk.hand.send(cmd.PutToSleep(1))
    assert desk.hand.state.tree_asleep[1] >= 0
    desk.frames()
    assert "asleep" in desk.gui.texts
    desk.hand.send(cmd.Wake(1))
    assert desk.hand.state.tree_asleep[1] < 0
    assert desk.hand.state.tree_awake.all()
    desk.frames()
    assert any("3 of 3 awake" in text for text in desk.gui.texts)
    assert any("the user or a script" in text for text in desk.gui.texts)
    # a tree's policy is one of its properties
    before = desk.hand.field("tree_sleep_policy")
    desk.hand.send(cmd.SetField("tree_sleep_policy", 3.0, (0,)))
    assert desk.hand.field("tree_sleep_policy").tolist() == [3, *before[1:]]


def test_sleep_buttons(desk: LiveDesk) -> None:
    desk.hand.thread.send(cmd.SetFlag("opt.enableflags", 1 << 4, True))
    desk.until(lambda s: s.model is not None and s.model.opt.enableflags == 1 << 4)
    desk.hand.send(cmd.StepOnce(2))
    desk.reveal("Islands")
    # the item that was recorded last is that of the last tree: a motor keeps it awake
    desk.click("Sleep")
    assert desk.hand.state.tree_asleep[2] < 0
    desk.hand.send(cmd.SetField("tree_sleep_policy", 4.0, (2,)))
    desk.click("Sleep")
    assert desk.hand.state.tree_asleep[2] >= 0
    desk.click("Wake")
    assert desk.hand.state.tree_asleep[2] < 0


def test_reasons_name_joints_and_bodies(desk: LiveDesk) -> None:
    desk.hand.thread.send(cmd.SetFlag("opt.enableflags", 1 << 4, True))
    desk.until(lambda s: s.model is not None and s.model.opt.enableflags == 1 << 4)
    desk.hand.send(cmd.SetField("tree_sleep_policy", 4.0, (0,)))
    desk.hand.send(cmd.StepOnce(5))
    desk.reveal("Islands")
    assert {"too fast: free z", "actuator motor"} <= set(desk.gui.texts)


def test_tables_mark_what_is_selected_elsewhere(desk: LiveDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    marked: list[str] = []
    selectable = imgui.selectable

    def noting(label: str, chosen: bool, *rest: Any) -> Any:
        marked.extend([label] if chosen else [])
        return selectable(label, chosen, *rest)

    monkeypatch.setattr(imgui, "selectable", noting)
    desk.hand.send(cmd.StepOnce(3))
    for selection, contacts, tree in (
        (Selection("geom", 2), 4, ["box###1"]), (Selection("body", 2), 4, ["box###1"]),
        (Selection("contact", 1), 1, ["box###1"]), (Selection("geom", 1), 0, ["ball###0"]),
        (Selection("island", 0), 4, []),
    ):  # fmt: skip
        desk.view.selection = selection
        desk.reveal("Contacts")
        marked.clear()
        desk.frames(1)
        assert sum(label[0].isdigit() and "##island" not in label for label in marked) == contacts, selection
        desk.reveal("Islands")
        marked.clear()
        desk.frames(1)
        assert [label for label in marked if "###" in label] == tree, selection


@pytest.mark.parametrize("kind", list(COUNTS))
def test_inspector_shows_every_kind(desk: LiveDesk, kind: str) -> None:
    desk.view.select(kind, 0)
    desk.reveal("Inspector")
    assert any(text.startswith(f"{WORDS.get(kind, kind)} ") for text in desk.gui.texts)
    desk.click("Deselect")
    assert desk.view.selection is None


def test_overlays_draw_what_there_is(desk: LiveDesk) -> None:
    desk.view.ui.show_profiler = desk.view.ui.show_sensors = desk.view.prefs.show_info = True
    desk.hand.send(cmd.StepOnce(2))
    desk.frames()
    for words in ("Profiler", "Sensors", "where", "angle"):
        assert words in desk.gui.texts


def test_typing_a_number(desk: LiveDesk) -> None:
    desk.reveal("Physics")
    desk.view.ui.search = "timestep"
    left, top, right, bottom = desk.gui.find(desk.draw, "##opt.timestep()")
    desk.gui.io.add_key_event(imgui.Key.mod_ctrl, True)
    desk.gui.click_at(desk.draw, (left + right) / 2, (top + bottom) / 2)
    desk.gui.io.add_key_event(imgui.Key.mod_ctrl, False)
    desk.gui.type(desk.draw, "0.004")
    desk.hand.settle()
    assert desk.hand.model.opt.timestep == 0.004
