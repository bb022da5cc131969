"""Scenes in which trees fall asleep and wake, and what is done to them: the same on both engines, by field names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

Action = Callable[[int, Any], None]


class Scene(NamedTuple):
    """MJCF, and what is done before each step."""

    xml: str
    act: Action
    steps: int = 600


def world(bodies: str, rest: str = "", option: str = "") -> str:
    return f"""<mujoco><option {option}><flag sleep="enable"/></option>
    <worldbody><geom name="floor" type="plane" size="20 20 .1"/>{bodies}</worldbody>{rest}</mujoco>"""


def box(name: str, pos: str, size: str = ".1 .1 .1", more: str = "") -> str:
    return f'<body name="{name}" pos="{pos}" {more}><freejoint/><geom name="{name}" type="box" size="{size}"/></body>'


def nothing(step: int, d: Any) -> None:
    pass


# ---- dominoes: they fall asleep one by one and are woken one by one


def _topple(step: int, d: Any) -> None:
    if step == 60:
        d.qvel[0], d.qvel[4] = 0.6, 6


# no two side by side have faces in one plane, where rounding would decide about contacts
DOMINOES = Scene(
    world(
        "".join(box(f"d{k}", f"{0.11 * k:g} {0.004 * (k % 3):g} .1", ".012 .05 .1") for k in range(200)),
        option='timestep="0.004"',
    ),
    _topple,
)


# ---- boxes that fall on piles which sleep


def _pile(x: float, height: int) -> str:
    return "".join(box(f"p{x:g}_{k}", f"{x + 0.013 * k:g} {0.007 * k:g} {0.1 + 0.2 * k:g}") for k in range(height))


def _drop(step: int, d: Any) -> None:
    # the two that hang in the air have a force on them until then
    if step < 150:
        d.xfrc_applied[-1, 2] = d.xfrc_applied[-2, 2] = 9.81 * 8
    elif step == 150:
        d.xfrc_applied[:] = 0


PILES = Scene(
    world(
        _pile(0, 3)
        + _pile(1, 2)
        + _pile(2, 3)
        + box("first", "0.05 .02 1.2", more='gravcomp="0"')
        + box("second", "2.06 -.03 1.4")
    ),
    _drop,
)


# ---- welds between sleepers, switched on and off


def _weld(step: int, d: Any) -> None:
    if step in (120, 320):
        d.eq_active[0] = 1
    if step == 180:
        d.eq_active[1] = 1
    if step in (260, 420):
        d.eq_active[:] = 0
    if step == 480:
        d.qfrc_applied[2] = 90


WELDS = Scene(
    world(
        "".join(box(f"w{k}", f"{0.3 * k:g} 0 .1") for k in range(4)) + '<body name="post" pos="0 1 1"/>',
        """<equality><weld body1="w0" body2="w1" active="false"/><connect body1="w1" body2="w2" anchor=".1 0 0"
        active="false"/><weld body1="post" body2="w3" active="false"/></equality>""",
    ),
    _weld,
)


# ---- a finger that the user moves


def _poke(step: int, d: Any) -> None:
    if step > 100:
        d.mocap_pos[0, 0] = -0.4 + 0.002 * min(step - 100, 250)
    if step == 400:
        d.mocap_pos[1, 0] += 0.05


FINGER = Scene(
    world(
        '<body name="finger" mocap="true" pos="-.4 0 .12"><geom type="sphere" size=".05"/></body>'
        + box("touched", "0 .01 .1")
        + box("behind", ".32 0 .1")
        + box("aside", "0 1 .1")
        + """<body name="hand" mocap="true" pos="0 -1 1"><body pos=".1 0 0"><joint type="ball" damping=".3"/>
        <geom type="capsule" size=".03" fromto="0 0 0 0 0 -.3"/></body></body>"""
    ),
    _poke,
)


# ---- a box on a leash: it falls asleep, and what holds it, being awake, wakes it

LEASH = Scene(
    world(
        '<body name="hand" mocap="true" pos="0 0 1"/>' + box("held", "0 0 .1") + box("other", "0 0 .3"),
        '<equality><weld body1="hand" body2="held"/></equality>',
    ),
    nothing,
    200,
)


# ---- tendons between trees


def _pull(step: int, d: Any) -> None:
    if step == 150:
        d.qvel[6:9] = 0.4, 0, 3.5
    if step == 420:
        d.qpos[0] += 0.05


TENDONS = Scene(
    world(
        "".join(
            f"""<body pos="{0.5 * k:g} 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="t{k}"/></body>"""
            for k in range(4)
        )
        + '<body pos="3 0 1"><joint name="lone" axis="0 1 0" damping=".4"/><geom size=".1" pos="0 0 -.3"/></body>',
        """<tendon><spatial limited="true" range="0 .62"><site site="t0"/><site site="t1"/></spatial>
        <spatial limited="true" range="0 .58"><site site="t1"/><site site="t2"/></spatial>
        <spatial><site site="t2"/><site site="t3"/></spatial>
        <fixed limited="true" range="-.2 .2" frictionloss=".1"><joint joint="lone" coef="1"/></fixed></tendon>""",
    ),
    _pull,
)


