"""Words that URDF does not have: one warning for a file, with the first place of each."""

from __future__ import annotations

import warnings

import pytest

import sim
from tests.sim.mjcf.format.urdf_models import BALL, INERTIAL, MODELS, arm, link, robot, shape


def warned(text: str) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        sim.loads(text)
    return [str(warning.message) for warning in caught]


def test_unknown_words_are_named_once() -> None:
    wrong = shape(BALL).replace("collision", "colision")
    text = robot(link("a", INERTIAL + wrong + wrong) + link("b", f"\n{wrong}") + '<link name="c" nam="x"/>')
    (message,) = warned(text)
    assert message.splitlines() == [
        "ignored, as in MuJoCo:",
        "<text>:2: <colision>: unknown in <link>; did you mean 'collision'?",
        "<text>:5: <link>: unknown attribute 'nam'; did you mean 'name'?",
    ]


def test_words_of_the_extension_are_checked() -> None:
    text = arm("revolute", "", '<mujoco><compiler meshdirectory="x"/><option><flags/></option><asset/></mujoco>')
    (message,) = warned(text)
    for part in (
        "'meshdirectory'; did you mean 'meshdir'?",
        "<flags>: unknown in <option>",
        "<asset>: unknown in <mujoco>",
    ):
        assert part in message


@pytest.mark.parametrize("name", ["ignored", "namespaces", "undeclared prefix", "limits", "planar", "visual is kept"])
def test_known_words_and_extensions_are_silent(name: str) -> None:
    assert warned(MODELS[name]) == []


def test_many_are_counted() -> None:
    (message,) = warned(robot("".join(f"<thing{k}/>" for k in range(20)) + link("a")))
    assert message.endswith("and 12 more") and message.count("\n") == 9
