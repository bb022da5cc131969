"""Words as panels write them, and colours of which none is left to ImGui."""

from __future__ import annotations

import pytest
from imgui_bundle import imgui

from app.model.elements import element_type, sensor_unit, type_or_address
from app.ui import theme
from app.ui.widgets import elide, elide_middle, tooltip
from sim.analysis.element_types import SENSOR_TYPES
from tests.app.conftest import Views
from tests.app.gui_driver import Gui


def test_a_field_is_explained_until_one_types_into_it(gui: Gui) -> None:
    words = ""

    def draw() -> None:
        nonlocal words
        _, words = imgui.input_text_with_hint("##words", "search", words)
        tooltip("finds things")

    gui.click(draw, "##words")
    assert not gui.unexplained(draw)
    gui.io.add_input_character(ord("a"))
    gui.frame(draw, 2)
    assert words == "a"
    assert gui.unexplained(draw) == ["##words"]


@pytest.mark.parametrize("text", ["", "a", "a warning of many words " * 40])
def test_as_much_of_a_text_as_fits(gui: Gui, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    measure, measured = imgui.calc_text_size, list[str]()
    monkeypatch.setattr(imgui, "calc_text_size", lambda words: measured.append(words) or measure(words))

    def check() -> None:
        for width in (0.0, 5.0, 20.0, 100.5, 1000.0):
            measured.clear()
            short = elide(text, width)
            assert len(measured) < 15
            if short == text:
                assert measure(text).x <= width
                continue
            kept = short.removesuffix("…")
            assert text.startswith(kept) and (not kept or measure(short).x <= width)
            assert measure(text[: len(kept) + 1] + "…").x > width

    gui.frame(check)


@pytest.mark.parametrize("light", [False, True])
def test_every_colour_is_ours(gui: Gui, light: bool) -> None:
    assert set(theme.COLOURS) == {name for name in imgui.Col_.__members__ if name != "count"}
    theme.apply(1.0, light)
    # what floats over others hides them
    assert theme.FLOAT[3] == 1


def test_types_and_units(views: Views) -> None:
    model, _ = views("""<worldbody><light/><geom type='box' size='1 1 1'/><body><joint name='turn'/><geom size='.1'/>
        <body><joint name='move' type='slide'/><geom size='.1'/><site name='s'/></body></body></worldbody>
        <sensor><jointpos joint='turn'/><jointpos joint='move'/><accelerometer site='s'/>
        <framequat objtype='site' objname='s'/></sensor>""")
    assert [element_type(model, "geom", g) for g in range(3)] == ["box", "sphere", "sphere"]
    assert [element_type(model, "joint", j) for j in range(2)] == ["hinge", "slide"]
    assert element_type(model, "light", 0) == "spot"
    assert element_type(model, "body", 0) == ""
    found = [type_or_address(model, *element) for element in (("geom", 1), ("joint", 0), ("light", 0))]
    assert found == ["geom:1", "hinge", "spot"]
    sensors = [element_type(model, "sensor", s) for s in range(4)]
    assert sensors == ["jointpos", "jointpos", "accelerometer", "framequat"]
    assert [sensor_unit(model, s) for s in range(4)] == ["rad", "m", "m/s²", ""]
    assert SENSOR_TYPES[0] == "touch"


def test_units_of_sensors_that_choose_their_data(views: Views) -> None:
    data = ("found", "force", "torque", "dist pos", "force torque", "linvel", "angvel", "normal tangent")
    model, _ = views(f"""<worldbody><geom name='g' size='.1'/><site name='s'/></worldbody><sensor>
        <insidesite objtype='geom' objname='g' site='s'/>
        <insidesite objtype='geom' objname='g' site='s' enclosed='true'/>
        {"".join(f"<contact data='{words}'/>" for words in data)}</sensor>""")
    units = [sensor_unit(model, s) for s in range(model.nsensor)]
    assert units == ["", "m", "", "N", "N m", "m", "", "m/s", "rad/s", ""]


def test_names_that_differ_at_their_ends_stay_apart(gui: Gui) -> None:
    def check() -> None:
        names = [f"left_foot_{part} / capsule" for part in ("heel", "toes")]
        for width in (60.0, 90.0):
            short = [elide_middle(f"floor on {name}", width) for name in names]
            assert all("…" in text and imgui.calc_text_size(text).x <= width for text in short)
            assert elide(names[0], 60.0) == elide(names[1], 60.0)
        wide = [elide_middle(name, 150.0) for name in names]
        assert wide[0] != wide[1]
        assert elide_middle(names[0], 1e4) == names[0]

    gui.frame(check)