# ---- a crowd that starts asleep


def _disturb(step: int, d: Any) -> None:
    if step == 50:
        d.xfrc_applied[5, 1] = 30
    if step == 60:
        d.xfrc_applied[:] = 0
    if step == 300:
        d.qvel[0] = -0.0


CROWD = Scene(
    world(
        "".join(
            box(f"c{k}", f"{0.5 * (k % 6):g} {0.35 * (k // 6):g} .0999", more='sleep="init"')
            + box(f"t{k}", f"{0.5 * (k % 6):g} {0.35 * (k // 6):g} .2998", more='sleep="init"')
            for k in range(18)
        )
        + box("late", "0 5 .4")
        + box("never", "3 5 .1", more='sleep="never"')
    ),
    _disturb,
)


# ---- joints, limits, friction, actuators, sensors, explicit pairs, fluid: every stage has something asleep


def _stir(step: int, d: Any) -> None:
    d.ctrl[0] = 0.5 if 200 < step < 260 else 0.0
    if step == 330:
        d.qvel[2] = 0.3


EVERYTHING = Scene(
    world(
        """<body name="door" pos="0 2 1" sleep="allowed"><joint name="hinge" axis="0 0 1" limited="true" range="-60 60"
        damping="3" frictionloss=".3" stiffness="9"/><geom type="box" size=".3 .02 .4" pos=".3 0 0" mass=".5"/>
        <body pos=".6 0 0"><site name="tip"/><joint name="flap" axis="0 0 1" damping=".5" limited="true" range="0 90"/>
        <geom name="flap" type="box" size=".2 .02 .3" pos=".2 0 0" mass=".2" contype="0" conaffinity="0"/></body>
        </body>
        <body name="stand" pos="0 -2 .5"><geom size=".1"/><camera mode="targetbody" target="door"/>
        <body pos="0 0 .2"><joint type="slide" axis="0 0 1" stiffness="80" damping="12"/><geom size=".08"/>
        <light mode="trackcom"/></body>
        <body pos=".4 0 .2"><joint type="ball" damping=".2"/><geom type="capsule" size=".03" fromto="0 0 0 0 0 -.3"/>
        </body></body>"""
        + box("float", "2 2 .1", more='gravcomp=".5"')
        + box("other", "2.5 2 .25", more='euler="3 5 8"'),
        """<contact><pair geom1="flap" geom2="other"/><exclude body1="float" body2="other"/></contact>
        <actuator><motor name="push" joint="hinge" gear="2"/><general joint="flap" biastype="affine" biasprm="0 -1"
        dyntype="filter" dynprm=".05"/></actuator>
        <equality><joint joint1="flap" polycoef=".3 0 0 0 0"/></equality>
        <sensor><framepos objtype="body" objname="door"/><framelinacc objtype="body" objname="other"/>
        <framepos objtype="body" objname="other" reftype="body" refname="float"/><subtreecom body="stand"/>
        <subtreelinvel body="float"/><jointvel joint="hinge"/><jointlimitpos joint="flap"/>
        <actuatorfrc actuator="push"/><accelerometer site="tip"/><force site="tip"/><touch site="tip"/><clock/>
        </sensor>""",
        option='density="1.2" viscosity="0.00002"',
    ),
    _stir,
)

SCENES = {
    "dominoes": DOMINOES,
    "piles": PILES,
    "welds": WELDS,
    "finger": FINGER,
    "leash": LEASH,
    "tendons": TENDONS,
    "crowd": CROWD,
    "everything": EVERYTHING,
}
