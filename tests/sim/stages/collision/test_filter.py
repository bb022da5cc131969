"""Who may touch whom, as in MuJoCo: hierarchies, welds, bits, exclusions and explicit pairs."""

import mujoco
import numpy as np
import pytest

from tests.sim.stages.collision import scenes

BALL = "<geom size='.2'/>"
HINGE = "<joint axis='1 0 0'/>"

# everything overlaps, so only the filters decide
CASES = {
    "two free": f"<body><freejoint/>{BALL}</body><body><freejoint/>{BALL}</body>",
    "parent and child": f"<body><freejoint/>{BALL}<body>{HINGE}{BALL}</body></body>",
    "grandchild": f"<body><freejoint/>{BALL}<body>{HINGE}{BALL}<body>{HINGE}{BALL}</body></body></body>",
    "siblings": f"<body><freejoint/>{BALL}<body>{HINGE}{BALL}</body><body>{HINGE}{BALL}</body></body>",
    "welded child": f"<body><freejoint/>{BALL}<body>{BALL}<body>{HINGE}{BALL}</body></body></body>",
    "child of a welded child": f"<body><freejoint/><body>{BALL}</body><body>{HINGE}{BALL}</body></body>",
    "world and child": f"{BALL}<body>{HINGE}{BALL}<body>{HINGE}{BALL}</body></body>",
    "static body": f"{BALL}<body>{BALL}<body>{HINGE}{BALL}</body></body>",
    "two static": f"<body>{BALL}</body><body>{BALL}</body>",
    "static plane": f"<body pos='0 0 .1'><geom type='plane' size='1 1 1'/></body><body><freejoint/>{BALL}</body>",
    "plane in a later body": f"<body><freejoint/>{BALL}</body><body><geom type='plane' size='1 1 1'/>{BALL}</body>",
    "two planes": "<geom type='plane' size='1 1 1'/><body><geom type='plane' size='1 1 1'/></body>",
    "mocap": f"{BALL}<body mocap='true'>{BALL}</body><body mocap='true'>{BALL}</body><body>{HINGE}{BALL}</body>",
    "plane that is placed": f"<body mocap='true'><geom type='plane' size='1 1 1'/><body>{HINGE}{BALL}</body></body>"
    f"<body mocap='true'>{BALL}</body><body pos='3 0 .1'><freejoint/>{BALL}</body>{BALL}",
    "placed, with a child": f"<body mocap='true'>{BALL}<body>{BALL}</body><body>{HINGE}{BALL}</body></body>{BALL}",
    "several geoms": f"{BALL}{BALL}<body><freejoint/>{BALL}{BALL}</body><body><freejoint/>{BALL}{BALL}{BALL}</body>",
    "no geoms": f"<body><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body>{BALL}",
}
BITS = [(0, 0), (1, 0), (0, 1), (1, 1), (2, 1), (1, 2), (2, 0), (0, 2), (3, 4), (1 << 30, 1 << 30)]


def check(xml: str, contacts: bool | None = None) -> None:
    mj = mujoco.MjModel.from_xml_string(xml)
    dj = mujoco.MjData(mj)
    mujoco.mj_kinematics(mj, dj)
    mujoco.mj_collision(mj, dj)
    _, d = scenes.contacts_of(mj, dj)
    assert scenes.difference(d, dj) == ""
    if contacts is not None:
        assert (d.ncon > 0) == contacts


@pytest.mark.parametrize("flags", ["", "<flag filterparent='disable'/>", "<flag midphase='disable'/>"])
@pytest.mark.parametrize("case", CASES)
def test_hierarchies(case, flags):
    check(f"<mujoco><option>{flags}</option><worldbody>{CASES[case]}</worldbody></mujoco>")


