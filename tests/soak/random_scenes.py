"""Random models in both engines: every stage has to agree, given what MuJoCo computed before it.

    python -m tests.soak.random_scenes [--count 200] [--start 0]

Trees of bodies with joints and geoms of every kind above a floor, with equalities, tendons, actuators and options
drawn at random, in a few reachable states. Stages are compared one by one, because contacts are discontinuous: a pose
that differs in its last bit may have others. `--seed N` prints the model of one seed.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable

import mujoco
import numpy as np

import sim
from sim.enums import INT_RK4, SOL_CG
from sim.island import island
from tests import oracle
from tests.sim.collision import scenes as contacts
from tests.sim.collision.convex_scenes import ASSETS, meshes
from tests.sim.collision.convex_scenes import compare as compare_contacts
from tests.sim.constraint import rows as constraint
from tests.sim.contact_scenes import FIELD
from tests.sim.solver import rows as solver

STEPS = (5, 20, 80, 200)
SMOOTH = ["xpos", "geom_xpos", "cinert", "M", "qLD", "ten_length", "actuator_length", "qfrc_passive", "qfrc_bias"]
SMOOTH += ["actuator_force", "qfrc_smooth", "qacc_smooth"]
# kinds of joints to draw from, for each joint of a body: a ball joint leaves nothing to another one
ANY = ("hinge", "hinge", "hinge", "slide", "ball")
NONE: tuple[tuple[str, ...], ...] = ()
SINGLE, TWO = (ANY,), (("hinge",), ("hinge", "slide"))


class Maker:
    """Draws one model."""

    def __init__(self, seed: int) -> None:
        self.pick = random.Random(seed)
        self.joints: list[str] = []
        self.bodies: list[str] = []
        self.sites: list[str] = []

    def numbers(self, n: int, low: float, high: float) -> str:
        return " ".join(f"{self.pick.uniform(low, high):.4f}" for _ in range(n))

    def maybe(self, share: float, text: str) -> str:
        return text if self.pick.random() < share else ""

    def geom(self) -> str:
        kind = self.pick.choice(("sphere", "capsule", "ellipsoid", "cylinder", "box", "box", "mesh"))
        shape = f'type="{kind}" size="{self.numbers(3, 0.04, 0.09)}"'
        if kind == "mesh":
            shape = f'type="mesh" mesh="{self.pick.choice(list(meshes()))}"'
        parts = [
            self.maybe(0.3, f'condim="{self.pick.choice((1, 3, 4, 6))}"'),
            self.maybe(0.2, f'friction="{self.numbers(1, 0.1, 1.2)} .02 .003"'),
            self.maybe(0.1, f'margin="{self.numbers(1, 0.0, 0.03)}" gap="{self.numbers(1, 0.0, 0.02)}"'),
            self.maybe(0.1, f'solref="{self.numbers(1, 0.01, 0.05)} {self.numbers(1, 0.5, 1.2)}"'),
            self.maybe(0.1, f'priority="{self.pick.randint(0, 2)}" solmix="{self.numbers(1, 0.5, 2)}"'),
        ]
        return (
            f'<geom {shape} pos="{self.numbers(3, -0.05, 0.05)}" euler="{self.numbers(3, -90, 90)}" {" ".join(parts)}/>'
        )

    def joint(self, kinds: tuple[str, ...]) -> str:
        kind = self.pick.choice(kinds)
        name = f"j{len(self.joints)}"
        if kind != "ball":
            self.joints.append(name)
        limit = {"hinge": "-40 30", "slide": "-.05 .08", "ball": "0 50"}[kind]
        parts = [
            self.maybe(0.5, f'damping="{self.numbers(1, 0, 0.5)}"'),
            self.maybe(0.3, f'stiffness="{self.numbers(1, 0, 5)}"'),
            self.maybe(0.3, f'frictionloss="{self.numbers(1, 0, 0.2)}"'),
            self.maybe(0.5, f'limited="true" range="{limit}"'),
            self.maybe(0.3, f'armature="{self.numbers(1, 0, 0.05)}"'),
        ]
        axis = "" if kind == "ball" else f'axis="{self.numbers(3, -1, 1)}"'
        label = "" if kind == "ball" else f'name="{name}"'
        return f'<joint {label} type="{kind}" {axis} {" ".join(parts)}/>'

    def body(self, depth: int, place: str, joint: str) -> str:
        name = f"b{len(self.bodies)}"
        if joint:
            self.bodies.append(name)
        inside = joint + "".join(self.geom() for _ in range(self.pick.randint(1, 2)))
        if self.pick.random() < 0.5:
            self.sites.append(f"s{len(self.sites)}")
            inside += f'<site name="{self.sites[-1]}" pos="{self.numbers(3, -0.1, 0.1)}"/>'
        for _ in range(self.pick.randint(0, 2) if depth < 4 else 0):
            side = self.pick.choice((-0.2, 0.2))
            shift = f'pos="{side} {self.numbers(2, -0.15, 0.15)}" euler="{self.numbers(3, -60, 60)}"'
            joints = "".join(self.joint(kinds) for kinds in self.pick.choice((NONE, SINGLE, SINGLE, SINGLE, TWO)))
            inside += self.body(depth + 1, shift, joints)
        weightless = self.maybe(0.1, 'gravcomp=".5"')
        label = f'name="{name}"' if joint else ""
        return f"<body {label} {place} {weightless}>{inside}</body>"

    def equalities(self) -> str:
        out = ""
        for _ in range(self.pick.choice((0, 0, 1, 2))):
            a, b = self.pick.sample(self.bodies, 2)
            kind = self.pick.choice(('connect anchor=".05 0 .1"', "weld"))
            out += f'<{kind} body1="{a}" body2="{b}" solref=".05 1"/>'
        if len(self.joints) > 1 and self.pick.random() < 0.3:
            a, b = self.pick.sample(self.joints, 2)
            out += f'<joint joint1="{a}" joint2="{b}" polycoef="0 .5 .2 0 0"/>'
        return out

    def tendons(self) -> str:
        out = ""
        if len(self.joints) > 1 and self.pick.random() < 0.4:
            a, b = self.pick.sample(self.joints, 2)
            limits = self.maybe(0.6, 'limited="true" range="-.1 .1"') + self.maybe(0.4, ' frictionloss=".05"')
            out += f'<fixed name="t0" {limits}><joint joint="{a}" coef="1"/><joint joint="{b}" coef="-.7"/></fixed>'
        if len(self.sites) > 1 and self.pick.random() < 0.4:
            a, b = self.pick.sample(self.sites, 2)
            ends = f'<site site="{a}"/><site site="{b}"/>'
            out += f'<spatial name="t1" stiffness="5" limited="true" range="0 .6">{ends}</spatial>'
        return out

    def actuators(self) -> str:
        out = ""
        for joint in self.joints:
            kind = self.pick.choice(("", "", "motor", "position", "velocity", "general"))
            if kind:
                extra = {
                    "position": 'kp="3" kv=".1"',
                    "velocity": 'kv=".2"',
                    "general": 'dyntype="filter" dynprm=".05"',
                }
                out += f'<{kind} joint="{joint}" {extra.get(kind, "")} ctrlrange="-1 1"/>'
        return out

    def option(self) -> str:
        choices = {
            "solver": ("Newton", "Newton", "CG", "PGS"),
            "cone": ("pyramidal", "elliptic"),
            "integrator": ("Euler", "RK4", "implicit", "implicitfast"),
            "timestep": (0.001, 0.002, 0.005),
            "jacobian": ("auto", "dense", "sparse"),
            "impratio": (1, 1, 5),
            "noslip_iterations": (0, 0, 0, 3),
            "density": (0, 0, 1.2),
            "viscosity": (0, 0, 0.01),
        }
        options = " ".join(f'{name}="{self.pick.choice(values)}"' for name, values in choices.items())
        # without nativeccd, rounding decides between faces: only tests of single pairs can tell right from wrong
        off = [flag for flag in ("island", "warmstart", "multiccd", "eulerdamp") if self.pick.random() < 0.15]
        flags = " ".join(f'{flag}="disable"' for flag in off)
        return f"<option {options}><flag {flags}/></option>"

    def model(self) -> str:
        field = self.pick.random() < 0.2
        world = '<geom type="hfield" hfield="hills"/>' if field else '<geom type="plane" size="3 3 .1"/>'
        for k in range(self.pick.randint(2, 6)):
            place = f'pos="{self.numbers(2, -0.3, 0.3)} {0.3 + 0.3 * k:.2f}" euler="{self.numbers(3, -180, 180)}"'
            world += self.body(0, place, "<freejoint/>" if self.pick.random() < 0.8 else self.joint(ANY))
        lists = {"equality": self.equalities(), "tendon": self.tendons(), "actuator": self.actuators()}
        tail = "".join(f"<{tag}>{text}</{tag}>" for tag, text in lists.items())
        head = f"{self.option()}<asset>{ASSETS}{FIELD}</asset>"
        return f"<mujoco>{head}<worldbody>{world}</worldbody>{tail}</mujoco>"


def stages(mj: mujoco.MjModel, dj: mujoco.MjData) -> dict[str, str]:
    """What is wrong with each stage, given what MuJoCo computed before it."""
    m = oracle.model_of(mj)
    d = sim.Data(m)
    oracle.copy_fields(dj, d, oracle.STATE)
    sim.forward(m, d)
    touching = contacts.difference(d, dj, 1e-9)
    wrong = {"smooth": _failure(lambda: oracle.assert_same(d, dj, SMOOTH, 1e-8))}
    _, d = contacts.contacts_of(mj, dj)
    unlike = compare_contacts(mj, dj, d, 1e-7)[1]
    wrong["collision"] = f"geoms {[pair for pair, *_ in unlike]}" if unlike else ""
    m, d = constraint.engines(mj, dj)
    constraint.make(m, d)
    wrong["rows"] = _failure(lambda: constraint.compare(mj, dj, m, d, 1e-5))
    m, d = solver.engines(mj, dj)
    d.grow("nisland", m.ntree)
    island(m, d)
    wrong["islands"] = "" if (d.nisland, d.nidof) == (dj.nisland, dj.nidof) else f"{d.nisland}, not {dj.nisland}"
    if dj.nefc:
        solver.solve(m, d)
        # conjugate gradients that run out of iterations follow their rounding
        tolerance = 0.05 if mj.opt.solver == SOL_CG else 1e-4
        wrong["solver"] = _failure(lambda: oracle.assert_same(d, dj, solver.RESULTS, tolerance))
    # a contact that is rounding makes the next state so too
    if not touching and mj.opt.integrator != INT_RK4 and mj.opt.solver != SOL_CG:
        d = sim.Data(m)
        oracle.copy_fields(dj, d, oracle.STATE)
        sim.step(m, d)
        ahead = mujoco.MjData(mj)
        mujoco.mj_copyData(ahead, mj, dj)
        mujoco.mj_step(mj, ahead)
        wrong["step"] = _failure(lambda: oracle.assert_same(d, ahead, ["qpos", "qvel", "act"], 1e-6))
    return {stage: what for stage, what in wrong.items() if what}


def _failure(check: Callable[[], None]) -> str:
    try:
        check()
    except AssertionError as error:
        return " ".join(str(error).split())[:200]
    return ""


def compare(seed: int) -> str:
    """What differs, or ""."""
    mj = mujoco.MjModel.from_xml_string(Maker(seed).model())
    dj = mujoco.MjData(mj)
    rng = np.random.default_rng(seed)
    for k in range(max(STEPS) + 1):
        dj.ctrl[:] = 0.9 * dj.ctrl + 0.1 * rng.normal(size=mj.nu)
        if k in STEPS:
            mujoco.mj_forward(mj, dj)
            if wrong := stages(mj, dj):
                return f"after {k} steps: {wrong}"
        mujoco.mj_step(mj, dj)
        if any(w.number for w in dj.warning):
            return ""
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--seed", type=int, help="print the model of one seed")
    options = parser.parse_args()
    if options.seed is not None:
        print(Maker(options.seed).model())
        return 0
    mujoco.set_mju_user_warning(lambda message: None)
    failures = 0
    for seed in range(options.start, options.start + options.count):
        if wrong := compare(seed):
            failures += 1
            print(f"seed {seed} {wrong}", flush=True)
    print(f"{failures} of {options.count} models differ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
