"""Colours of bodies that an instrument gives (scene.py): on geoms that move, instead of those of the model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.scene.decor.islands import island_colours
from app.scene.instances import COLOUR
from app.scene.scene import Scene
from app.scene.visual_options import VisualOptions
from app.view.asking import Instruments
from tests.app.conftest import Views

MODEL = """<worldbody><geom name='post' size='.1' rgba='1 0 0 1'/>
  <body pos='1 0 0'><freejoint/><geom size='.2' rgba='0 1 0 1'/>
  <body pos='1 0 0'><geom size='.3' rgba='0 0 1 .5'/></body>
  </body></worldbody>"""
EYE = np.array([0.0, -9.0, 0.0])


def drawn(views: Views, options: VisualOptions, colours: np.ndarray | None) -> dict[float, list[float]]:
    """The colours of geoms by their radius."""
    model, state = views(MODEL)
    lists = Scene(model, options).draw_list(state, EYE, colours=colours)
    rows = [row for batch in (*lists.opaque, *lists.transparent) for row in batch.instances]
    sizes = np.asarray(model.geom_size)[:, 0]
    places = np.asarray(state.geom_xpos)
    return {
        round(float(sizes[int(np.argmin(np.linalg.norm(places - row[:3], axis=1)))]), 1): row[COLOUR].tolist()
        for row in rows
    }


def test_given_colours_are_those_of_moving_bodies(views: Views) -> None:
    given = np.array([[0.5, 0.5, 0.5], [0.1, 0.2, 0.3], [0.4, 0.6, 0.8]], np.float32)
    for options in (VisualOptions(), replace(VisualOptions(), island=True)):
        found = drawn(views, options, given)
        assert found[0.1] == pytest.approx([1, 0, 0, 1])
        assert found[0.2] == pytest.approx([0.1, 0.2, 0.3, 1])
        # what is transparent stays so
        assert found[0.3] == pytest.approx([0.4, 0.6, 0.8, 0.5])


def test_without_them_the_model_or_its_islands_have_theirs(views: Views) -> None:
    model, state = views(MODEL)
    assert drawn(views, VisualOptions(), None)[0.2] == pytest.approx([0, 1, 0, 1])
    shown = drawn(views, replace(VisualOptions(), island=True), None)
    assert shown[0.2][:3] == pytest.approx(island_colours(model, state)[1].tolist())
    # those of a model with other bodies
    assert drawn(views, VisualOptions(), np.zeros((7, 3), np.float32))[0.2] == pytest.approx([0, 1, 0, 1])


def test_colours_last_for_a_frame() -> None:
    instruments = Instruments()
    given = np.zeros((3, 3), np.float32)
    instruments.begin(None, instruments.answers)
    instruments.colour_bodies(given)
    instruments.end()
    assert instruments.colours is given
    instruments.begin(None, instruments.answers)
    instruments.end()
    assert instruments.colours is None
