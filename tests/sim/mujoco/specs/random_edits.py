"""A random program on MjSpec: the same choices for the same seed, whichever module it is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

PARTS, EDITS_A_PART = 4, 8


class Editor:
    """A spec, and a generator of edits."""

    def __init__(self, mj: Any, seed: int) -> None:
        self.mj, self.rng = mj, np.random.default_rng(seed)
        self.spec = mj.MjSpec()
        self.count = 0
        self.spec.add_default("a", self.spec.default).geom.rgba = [1, 0, 0, 1]
        self.spec.add_default("b", self.spec.find_default("a")).joint.damping[0] = 0.3
        for _ in range(3):
            self.body()

    def name(self, kind: str) -> str:
        self.count += 1
        return f"{kind}{self.count}"

    def pick(self, items: list[Any]) -> Any:
        return items[int(self.rng.integers(len(items)))] if items else None

    def numbers(self, count: int, low: float = -1, high: float = 1) -> list[float]:
        return [round(float(x), 3) for x in self.rng.uniform(low, high, count)]

    def default(self) -> Any:
        name = self.pick(["", "a", "b"])
        return self.spec.find_default(name) if name else None

    # ---- adding

    def body(self) -> None:
        parent = self.pick([*self.spec.bodies, *self.spec.frames])
        body = parent.add_body(self.default(), name=self.name("body"), pos=self.numbers(3))
        if self.rng.random() < 0.4:
            body.alt.euler = self.numbers(3, -90, 90)
            body.alt.type = self.mj.mjtOrientation.mjORIENTATION_EULER
        self._geom(body)
        self._joint(body)

    def _geom(self, parent: Any) -> None:
        types = self.mj.mjtGeom
        kind = self.pick([types.mjGEOM_SPHERE, types.mjGEOM_BOX, types.mjGEOM_CAPSULE, types.mjGEOM_ELLIPSOID])
        parent.add_geom(
            self.default(), name=self.name("geom"), type=kind, size=self.numbers(3, 0.05, 0.3), pos=self.numbers(3),
            quat=self.numbers(4, 0.1, 1), group=int(self.rng.integers(4)),
        )  # fmt: skip

    def _joint(self, body: Any) -> None:
        types = self.mj.mjtJoint
        kind = self.pick([types.mjJNT_HINGE, types.mjJNT_SLIDE])
        body.add_joint(self.default(), name=self.name("joint"), type=kind, axis=self.numbers(3, 0.1, 1))

    def frame(self) -> None:
        self.pick(self.spec.bodies).add_frame(
            name=self.name("frame"), pos=self.numbers(3), euler=self.numbers(3, -90, 90)
        )

    def weigh(self) -> None:
        """Give every body a geom: what moves needs mass."""
        for body in self.spec.bodies[1:]:
            if not body.geoms:
                self._geom(body)

    def geom(self) -> None:
        self._geom(self.pick([*self.spec.bodies, *self.spec.frames]))

    def site(self) -> None:
        self.pick([*self.spec.bodies, *self.spec.frames]).add_site(name=self.name("site"), pos=self.numbers(3))

    def joint(self) -> None:
        body = self.pick(self.spec.bodies[1:])
        if body is not None:
            self._joint(body)

    def actuator(self) -> None:
        joint = self.pick(self.spec.joints)
        if joint is None:
            return
        made = self.spec.add_actuator(self.default(), name=self.name("actuator"), target=joint.name)
        made.trntype = self.mj.mjtTrn.mjTRN_JOINT
        if self.rng.random() < 0.5:
            made.set_to_position(kp=self.numbers(1, 1, 9)[0], kv=self.numbers(1, 0, 1)[0])
        made.gear[0] = self.numbers(1, 0.5, 2)[0]

    def sensor(self) -> None:
        site = self.pick(self.spec.sites)
        if site is not None:
            types, what = self.mj.mjtSensor, self.mj.mjtObj.mjOBJ_SITE
            kind = self.pick([types.mjSENS_GYRO, types.mjSENS_ACCELEROMETER, types.mjSENS_FRAMEQUAT])
            self.spec.add_sensor(name=self.name("sensor"), type=kind, objtype=what, objname=site.name)

    def tendon(self) -> None:
        sites, joints = self.spec.sites, self.spec.joints
        made = self.spec.add_tendon(name=self.name("tendon"), width=self.numbers(1, 0.01, 0.1)[0])
        if self.rng.random() < 0.5 and len(sites) > 1:
            for site in sites[:2]:
                made.wrap_site(site.name)
        elif joints:
            made.wrap_joint(self.pick(joints).name, self.numbers(1)[0])
        else:
            self.spec.delete(made)

    def pair(self) -> None:
        geoms = [geom for geom in self.spec.geoms if geom.name]
        if len(geoms) > 1:
            self.spec.add_pair(name=self.name("pair"), geomname1=geoms[0].name, geomname2=geoms[-1].name, gap=0.01)

    def equality(self) -> None:
        bodies = self.spec.bodies
        if len(bodies) > 2:
            made = self.spec.add_equality(name=self.name("equality"), name1=bodies[1].name, name2=bodies[-1].name)
            made.type, made.objtype = self.mj.mjtEq.mjEQ_CONNECT, self.mj.mjtObj.mjOBJ_BODY
            made.data[:3] = self.numbers(3)

    def key(self) -> None:
        """A keyframe of the model as it is: what its values belong to is settled by compiling."""
        qpos = self.numbers(len(self.spec.joints))
        self.spec.add_key(name=self.name("key"), time=self.numbers(1)[0], qpos=qpos)
        self.weigh()
        self.spec.compile()

    # ---- changing

    def change(self) -> None:
        geom = self.pick(self.spec.geoms)
        geom.pos[1] += 0.25
        geom.rgba[:] = self.numbers(4, 0, 1)
        geom.size = self.numbers(3, 0.05, 0.3)

    def change_joint(self) -> None:
        joint = self.pick(self.spec.joints)
        if joint is not None:
            joint.range = [-30, 40]
            joint.armature = self.numbers(1, 0, 1)[0]

    def change_default(self) -> None:
        default = self.spec.find_default(self.pick(["main", "a", "b"]))
        default.geom.friction[0] = self.numbers(1, 0.1, 1)[0]
        default.joint.stiffness[0] = self.numbers(1, 0.1, 1)[0]

    def rename(self) -> None:
        # an element that nothing refers to
        self.pick(self.spec.bodies[1:] or [self.spec.add_text(name=self.name("text"), data="x")]).info = "renamed"
        frames = self.spec.frames
        if frames:
            self.pick(frames).name = self.name("renamed")

    def option(self) -> None:
        self.spec.option.timestep = self.numbers(1, 0.001, 0.01)[0]
        self.spec.option.gravity[2] = -9

    def into_frame(self) -> None:
        body = self.pick([body for body in self.spec.bodies if body.frames and body.geoms])
        if body is not None:
            self.pick(body.geoms).set_frame(self.pick(body.frames))

    # ---- deleting and attaching

    def delete(self) -> None:
        if len(self.spec.bodies) > 4:
            self.spec.delete(self.pick(self.spec.bodies[1:]))

    def delete_frame(self) -> None:
        if self.spec.frames and len(self.spec.bodies) > 4:
            self.spec.delete(self.pick(self.spec.frames))

    def delete_sensor(self) -> None:
        if self.spec.sensors:
            self.spec.delete(self.pick(self.spec.sensors))

    def delete_default(self) -> None:
        default = self.spec.find_default("b")
        if default is not None and self.rng.random() < 0.3:
            self.spec.delete(default)
            self.spec.add_default("b", self.spec.find_default("a"))

    def _child(self) -> Any:
        child = self.mj.MjSpec()
        child.compiler.degree = bool(self.rng.random() < 0.5)
        child.default.geom.rgba[2] = 0.9
        body = child.worldbody.add_body(name="arm", pos=self.numbers(3), euler=self.numbers(3))
        body.add_joint(name="hinge", range=[-1, 1])
        body.add_geom(name="link", size=[0.1, 0, 0])
        body.add_site(name="tip", pos=[0, 0, 1])
        body.add_body(name="finger").add_geom(size=[0.05, 0, 0])
        child.worldbody.add_geom(name="stand", size=[0.2, 0, 0])
        made = child.add_actuator(name="drive", target="hinge", trntype=self.mj.mjtTrn.mjTRN_JOINT)
        made.set_to_velocity(2)
        child.add_sensor(
            name="gyro", type=self.mj.mjtSensor.mjSENS_GYRO, objtype=self.mj.mjtObj.mjOBJ_SITE, objname="tip"
        )
        child.add_exclude(name="apart", bodyname1="arm", bodyname2="finger")
        child.add_key(name="home", qpos=[0.5])
        return child

    def attach(self) -> None:
        frame = self.pick(self.spec.bodies).add_frame(pos=self.numbers(3))
        child = self._child()
        self.spec.attach(child, frame=frame, prefix=self.name("p") + "_")
        child.body(child.bodies[1].name).pos[2] = 0.125

    def attach_body(self) -> None:
        frame = self.pick(self.spec.bodies).add_frame(pos=self.numbers(3))
        body = self._child().body("arm")
        frame.attach_body(body, suffix="_" + self.name("s"))
        body.pos = self.numbers(3)

    def attach_to_site(self) -> None:
        site = self.pick(self.spec.sites)
        if site is not None:
            self.spec.attach(self._child(), site=site, prefix=self.name("q") + "_")


EDITS: dict[str, Callable[[Editor], None]] = {
    name: method
    for name, method in vars(Editor).items()
    if not name.startswith("_") and name not in ("name", "pick", "numbers", "default", "weigh") and callable(method)
}


def edited(mj: Any, seed: int, chosen: set[str] | None = None, specs: list[Any] | None = None) -> Iterator[Any]:
    """The models after each part of a random program."""
    editor = Editor(mj, seed)
    names = list(EDITS)
    if specs is not None:
        specs.append(editor.spec)
    for _ in range(PARTS):
        for _ in range(EDITS_A_PART):
            name = names[int(editor.rng.integers(len(names)))]
            EDITS[name](editor)
            if chosen is not None:
                chosen.add(name)
        editor.weigh()
        yield editor.spec.compile()
