"""What a model is called in the title bar and in lists."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

import sim
from app.model.model_title import SCRIPT, model_name, model_title
from app.run.snapshot import view_model


@pytest.mark.parametrize(
    ("path", "name", "title"),
    [
        ("/robots/unitree_go1/scene.xml", "go1 scene", "unitree_go1 / scene"),
        ("/robots/unitree_go1/scene.xml", "scene", "unitree_go1 / scene"),
        ("/robots/unitree_go1/xml/scene_2.xml", "", "unitree_go1 / scene_2"),
        ("/robots/hand/robot.xml", "MuJoCo Model", "hand / robot"),
        ("/robots/hand/robot.xml", "left hand", "left hand"),
        ("/robots/hand/humanoid.xml", "person", "humanoid"),
        ("/model.xml", "MuJoCo Model", "MuJoCo Model"),
        ("/tmp/scene.xml", "", "scene"),
        ("", "cartpole", "cartpole"),
    ],
)
def test_the_title_says_which_model_it_is(path: str, name: str, title: str) -> None:
    assert model_title(path, name) == title


def test_a_model_of_a_script_without_a_name_is_called_by_the_script(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "__main__", SimpleNamespace(__file__="/home/me/swing_up.py"))
    assert model_title("", "MuJoCo Model") == "swing_up"
    monkeypatch.setitem(sys.modules, "__main__", SimpleNamespace())
    assert model_title("") == SCRIPT


def test_the_name_in_the_file() -> None:
    model = sim.loads("<mujoco model='cartpole'/>")
    assert model_name(model) == view_model(model).name == "cartpole"
    assert model_name(sim.loads("<mujoco/>")) == "MuJoCo Model"
