"""tree_ties.py: what ties trees, the shortest way from one to another, and what lets a tree never sleep."""

from __future__ import annotations

import sim
from sim.analysis.trees.tree_ties import (
    Tie,
    constrained_trees,
    couples,
    driven_trees,
    equality_trees,
    kept_awake_by,
    path_to,
    tendon_trees,
    ties,
)

BODY = "<body name='b{k}' pos='{x} 0 0'><freejoint/><geom name='g{k}' size='.1'/><site name='s{k}'/></body>"
MODEL = f"""<mujoco><option gravity='0 0 0'/><worldbody>
  {"".join(BODY.format(k=k, x=x) for k, x in enumerate((0, 0.19, 1, 2, 3)))}
  <body name='arm' pos='9 0 0'><joint name='elbow'/><geom size='.1'/></body><site name='wall'/></worldbody>
  <tendon><spatial name='rope' range='0 .9' limited='true'><site site='s2'/><site site='s3'/></spatial>
    <spatial name='anchor'><site site='wall'/><site site='s4'/></spatial>
    <spatial name='spring' damping='1'><site site='s0'/><site site='s1'/></spatial></tendon>
  <equality><connect name='pin' body1='b1' body2='b2' anchor='.4 0 0'/>
    <weld name='off' body1='b3' body2='b4' active='false'/>
    <tendon name='pulleys' tendon1='rope' tendon2='anchor' active='false'/></equality>
  <actuator><motor name='drive' joint='elbow'/><motor name='reel' tendon='anchor'/></actuator></mujoco>"""


def test_ties_are_those_with_rows() -> None:
    m = sim.loads(MODEL)
    d = sim.Data(m)
    sim.forward(m, d)
    found = ties(m, d)
    assert found == [Tie("contact", 0, 0, 1), Tie("equality", 0, 1, 2), Tie("tendon", 0, 2, 3)]
    assert constrained_trees(m, d, "contact", 0) == {0, 1}
    # each from the nearer tree
    assert path_to(found, 0, {3}) == found
    assert path_to(found, 3, {0, 1}) == [Tie("tendon", 0, 3, 2), Tie("equality", 0, 2, 1)]
    assert path_to(found, 0, {4}) == []


def test_elements_and_their_trees() -> None:
    m = sim.loads(MODEL)
    assert [equality_trees(m, e) for e in range(3)] == [{1, 2}, {3, 4}, {2, 3, 4}]
    assert [tendon_trees(m, t) for t in range(3)] == [{2, 3}, {4}, {0, 1}]
    assert [driven_trees(m, a) for a in range(2)] == [{5}, {4}]
    # a rope with a limit only lets its trees sleep
    assert [couples(m, t) for t in range(3)] == [False, False, True]
    assert kept_awake_by(m) == {5: ("actuator", 0), 4: ("actuator", 1), 0: ("tendon", 2), 1: ("tendon", 2)}
