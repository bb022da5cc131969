"""tree_energy.py: the energies of all trees sum to those of the whole."""

from __future__ import annotations

import numpy as np
import pytest

import sim
from sim.analysis.energy import kinetic_energy, potential_energy
from sim.analysis.trees.tree_energy import tree_energies

MODEL = """<mujoco><option gravity='0 .3 -9.81'><flag {flag}/></option><worldbody>
  <body name='post' pos='0 0 2'><geom size='.1' mass='5'/></body><site name='hook' pos='0 0 3'/>
  <body pos='1 0 1'><freejoint/><geom size='.1' mass='2'/><site name='a'/></body>
  <body pos='2 0 1'><joint type='ball' stiffness='3'/><geom size='.1' pos='.2 0 0'/>
    <body pos='.4 0 0'><joint type='slide' stiffness='7' springref='.1' armature='.2'/><geom size='.1'/>
      <site name='b'/></body></body>
  <body pos='4 0 1'><joint stiffness='2'/><geom size='.1' pos='0 .3 0'/><site name='c' pos='0 .3 0'/></body>
</worldbody><tendon>
  <spatial stiffness='4' springlength='1'><site site='a'/><site site='b'/></spatial>
  <spatial stiffness='5' springlength='.1'><site site='hook'/><site site='c'/></spatial>
</tendon></mujoco>"""


@pytest.mark.parametrize("flag", ["", "gravity='disable'", "spring='disable'"])
def test_trees_sum_to_the_whole(flag: str) -> None:
    m = sim.loads(MODEL.format(flag=flag))
    d = sim.Data(m)
    d.qvel[:] = np.linspace(-1, 2, m.nv)
    sim.step(m, d, 40)
    sim.forward(m, d)
    found = tree_energies(m, d)
    assert found.kinetic.sum() == pytest.approx(kinetic_energy(m, d), rel=1e-12)
    assert found.potential.sum() + found.outside == pytest.approx(potential_energy(m, d), rel=1e-12)
    assert (found.kinetic > 0).all()
    # the post is fixed
    assert found.outside == pytest.approx(0.0 if "gravity" in flag else 5 * 9.81 * 2)


def test_a_spring_between_two_trees_belongs_to_both() -> None:
    m = sim.loads(MODEL.format(flag="gravity='disable'"))
    d = sim.Data(m)
    sim.forward(m, d)
    before = tree_energies(m, d).potential
    energies = [0.5 * 4 * float(d.ten_length[0] - m.tendon_lengthspring[0, 1]) ** 2]
    d.qpos[0] -= 0.5
    sim.forward(m, d)
    energies.append(0.5 * 4 * float(d.ten_length[0] - m.tendon_lengthspring[0, 1]) ** 2)
    half = (energies[1] - energies[0]) / 2
    assert tree_energies(m, d).potential - before == pytest.approx([half, half, 0.0]) and half > 0.1
