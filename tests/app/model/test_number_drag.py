"""What a drag does to a number: the arithmetic, over every number of many models, and the widgets that use it."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from imgui_bundle import imgui

import sim
from app.model.components import GROUPS, Number, solref_moved, solref_set, switched
from app.model.editable import BY_PATH, ELEMENTS, OPTIONS, VISUALS, Editable, rows_of
from app.model.field_hint import hint
from app.model.number_drag import FINE_DIGITS, FREE, RATE, SMALLEST, Rule, moved, zero_pixels
from app.model.selection import COUNTS
from app.run import commands as cmd
from app.run.run_state import RunState
from app.run.snapshot import Snapshot, view_model
from app.ui.widgets import drag_by_rule, number_field
from app.view.view_state import ViewState
from app.window.panels.field import field_row
from tests.app.gui_driver import Gui
from tests.app.live import SMALL
from tests.sim.mjcf.pip_models import pip_models, short_name

ROOT = Path(__file__).parents[3]
NUMBERS = [row for row in (*OPTIONS, *VISUALS, *ELEMENTS) if row.widget in ("real", "count")]


def places(model: Any) -> Iterator[tuple[Editable, tuple[int, ...], Any, Number]]:
    """Every number of a model that can be edited: its field and rows, the vector it is in, what is known about it."""
    for row in NUMBERS:
        counted = int(getattr(model, COUNTS[row.section])) if row.counted_by else 1
        for index in range(counted):
            rows = rows_of(row, model, index) if row.counted_by else ()
            if rows or not row.counted_by:
                vector = row.vector(model, rows)
                for part in row.numbers(model, rows):
                    yield row, rows, vector, part


def dragged(row: Editable, vector: Any, part: Number, pixels: float) -> float:
    """What a drag makes of a number of a field."""
    if row.group == "solref":
        return solref_moved(tuple(vector.tolist()), part.at, pixels)[part.at]
    return moved(float(vector[part.at]), pixels, part.rule)


def accepted(row: Editable, model: Any, rows: tuple[int, ...], part: Number, value: float) -> float:
    """What the engine is given if a panel asks for a value."""
    if not row.counted_by:
        return row.accept(value, model, (part.at,) if row.is_vector else ())
    return row.accept(value, model, rows, part.at if row.is_vector else None)


def check_numbers(model: Any) -> int:
    """Drag every number of a model by a pixel to each side, and far; how many there were."""
    count = 0
    for row, rows, vector, part in places(model):
        count += 1
        value, rule = float(vector[part.at]), part.rule
        assert moved(value, 0, rule) == value
        for pixels in (-1, 1):
            new = dragged(row, vector, part, pixels)
            # a whole number moves by whole numbers, if at all
            allowed = max(0.05 * abs(value), float(rule.whole)) if value else rule.step * (1 + 1e-9)
            assert abs(new - value) <= allowed, (row.path, rows, part.name, value, new)
            # it stands still only at the end of what is legal
            if new == value and not rule.whole:
                assert not rule.low < value < rule.high, (row.path, part.name, value)
        for pixels in (-1, 1, -30, 30, -3000, 3000):
            new = dragged(row, vector, part, pixels)
            assert np.isfinite(new)
            assert accepted(row, model, rows, part, new) == new, (row.path, rows, part.name, value, new)
    return count


def test_every_number_of_every_kind_of_element() -> None:
    model = sim.loads(SMALL)
    assert check_numbers(model) > 600
    # the model has all there is: each field, and each group of components
    seen = {(row.path, part.name, part.effect) for row, _, _, part in places(model)}
    assert {path for path, _, _ in seen} == {row.path for row in NUMBERS}
    known = {(part.name, part.effect) for group in GROUPS.values() for part in group}
    assert not known - {(name, effect) for _, name, effect in seen}


@pytest.mark.release
@pytest.mark.parametrize("path", sorted((ROOT / "scenes").glob("*.xml")), ids=lambda path: path.stem)
def test_every_number_of_the_scenes(path: Path) -> None:
    assert check_numbers(sim.load(path)) > 50


@pytest.mark.release
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", pip_models(), ids=short_name)
def test_every_number_of_real_models(path: Path) -> None:
    try:
        model = sim.load(path)
    except sim.MjcfError:
        # parts of others, and models that are bad on purpose
        return
    assert check_numbers(model) > 50


@pytest.mark.parametrize(
    ("group", "at", "value", "pixels", "wanted"),
    [
        # power went to 1, a stiffness to -0.99, a large one stood still
        ("solimp", 4, 2.0, 3, 2.09), ("solimp", 4, 2.0, 100, 8.96), ("solimp", 1, 0.95, 10, 0.9586),
        ("solimp", 2, 0.001, 40, 0.00209), ("solref direct", 0, -500.0, 6, -457.0),
        ("solref direct", 0, -2250000.0, 6, -2060000.0), ("gear", 0, 3000.0, 6, 3280.0),
        ("solref", 0, 0.02, -10, 0.016), ("friction", 2, 0.0, 3, 3e-5),
    ],
)  # fmt: skip
def test_steps_fit_the_size(group: str, at: int, value: float, pixels: int, wanted: float) -> None:
    assert moved(value, pixels, GROUPS[group][at].rule) == pytest.approx(wanted, rel=0.02)


@pytest.mark.parametrize("value", [0.0, 1e-12, 0.02, -9.81, 3000.0, -2250000.0])
def test_a_way_back_leads_back_and_through_zero(value: float) -> None:
    rule = Rule(0.01)
    way = [moved(value, pixels, rule) for pixels in range(-2000, 2001)]
    assert way == sorted(way)
    assert way[0] < -1 and way[-1] > 1
    assert way[2000] == value
    nearly = moved(value, zero_pixels(value, rule), rule)
    assert abs(nearly) <= RATE * max(abs(value), rule.step)


def test_only_what_is_not_legal_is_out_of_reach() -> None:
    assert moved(0.5, -1e4, Rule(0.01, 0.0)) == 0.0
    assert moved(0.5, 1e4, Rule(0.01, 0.0, 1.0)) == 1.0
    assert moved(0.002, -1e4, Rule(1e-4, SMALLEST)) == SMALLEST
    # what is there already is legal
    assert moved(1.2, 50, Rule(0.01, 0.0, 1.0)) == 1.2
    assert moved(-0.01, -50, Rule(0.01, 0.0)) == -0.01
    assert moved(1e35, 1e9, Rule()) == 1e35
    assert -inf < moved(0.0, -1e9, Rule()) < -1e20


def test_few_digits_unless_the_drag_is_slow() -> None:
    assert moved(9.8123, 1, Rule(0.1)) == 10.0
    assert moved(9.8123, 0.01, Rule(0.1), FINE_DIGITS) == 9.814
    assert [moved(3.0, pixels, Rule(0.2, 0.0, whole=True)) for pixels in (1, 3, 10, -100)] == [3, 4, 5, 0]


# ---- numbers that go together


def test_solref_passes_from_one_form_to_the_other_at_the_same_stiffness() -> None:
    assert switched((0.02, 1.0)) == (-2500.0, -100.0)
    assert switched((-2500.0, -100.0)) == (0.02, 1.0)
    for start in ((0.02, 1.0), (0.005, 0.3), (-500.0, -20.0), (-2250000.0, -10.0), (0.0, 0.0)):
        for at in (0, 1):
            for pixels in range(-600, 601, 7):
                first, second = solref_moved(start, at, pixels)
                # MuJoCo takes neither form where only one of them is positive
                assert (first > 0) == (second > 0), (start, at, pixels, first, second)
    crossed = solref_moved((0.02, 1.0), 0, zero_pixels(0.02, GROUPS["solref"][0].rule) - 1e-9)
    assert crossed == pytest.approx((-2500.0, -100.0), rel=1e-2)
    assert solref_set((0.02, 1.0), 0, -500.0) == (-500.0, -100.0)
    assert solref_set((-500.0, -100.0), 0, -600.0) == (-600.0, -100.0)
    assert solref_set((0.0, 0.0), 1, 0.7) == (0.02, 0.7)


def test_both_forms_of_solref_give_the_same_constraint() -> None:
    """As the engine has it: K and B of a contact."""
    xml = """<mujoco><worldbody><geom type='plane' size='1 1 1' solref='{0}' solmix='1'/>
    <body pos='0 0 .099'><freejoint/><geom size='.1' solref='{0}'/></body></worldbody></mujoco>"""
    rows = []
    for pair in ((0.03, 0.7), switched((0.03, 0.7))):
        model = sim.loads(xml.format(f"{pair[0]} {pair[1]}"))
        data = sim.Data(model)
        sim.forward(model, data)
        rows.append(data.efc_KBIP[0, :2].copy())
    assert np.allclose(rows[0], rows[1], rtol=1e-5)


def names(model: Any, path: str, row: int) -> list[str]:
    return [part.name for part in BY_PATH[path].numbers(model, (row,))]


def test_parameters_of_actuators_go_by_name() -> None:
    model = sim.loads(SMALL)
    muscle = ["range 0", "range 1", "force", "scale", "lmin", "lmax", "vmax", "fpmax", "fvmax"]
    assert names(model, "actuator_gainprm", 6) == names(model, "actuator_biasprm", 6) == muscle
    assert names(model, "actuator_dynprm", 6) == ["timeconst 0", "timeconst 1", "tausmooth"]
    assert names(model, "actuator_gainprm", 1) == ["kp"]
    assert names(model, "actuator_biasprm", 1) == ["constant", "-kp", "-kv"]
    assert names(model, "actuator_gainprm", 2) == ["kv"]
    # a callback may look at all of them
    assert len(names(model, "actuator_gainprm", 10)) == len(names(model, "actuator_dynprm", 10)) == 10
    assert len(names(model, "actuator_gainprm", 14)) == 8
    assert rows_of(BY_PATH["actuator_biasprm"], model, 0) == rows_of(BY_PATH["actuator_dynprm"], model, 0) == ()


def test_what_decides_the_number_of_activations_stays() -> None:
    model = sim.loads(SMALL)
    row = BY_PATH["actuator_gainprm"]
    # pid with an integral, and one without
    assert row.accept(-1.0, model, (12,), 0) == SMALLEST
    assert row.accept(5.0, model, (12,), 0) == 5.0
    assert row.accept(5.0, model, (13,), 0) == 0.0
    assert "stays 0" in hint(row, (13,), model, np.zeros(10), row.numbers(model, (13,))[0])


def test_equalities_show_what_their_type_has() -> None:
    model = sim.loads(SMALL)
    assert names(model, "eq_data", 0) == ["anchor x", "anchor y", "anchor z"]
    assert names(model, "eq_data", 1) == []
    assert len(names(model, "eq_data", 2)) == 11
    assert [part.at for part in BY_PATH["eq_data"].numbers(model, (3,))] == [10]
    assert names(model, "eq_data", 4) == names(model, "eq_data", 5)
    assert names(model, "eq_data", 4) == ["constant", "linear", "quadratic", "cubic", "quartic"]
    assert names(model, "eq_data", 6) == ["distance"]


def test_each_number_says_what_it_is() -> None:
    model = sim.loads(SMALL)
    row = BY_PATH["geom_solref"]
    direct, usual = (hint(row, (g,), model, row.vector(model, (g,)), row.numbers(model, (g,))[0]) for g in (0, 1))
    assert direct.startswith("geom/solref: -stiffness   [1/s²]")
    assert usual.startswith("geom/solref: time constant   [s]")
    friction = BY_PATH["geom_friction"]
    text = hint(friction, (0,), model, friction.vector(model, (0,)), friction.numbers(model, (0,))[2])
    assert text.startswith("geom/friction: rolling   [m]") and "in the file 1e-09; legal at least 0" in text
    assert BY_PATH["geom_priority"].rule.legal == BY_PATH["opt.gravity"].rule.legal == ""
    for group, parts in GROUPS.items():
        for part in parts:
            assert part.effect.endswith(".") and len(part.effect) > 15, (group, part.name)


# ---- widgets


class Desk:
    """Rows of one field, drawn from a model that takes every edit at once."""

    def __init__(self, gui: Gui, path: str, index: int) -> None:
        self.gui, self.view, self.model = gui, ViewState(), sim.loads(SMALL)
        self.row = BY_PATH[path]
        self.rows = rows_of(self.row, self.model, index)
        self.sent: list[cmd.SetField] = []

    def draw(self) -> None:
        """One frame."""
        snapshot = Snapshot(0, RunState(), view_model(self.model))
        imgui.set_next_window_size((500, 700))
        imgui.begin("rows")
        field_row(self.row, self.rows, snapshot, self.view, self._take)
        imgui.end()

    def _take(self, edit: cmd.Command) -> None:
        assert isinstance(edit, cmd.SetField)
        self.sent.append(edit)
        for part in (edit, *edit.also):
            value = BY_PATH[part.path].accept(part.value, self.model, part.rows, part.column)
            self.model.read(part.path)[list(part.rows), part.column] = value

    def value(self) -> Any:
        """The numbers of the field."""
        return self.row.vector(self.model, self.rows).copy()

    def drag(self, at: int, dx: float) -> Any:
        """Drag one number; what the field is then."""
        self.gui.drag(self.draw, f"##{self.row.path}{self.rows}[{at}]", dx)
        # two clicks in a row would be a double-click, and begin to type
        self.gui.frame(self.draw, 30)
        return self.value()

    def type(self, at: int, text: str) -> Any:
        """Type a number; what the field is then."""
        self.gui.io.add_key_event(imgui.Key.mod_ctrl, True)
        self.gui.click(self.draw, f"##{self.row.path}{self.rows}[{at}]")
        self.gui.io.add_key_event(imgui.Key.mod_ctrl, False)
        self.gui.type(self.draw, text)
        return self.value()


@pytest.mark.parametrize(
    ("path", "index", "at", "dx", "low", "high"),
    [
        ("geom_solimp", 1, 4, 40, 2.5, 4.0), ("geom_solimp", 0, 4, -40, 3.0, 4.0),
        ("geom_solref", 0, 0, 6, -2.2e6, -2e6),
        ("geom_solref", 1, 0, 6, 0.0205, 0.023), ("eq_data", 4, 3, -40, 2.0, 4.0), ("eq_data", 2, 10, 6, 1.01, 1.15),
    ],
)  # fmt: skip
def test_a_widget_starts_at_the_value(
    gui: Gui, path: str, index: int, at: int, dx: float, low: float, high: float
) -> None:
    desk = Desk(gui, path, index)
    before = desk.value()
    after = desk.drag(at, dx)
    assert low < after[at] < high
    # nothing jumps on the way
    way = [before[at], *(edit.value for edit in desk.sent)]
    assert way == sorted(way, reverse=dx < 0)
    assert path == "geom_solref" or np.array_equal(np.delete(after, at), np.delete(before, at))
    # the next drag goes on from there
    assert abs(desk.drag(at, -dx)[at] - before[at]) < 0.03 * abs(before[at])


@pytest.mark.parametrize(
    ("path", "index", "shown"),
    [
        ("eq_data", 6, ("distance",)),
        ("eq_data", 4, ("constant", "quartic")), ("eq_data", 2, ("anchor x", "torquescale")),
    ],
)  # fmt: skip
def test_numbers_stand_beside_their_names(gui: Gui, path: str, index: int, shown: tuple[str, ...]) -> None:
    desk = Desk(gui, path, index)
    gui.frame(desk.draw, 2)
    texts = [text.strip() for text in gui.texts]
    assert set(shown) <= set(texts)
    assert texts[1:] == [part.name for part in desk.row.numbers(desk.model, desk.rows)]


def test_solref_is_dragged_through_zero_and_back(gui: Gui) -> None:
    desk = Desk(gui, "geom_solref", 1)
    first, second = desk.drag(0, -150)
    assert first < -2500 and second == -100
    first, second = desk.drag(0, 450)
    assert first > 0.02 and second == pytest.approx(desk.value()[1]) and second > 0
    assert all((edit.value > 0) == (edit.also[0].value > 0) for edit in desk.sent)


def test_what_is_typed_counts_when_it_is_complete(gui: Gui) -> None:
    desk = Desk(gui, "geom_solref", 1)
    assert desk.type(0, "-2250001").tolist() == [-2250001.0, -100.0]
    assert len(desk.sent) == 1
    assert desk.type(1, "0.125").tolist()[1] == 0.125
    desk = Desk(gui, "geom_solimp", 1)
    assert desk.type(4, "37.5")[4] == 37.5
    # only what is not legal is changed
    assert desk.type(4, "0.5")[4] == 1.0
    assert desk.type(1, "7")[1] == 1.0
    assert desk.type(0, "-1e-3")[0] == 0.0
    assert desk.type(3, "1e99")[3] == 0.5


def test_shift_is_faster_and_alt_is_finer(gui: Gui) -> None:
    view, value = ViewState(), 100.0

    def draw() -> None:
        nonlocal value
        imgui.begin("number")
        wanted = number_field(view, "##x", (value,), 0, drag_by_rule(Rule()))
        value = value if wanted is None else wanted
        imgui.end()

    reached = {}
    for name, key in (("plain", None), ("shift", imgui.Key.mod_shift), ("alt", imgui.Key.mod_alt)):
        value = 100.0
        if key is not None:
            gui.io.add_key_event(key, True)
        gui.drag(draw, "##x", 15)
        if key is not None:
            gui.io.add_key_event(key, False)
        reached[name] = value - 100
        # two clicks in a row would be a double-click, and begin to type
        gui.frame(draw, 30)
    assert 5 < reached["plain"] < 30
    assert reached["shift"] > 5 * reached["plain"]
    assert 0 < reached["alt"] < 0.02 * reached["plain"]


def test_a_whole_number_is_dragged_in_whole_steps(gui: Gui) -> None:
    desk = Desk(gui, "geom_priority", 1)
    gui.drag(desk.draw, f"##geom_priority{desk.rows}", -30)
    assert desk.value().tolist()[0] in range(-12, -2)
    assert all(edit.value == round(edit.value) for edit in desk.sent)


@pytest.mark.parametrize("start", (inf, -inf, np.nan))
def test_a_drag_from_infinity_begins_at_zero(start: float) -> None:
    assert moved(start, 0, FREE) is start
    assert moved(start, 20, FREE) == moved(0.0, 20, FREE) > 0