@pytest.mark.parametrize("first", BITS)
def test_bits(first):
    for second in BITS:
        bodies = "".join(
            f"<body pos='{k} 0 0'><freejoint/><geom size='.6' contype='{bits[0]}' conaffinity='{bits[1]}'/></body>"
            for k, bits in enumerate((first, second))
        )
        asks = bool(first[0] & second[1] or second[0] & first[1])
        check(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>", asks)


def test_bits_differ_within_a_body():
    geoms = "".join(f"<geom size='.2' contype='{1 << k}' conaffinity='{1 << (k + 1)}'/>" for k in range(4))
    body = f"<body><freejoint/>{geoms}</body>"
    check(f"<mujoco><worldbody>{geoms}{body}{body}</worldbody></mujoco>", True)


def test_exclusions():
    bodies = "".join(f"<body name='b{k}'><freejoint/>{BALL}</body>" for k in range(5))
    pairs = ((4, 0), (1, 2), (2, 3), (3, 1))
    excluded = "".join(f"<exclude body1='b{i}' body2='b{j}'/>" for i, j in pairs)
    excluded += "<exclude body1='world' body2='b2'/>"
    check(f"<mujoco><worldbody>{BALL}{bodies}</worldbody><contact>{excluded}</contact></mujoco>", True)


def test_explicit_pairs_skip_the_filters():
    """Between bodies that would not touch otherwise, and instead of contacts that would be there anyway."""
    xml = """
    <mujoco>
      <worldbody>
        <geom name="floor" type="plane" size="1 1 1"/>
        <body name="a" pos="0 0 .1"><freejoint/><geom name="a" size=".2"/><geom name="a2" size=".2" pos=".1 0 0"/>
          <body name="b"><joint/><geom name="b" type="box" size=".2 .2 .2"/></body>
        </body>
        <body name="c"><freejoint/><geom name="c" size=".2" contype="0" conaffinity="0"/></body>
        <body name="d" pos="5 0 0"><freejoint/><geom name="d" size=".2"/></body>
      </worldbody>
      <contact>
        <exclude body1="a" body2="c"/>
        <pair geom1="b" geom2="a" condim="6" friction=".5 .6 .01 0 .002" margin=".01" gap=".02"/>
        <pair geom1="floor" geom2="c" solref="-100 -5" solimp=".8 .9 .01 .4 3"/>
        <pair geom1="c" geom2="a" solreffriction=".03 2"/>
        <pair geom1="a2" geom2="floor" condim="1"/>
        <pair geom1="d" geom2="a"/>
        <pair geom1="d" geom2="floor" margin=".5"/>
      </contact>
    </mujoco>"""
    check(xml, True)
    check(xml.replace("<worldbody>", "<option><flag override='enable'/></option><worldbody>"), True)
    check(xml.replace("<worldbody>", "<option><flag midphase='disable'/></option><worldbody>"), True)


def random_tree(rng: np.random.Generator) -> str:
    """Bodies hung anywhere, some without joints or geoms, with random bits, exclusions and explicit pairs."""
    kinds = ("type='sphere' size='.2'", "type='capsule' size='.1 .2'", "type='box' size='.1 .2 .15'")
    n = rng.integers(3, 12)
    children: dict[int, list[int]] = {k: [] for k in range(n)}
    for b in range(1, n):
        children[int(rng.integers(0, b))].append(b)
    names: list[str] = []

    def geoms(b: int) -> str:
        text = ""
        for _ in range(rng.integers(0, 4)):
            names.append(f"g{len(names)}")
            pos = " ".join(map(str, rng.normal(size=3) * 0.2))
            contype, conaffinity = rng.choice([0, 1, 1, 1, 2, 3], 2)
            kind = "type='plane' size='1 1 1'" if b == 0 and rng.random() < 0.3 else kinds[rng.integers(3)]
            text += f"<geom name='{names[-1]}' {kind} pos='{pos}' euler='{rng.uniform(0, 90)} 20 0' "
            text += f"contype='{contype}' conaffinity='{conaffinity}' margin='{rng.choice([0, 0.01])}'/>"
        return text

    def body(b: int) -> str:
        joint = rng.choice(["", HINGE, "<joint type='ball'/>"])
        inertia = "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
        pos = " ".join(map(str, rng.normal(size=3) * 0.2))
        return f"<body name='b{b}' pos='{pos}'>{joint}{inertia}{geoms(b)}{''.join(map(body, children[b]))}</body>"

    tree = geoms(0) + "".join(map(body, children[0]))
    some = {tuple(sorted(rng.choice(n, 2, replace=False))) for _ in range(rng.integers(0, 4))} if n > 1 else set()
    contact = "".join(f"<exclude body1='{'world' if i == 0 else f'b{i}'}' body2='b{j}'/>" for i, j in some)
    if len(names) > 1:
        chosen = {tuple(rng.choice(names, 2, replace=False)) for _ in range(rng.integers(0, 4))}
        contact += "".join(f"<pair geom1='{i}' geom2='{j}' margin='.02'/>" for i, j in chosen)
    return f"<mujoco><worldbody>{tree}</worldbody><contact>{contact}</contact></mujoco>"


@pytest.mark.parametrize("seed", range(8))
def test_random_trees(seed):
    rng = np.random.default_rng(seed)
    for _ in range(25):
        check(random_tree(rng))
