"""Numbers of a model by what one types."""

from __future__ import annotations

import pytest

import sim
from app.instruments.sweep.field_name import BadField, field_named
from app.run.snapshot import view_model

XML = """<mujoco><worldbody><body name='leg.left'><joint name='knee' damping='2'/><geom name='foot' size='.1'/></body>
</worldbody><actuator><position name='servo' joint='knee' kp='30'/></actuator></mujoco>"""


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("timestep", "timestep"),
        ("opt.timestep", "timestep"),
        ("gravity.z", "gravity z"),
        ("opt.gravity.z", "gravity z"),
        ("flag.contact", "flag contact"),
        ("geom:foot.friction", "friction sliding of geom foot"),
        ("geom:foot.friction.torsional", "friction torsional of geom foot"),
        ("foot.friction rolling", "friction rolling of geom foot"),
        ("geom:0.margin", "margin of geom foot"),
        ("joint:knee.damping", "damping of joint knee"),
        ("servo.kp", "kp of actuator servo"),
        ("body:leg.left.mass", "mass of body leg.left"),
    ],
)
def test_found(text: str, label: str) -> None:
    m = sim.loads(XML)
    assert field_named(text, m, view_model(m)).label == label


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("timestap", "did you mean 'timestep'"),
        ("gravity", "specify one of gravity x, gravity y, gravity z"),
        ("geom:foot.frction", "has no 'frction': did you mean"),
        ("geom:hand.friction", "hand"),
        ("", "no option"),
    ],
)
def test_not_found_says_what_there_is(text: str, reason: str) -> None:
    m = sim.loads(XML)
    with pytest.raises(BadField, match=reason):
        field_named(text, m, view_model(m))
