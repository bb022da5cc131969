"""Random MJCF: trees of bodies, and everything that MJCF can hang on them, each with some chance.

`Maker(seed).model()` is the text of one model. What needs something that the model does not have is left out, so that
nearly every model compiles.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from tests.soak.random_words import (
    ACTUATORS,
    ANY,
    BUILTIN,
    COMPILER,
    CONTACT_DATA,
    CURVES,
    FASTENED,
    FOLLOWS,
    FRAME_SENSORS,
    HISTORIES,
    INERTIAS,
    INPUTS,
    LENSES,
    LIMITS,
    LOADED,
    NEEDED,
    NONE,
    OFTEN_OFF,
    ON,
    OPTIONS,
    PAIRED,
    PLANES,
    SELDOM_OFF,
    SHAPES,
    SINGLE,
    SITE_SENSORS,
    SOFT,
    THREE,
    TURNED,
    TWO,
    WEIGHTS,
)


class Maker:
    """Draws one model."""

    def __init__(self, seed: int, cylinders_touch: bool = True) -> None:
        self.pick = random.Random(seed)
        self.cylinders_touch = cylinders_touch
        self.bodies: list[str] = []
        self.joints: dict[str, str] = {}
        self.free: list[str] = []
        self.geoms: dict[str, str] = {}
        self.sites: list[str] = []
        self.cameras = ["fixed"]
        self.limited: set[str] = set()  # joints and tendons
        self.tendons: list[str] = []
        self.drives: list[str] = []
        self.mocaps = 0
        self.on: list[str] = []
        self.nu = 0
        self.meshes: list[str] = []
        self.all_touch = True

    # ------------------------------------------------------------ words

    def numbers(self, n: int, low: float, high: float) -> str:
        return " ".join(f"{self.pick.uniform(low, high):.4f}" for _ in range(n))

    def maybe(self, share: float, text: str) -> str:
        return text if self.pick.random() < share else ""

    def some(self, texts: Sequence[str], share: float = 0.4) -> str:
        return " ".join(text for text in texts if self.pick.random() < share)

    def pose(self, reach: float) -> str:
        turn = self.pick.choice(("euler 3 -90 90", "quat 4 -1 1", "zaxis 3 -1 1", "axisangle 4 .1 1", "xyaxes 6 -1 1"))
        name, count, low, high = turn.split()
        return f'pos="{self.numbers(3, -reach, reach)}" {name}="{self.numbers(int(count), float(low), float(high))}"'

    # ------------------------------------------------------------ assets and bodies

    def assets(self) -> str:
        out = ""
        for k in range(self.pick.randint(1, 4)):
            self.meshes.append(f"m{k}")
            inertia = self.maybe(0.3, f'inertia="{self.pick.choice(("convex", "shell", "exact", "legacy"))}"')
            scale = f'scale="{self.numbers(3, 0.05, 0.12)}"'
            if self.pick.random() < 0.4:
                kind, _, params = self.pick.choice(BUILTIN).partition(" ")
                out += f'<mesh name="m{k}" builtin="{kind}" params="{params}" {scale}/>'
                continue
            hull = self.maybe(0.2, 'maxhullvert="12"') + self.maybe(0.2, ' refpos=".1 0 .1" refquat="1 .2 0 .1"')
            corners = self.numbers(3 * self.pick.choice((4, 6, 10, 30)), -1, 1)
            out += f'<mesh name="m{k}" vertex="{corners}" {scale} {hull} {inertia}/>'
        rows, columns = self.pick.randint(3, 9), self.pick.randint(3, 9)
        heights = self.numbers(rows * columns, 0, 1)
        size = f"{self.numbers(2, 0.6, 1.5)} {self.numbers(2, 0.05, 0.2)}"
        return f'{out}<hfield name="hills" nrow="{rows}" ncol="{columns}" size="{size}" elevation="{heights}"/>'

    def surface(self) -> str:
        """Attributes of a geom's contacts and of the medium around it."""
        return self.some(
            (
                f'condim="{self.pick.choice((1, 3, 4, 6))}"',
                f'friction="{self.pick.choice((self.numbers(1, 0.1, 1.2), "0"))} .02 .003"',
                f'margin="{self.numbers(1, 0.0, 0.03)}" gap="{self.numbers(1, 0.0, 0.02)}"',
                f'solref="{self.pick.choice((self.numbers(2, 0.02, 1), self.numbers(2, -900, -9)))}"',
                f'priority="{self.pick.randint(0, 2)}" solmix="{self.numbers(1, 0.5, 2)}"',
                self.pick.choice(('solimp=".8 .95 .01 .4 3"', 'solimp="0 .99 0 .5 1"', 'solimp=".95 .9 .003 .2 6"')),
                f'surfacevel="{self.numbers(self.pick.choice((3, 6)), -0.3, 0.3)}"',
                'fluidshape="ellipsoid" fluidcoef=".3 .2 1 .8 .9"',
                f'density="{self.numbers(1, 200, 3000)}"',
                'mass=".2"',
                f'group="{self.pick.randint(1, 5)}"',
                f'adhesion="{self.numbers(1, 0.0, 2)}"',
                'shellinertia="true"',
                f'contype="{self.pick.randint(0, 3)}" conaffinity="{self.pick.randint(0, 3)}"',
            ),
            0.1,
        )

    def geom(self) -> str:
        kind = self.pick.choice(SHAPES)
        name = f"g{len(self.geoms)}"
        self.geoms[name] = kind
        shape = f'type="{kind}" size="{self.numbers(3, 0.04, 0.09)}"'
        surface = self.surface()
        if kind == "mesh":
            shape = f'type="mesh" mesh="{self.pick.choice(self.meshes)}"'
            surface = surface.replace('shellinertia="true"', "")
            # a shape around the mesh
            if self.pick.random() < 0.15:
                shape = shape.replace('type="mesh"', f'type="{self.pick.choice(SHAPES[:6])}"')
                shape += self.maybe(0.3, ' fitscale=".9"')
        if 'type="cylinder"' in shape and not self.cylinders_touch:
            self.geoms[name] = "cylinder"
            surface = re.sub(r'contype=.*?conaffinity="\d"', "", surface) + ' contype="0" conaffinity="0"'
        self.all_touch &= 'contype="0" conaffinity="0"' not in surface
        return f'<geom name="{name}" {shape} {self.pose(0.05)} {surface}/>'

    def joint(self, kinds: tuple[str, ...]) -> str:
        kind = self.pick.choice(kinds)
        name = f"j{len(self.joints)}"
        self.joints[name] = kind
        limited = self.pick.random() < 0.5
        if limited:
            self.limited.add(name)
        parts = [
            self.maybe(0.5, f'damping="{self.numbers(self.pick.choice((1, 1, 3)), 0, 0.5)}"'),
            self.maybe(0.3, f'stiffness="{self.numbers(self.pick.choice((1, 1, 3)), 0, 5)}"'),
            self.maybe(0.3, f'frictionloss="{self.numbers(1, 0, 0.2)}"'),
            f'limited="true" range="{LIMITS[kind]}" margin="{self.pick.choice((0, 0, 0.02))}"' if limited else "",
            self.maybe(0.3, f'armature="{self.numbers(1, 0, 0.05)}"'),
            self.some(SOFT, 0.1),
            self.maybe(0.1, 'actuatorgravcomp="true"'),
            self.maybe(0.1, f'springyield="{self.numbers(1, 0, 0.1)}"'),
        ]
        if kind != "ball":
            parts.append(f'axis="{self.numbers(3, -1, 1)}"' + self.maybe(0.1, ' actuatorfrcrange="-.3 .2"'))
            parts.append(self.maybe(0.1, 'springdamper=".1 .5"') + self.maybe(0.1, ' ref=".02" springref=".05"'))
        return f'<joint name="{name}" type="{kind}" pos="{self.numbers(3, -0.05, 0.05)}" {" ".join(parts)}/>'

    def site(self) -> str:
        self.sites.append(f"s{len(self.sites)}")
        kind = self.pick.choice(("sphere", "box", "capsule", "ellipsoid", "cylinder"))
        return f'<site name="{self.sites[-1]}" type="{kind}" size="{self.numbers(3, 0.02, 0.1)}" {self.pose(0.1)}/>'

    def body(self, depth: int, place: str, joint: str) -> str:
        name = f"b{len(self.bodies)}"
        self.bodies.append(name)
        inside = joint + "".join(self.geom() for _ in range(self.pick.randint(1, 2)))
        if self.pick.random() < 0.1:
            inside += f'<inertial pos="{self.numbers(3, -0.02, 0.02)}" mass=".7" {self.pick.choice(INERTIAS)}/>'
        inside += "".join(self.site() for _ in range(self.pick.randint(0, 2)))
        if self.pick.random() < 0.15:
            self.cameras.append(f"c{name}")
            lens = self.pick.choice(LENSES)
            inside += f'<camera name="c{name}" mode="{self.pick.choice(FOLLOWS)}" target="b0" {lens} {self.pose(0.1)}/>'
        for _ in range(self.pick.randint(0, 2) if depth < 4 else 0):
            side = self.pick.choice((-0.2, 0.2))
            shift = f'pos="{side} {self.numbers(2, -0.15, 0.15)}" euler="{self.numbers(3, -60, 60)}"'
            joints = "".join(
                self.joint(kinds) for kinds in self.pick.choice((NONE, SINGLE, SINGLE, SINGLE, TWO, THREE))
            )
            child = self.body(depth + 1, shift, joints)
            inside += f"<frame {self.pose(0.05)}>{child}</frame>" if self.pick.random() < 0.15 else child
        rest = self.maybe(0.1, f'sleep="{self.pick.choice(("never", "allowed"))}"') if depth == 0 and joint else ""
        return f'<body name="{name}" {place} {self.maybe(0.1, self.pick.choice(WEIGHTS))} {rest}>{inside}</body>'

    def root(self) -> str:
        """What joins a tree to the world: most are free, some are fixed."""
        if self.pick.random() < 0.2:
            return self.joint(ANY)
        self.free.append(f"f{len(self.free)}")
        parts = self.some(('damping=".1"', 'armature=".02"', 'frictionloss=".05"', 'stiffness="2"'))
        tag = self.pick.choice(("freejoint", "freejoint", 'freejoint align="true"', f'joint type="free" {parts}'))
        return f'<{tag} name="{self.free[-1]}"/>'

    def world(self) -> str:
        ground = self.pick.choice(("plane", "plane", "plane", "hfield"))
        self.geoms["ground"] = ground
        shape = 'type="hfield" hfield="hills"' if ground == "hfield" else 'type="plane" size="3 3 .1"'
        out = f'<geom name="ground" {shape} {self.surface()}/><camera name="fixed" pos="0 -2 1" resolution="4 3"/>'
        out += f'<site name="origin"/><light mode="targetbody" target="b0" pos="0 0 3"/>{self.site()}'
        for k in range(self.pick.randint(2, 5)):
            place = f'pos="{self.numbers(2, -0.3, 0.3)} {0.3 + 0.3 * k:.2f}" euler="{self.numbers(3, -180, 180)}"'
            out += self.body(0, place, self.root())
        if self.pick.random() < 0.2:
            self.geoms["ramp"] = self.pick.choice(("plane", "hfield"))
            shape = 'type="hfield" hfield="hills"' if self.geoms["ramp"] == "hfield" else 'type="plane" size="0 1 .1"'
            out += f'<body><geom name="ramp" {shape} pos=".2 0 -.1" euler="{self.numbers(3, -20, 20)}"/></body>'
        if self.pick.random() < 0.3:
            out += self.body(2, f'pos="{self.numbers(2, -0.6, 0.6)} .2"', "")
        if self.pick.random() < 0.3:
            out += self.copies()
        if self.pick.random() < 0.3:
            self.mocaps = 1
            out += f'<body name="puppet" mocap="true" {self.pose(0.5)}><geom size=".05"/>{self.site()}</body>'
        return out

    def copies(self) -> str:
        """Copies of a tree, or of particles in a plane; what refers to one of their names is copied as well."""
        shift = f'offset="{self.numbers(2, -0.3, 0.3)} {self.numbers(1, 0.1, 0.3)}" {self.maybe(0.5, TURNED)}'
        if self.pick.random() < 0.3:
            slides = "".join(f'<joint type="slide" axis="{axis}"/>' for axis in self.pick.choice(PLANES))
            grain = f'<body pos="{self.numbers(3, -0.3, 0.3)}">{slides}<geom size=".04" mass=".1"/></body>'
            return f'<replicate count="{self.pick.randint(2, 4)}" sep="_" {shift}>{grain}</replicate>'
        kept = [list(names) for names in (self.bodies, self.free, self.sites, self.cameras, self.limited)]
        joints, geoms = dict(self.joints), dict(self.geoms)
        tree = self.body(2, f'pos="{self.numbers(2, -0.6, 0.6)} .3"', self.root())
        if self.pick.random() < 0.7:
            # nothing refers to them
            self.bodies, self.free, self.sites, self.cameras = kept[:4]
            self.limited, self.joints, self.geoms = set(kept[4]), joints, geoms
            tree = re.sub(r' (name="\w+"|mode="\w+" target="b0")', "", tree)
        return f'<replicate count="{self.pick.randint(1, 3)}" sep="_" {shift}>{tree}</replicate>'

    # ------------------------------------------------------------ what relates bodies

    def pairs(self) -> str:
        out = ""
        if self.pick.random() < 0.2:
            a, b = self.pick.sample(list(self.geoms), 2)
            kinds = {self.geoms[a], self.geoms[b]}
            if not kinds <= {"plane", "hfield"} and (self.cylinders_touch or "cylinder" not in kinds):
                parts = (f'condim="{self.pick.choice((1, 3, 4, 6))}"', *PAIRED)
                out += f'<pair geom1="{a}" geom2="{b}" {self.some(parts)}/>'
        if self.pick.random() < 0.2:
            a, b = self.pick.sample(self.bodies, 2)
            out += f'<exclude body1="{a}" body2="{b}"/>'
        return out

    def scalars(self) -> list[str]:
        """Joints of one dof."""
        return [name for name, kind in self.joints.items() if kind != "ball"]

    def equalities(self) -> str:
        out = ""
        soft = self.pick.choice(('solref=".05 1"', 'solref="-200 -20"', 'solref=".04 .8" solimp=".7 .9 .01 .3 3"'))
        for _ in range(self.pick.choice((0, 0, 1, 2))):
            a, b = self.pick.sample(self.bodies, 2)
            kind = self.pick.choice(FASTENED)
            other = self.maybe(0.8, f'body2="{b}"')
            off = self.maybe(0.1, 'active="false"')
            out += f'<{kind} body1="{a}" {other} {soft} {off}/>'
        if len(self.sites) > 1 and self.pick.random() < 0.2:
            a, b = self.pick.sample(self.sites, 2)
            out += f'<{self.pick.choice(("connect", "weld"))} site1="{a}" site2="{b}" {soft}/>'
        if self.mocaps:
            out += f'<weld body1="{self.pick.choice(self.bodies)}" body2="puppet" {soft}/>'
        # MuJoCo cannot wake trees that share an equality of tendons
        for kind, names in (("joint", self.scalars()), ("tendon", [] if "sleep" in self.on else self.tendons)):
            if len(names) > 1 and self.pick.random() < 0.3:
                a, b = self.pick.sample(names, 2)
                curve = f'polycoef="{self.pick.choice(CURVES)}" {self.maybe(0.3, soft)}'
                out += f'<{kind} {kind}1="{a}" {kind}2="{b}" {curve}/>'
            elif names and self.pick.random() < 0.1:
                out += f'<{kind} {kind}1="{names[0]}" polycoef=".1"/>'
        return out

    def tendon_parts(self, name: str, limits: str, wraps: bool) -> str:
        self.tendons.append(name)
        limit = self.maybe(0.4, f'limited="true" range="{limits}" margin="{self.pick.choice((0, 0.02))}" ')
        if limit:
            self.limited.add(name)
        return limit + self.some(
            (
                'frictionloss=".05"',
                f'stiffness="{self.numbers(self.pick.choice((1, 3)), 0, 9)}"',
                f'damping="{self.numbers(self.pick.choice((1, 3)), 0, 0.5)}"',
                self.pick.choice(('springlength=".1 .3"', 'springlength=".2"')),
                self.pick.choice(SOFT),
                self.maybe(0.5, f'springyield="{self.numbers(1, 0, 0.05)}"'),
                "" if wraps else 'armature=".02"',
                'actuatorfrcrange="-.3 .3"',
            ),
            0.3,
        )

    def path(self) -> str:
        """Sites, with geoms to wrap around between some of them, in branches that pulleys divide."""
        solids = [name for name, kind in self.geoms.items() if kind in ("sphere", "cylinder")]
        out = ""
        for branch in range(self.pick.choice((1, 1, 2))):
            out += '<pulley divisor="2"/>' if branch else ""
            stops = self.pick.sample(self.sites, min(len(self.sites), self.pick.randint(2, 3)))
            for k, stop in enumerate(stops):
                if k and solids and self.pick.random() < 0.5:
                    side = self.maybe(0.4, f'sidesite="{self.pick.choice(self.sites)}"')
                    out += f'<geom geom="{self.pick.choice(solids)}" {side}/>'
                out += f'<site site="{stop}"/>'
        return out

    def cables(self) -> str:
        out = ""
        scalars = self.scalars()
        for _ in range(self.pick.choice((0, 1, 2))):
            name = f"t{len(self.tendons)}"
            if len(scalars) > 1 and self.pick.random() < 0.4:
                arms = "".join(
                    f'<joint joint="{j}" coef="{self.numbers(1, -1, 1)}"/>' for j in self.pick.sample(scalars, 2)
                )
                out += f'<fixed name="{name}" {self.tendon_parts(name, "-.1 .1", False)}>{arms}</fixed>'
            elif len(self.sites) > 1:
                path = self.path()
                out += f'<spatial name="{name}" {self.tendon_parts(name, "0 .6", "<geom" in path)}>{path}</spatial>'
        return out

    def actuator(self, tag: str, target: str) -> str:
        name = f"a{len(self.drives)}"
        self.drives.append(name)
        parts = self.some(ACTUATORS.get(tag, ()), 0.5)
        # unless it is told otherwise, a pid controller is told a position and a velocity, and a servo three angles
        kind = tag.partition(" ")[0]
        told = self.pick.choice(INPUTS.get(kind, ("",)))
        parts += f' input="{told}"' if told else ""
        self.nu += {"pid": 2, "orientation": 3}.get(kind, 1) if not told else 4 if told == "quat" else len(told.split())
        if tag in ACTUATORS and "site" not in target and "gear" not in target:
            parts += f" {self.maybe(0.4, self.pick.choice(LOADED))}"
        if tag in NEEDED and ACTUATORS[tag][0] not in parts:
            parts += f" {ACTUATORS[tag][0]}"
        return f'<{tag} name="{name}" {target} {parts}/>'

    def actuators(self) -> str:
        out = ""
        kinds = list(ACTUATORS)
        for joint in self.scalars():
            if self.pick.random() < 0.5:
                where = self.pick.choice(("joint", "joint", "jointinparent"))
                out += self.actuator(self.pick.choice(kinds), f'{where}="{joint}"')
        for tendon in self.tendons:
            if self.pick.random() < 0.5:
                out += self.actuator(self.pick.choice(kinds), f'tendon="{tendon}"')
        if len(self.sites) > 1 and self.pick.random() < 0.3:
            a, b = self.pick.sample(self.sites, 2)
            gear = f'gear="{self.numbers(6, -1, 1)}"'
            out += self.actuator(
                "motor" if self.pick.random() < 0.5 else "position",
                self.pick.choice((f'site="{a}" {gear}', f'site="{a}" refsite="{b}" {gear}')),
            )
        if len(self.sites) > 1 and self.pick.random() < 0.2:
            a, b = self.pick.sample(self.sites, 2)
            out += self.actuator(self.pick.choice(kinds), f'cranksite="{a}" slidersite="{b}" cranklength=".3"')
        balls = [name for name, kind in self.joints.items() if kind == "ball"]
        if balls and self.pick.random() < 0.3:
            out += self.actuator("orientation", f'joint="{self.pick.choice(balls)}" kp="2" kv=".1"')
        if len(self.sites) > 1 and self.pick.random() < 0.1:
            a, b = self.pick.sample(self.sites, 2)
            out += self.actuator("orientation", f'site="{a}" refsite="{b}" kp="2" forcerange="0 .4"')
        for name in self.free:
            if self.pick.random() < 0.1:
                where = self.pick.choice(("joint", "jointinparent"))
                out += self.actuator("motor", f'{where}="{name}" gear="{self.numbers(6, -1, 1)}"')
        many = [name for name in balls if self.pick.random() < 0.2]
        out += "".join(
            self.actuator(self.pick.choice(("motor", "position", "intvelocity")), f'joint="{name}" gear="1 2 -1"')
            for name in many
        )
        if self.pick.random() < 0.2:
            out += self.actuator("adhesion", f'body="{self.pick.choice(self.bodies)}" ctrlrange="0 1" gain="3"')
        return out

    def sensors(self) -> str:
        out: list[str] = []
        frames = [f'objtype="{kind}" objname="{b}"' for b in self.bodies for kind in ("body", "xbody")]
        frames += [f'objtype="geom" objname="{g}"' for g in self.geoms] + [
            f'objtype="site" objname="{s}"' for s in self.sites
        ]
        frames += [f'objtype="camera" objname="{c}"' for c in self.cameras]
        references = ["", *(f.replace("obj", "ref") for f in frames)]
        for kind in FRAME_SENSORS:
            ref = "" if kind.endswith("acc") else self.pick.choice(references)
            out.append(f"<frame{kind} {self.pick.choice(frames)} {ref}")
        out += [f'<{kind} site="{self.pick.choice(self.sites)}"' for kind in SITE_SENSORS]
        for camera in self.cameras:
            out.append(f'<camprojection site="{self.pick.choice(self.sites)}" camera="{camera}"')
            what = self.pick.choice(("dist", "dist dir point normal depth"))
            # MuJoCo 4.0.0 misses geoms with rays of a camera that touch nothing
            out += [f'<rangefinder camera="{camera}" data="{what}"'] if self.all_touch else []
        for joint, kind in self.joints.items():
            words = ("ballquat", "ballangvel") if kind == "ball" else ("jointpos", "jointvel", "jointactuatorfrc")
            out.append(f'<{self.pick.choice(words)} joint="{joint}"')
        out += [f'<tendon{self.pick.choice(("pos", "vel", "actuatorfrc"))} tendon="{name}"' for name in self.tendons]
        for name in sorted(self.limited):
            kind = "tendon" if name in self.tendons else "joint"
            out.append(f'<{kind}limit{self.pick.choice(("pos", "vel", "frc"))} {kind}="{name}"')
        out += [f'<actuator{self.pick.choice(("pos", "vel", "frc"))} actuator="{name}"' for name in self.drives]
        out += [f'<subtree{kind} body="{self.pick.choice(self.bodies)}"' for kind in ("com", "linvel", "angmom")]
        out += [f'<insidesite {self.pick.choice(frames)} site="{self.pick.choice(self.sites)}"']
        # with the flag `energy` MuJoCo's sensors of energy may say that of another evaluation
        out += ["<clock"] if "energy" in self.on else ["<clock", "<e_potential", "<e_kinetic"]
        solid = [name for name, kind in self.geoms.items() if kind != "hfield"]
        if len(solid) > 1:
            a, b = self.pick.sample(solid, 2)
            out += [f'<{kind} geom1="{a}" geom2="{b}" cutoff="1"' for kind in ("distance", "normal", "fromto")]
            a, b = self.pick.sample(self.bodies, 2)
            out += [f'<{kind} body1="{a}" body2="{b}" cutoff=".8"' for kind in ("distance", "normal", "fromto")]
        out += [self.contact_sensor() for _ in range(3)]
        chosen = [text for text in out if self.pick.random() < 0.6]
        return "".join(f"{text} {self.history(text)}/>" for text in chosen)

    def contact_sensor(self) -> str:
        geom, site, body, other = (
            self.pick.choice(list(names)) for names in (self.geoms, self.sites, *2 * (self.bodies,))
        )
        reduced = (
            f'num="{self.pick.randint(1, 5)}" reduce="{self.pick.choice(("none", "mindist", "maxforce", "netforce"))}"'
        )
        first = self.pick.choice(("", f'geom1="{geom}"', f'subtree1="{body}"', f'body1="{body}"', f'site="{site}"'))
        second = self.pick.choice(("", "", f'body2="{other}"', f'subtree2="{other}"')) if first else ""
        words = [word for word in CONTACT_DATA.split() if self.pick.random() < 0.7] or ["found"]
        return f'<contact {first} {second} {reduced} data="{" ".join(words)}"'

    def history(self, sensor: str) -> str:
        turns = ("quat", "axis", "cutoff", "insidesite", "contact", "camera")
        return self.pick.choice(HISTORIES[: -1 if any(word in sensor for word in turns) else None])

    def keyframes(self) -> str:
        ctrl = f'ctrl="{self.numbers(self.nu, -0.5, 0.5)}"' if self.nu else ""
        puppet = f'mpos="{self.numbers(3, -0.3, 0.3)}" mquat="{self.numbers(4, 0.2, 1)}"' if self.mocaps else ""
        return f'<key time=".1" {ctrl} {puppet}/>'

    def option(self) -> str:
        options = " ".join(f'{name}="{self.pick.choice(values)}"' for name, values in OPTIONS.items())
        off = [flag for flag in OFTEN_OFF if self.pick.random() < 0.15]
        off += [flag for flag in SELDOM_OFF if self.pick.random() < 0.03]
        flags = [f'{flag}="disable"' for flag in off]
        self.on = [flag for flag, share in ON.items() if self.pick.random() < share]
        # nothing sleeps with RK4, but MuJoCo counts the steps; and it has no discrete inverse
        if "RK4" in options:
            self.on = [flag for flag in self.on if flag not in ("sleep", "invdiscrete")]
        flags += [f'{flag}="enable"' for flag in self.on]
        return f"<option {options}><flag {' '.join(flags)}/></option>"

    def model(self) -> str:
        """The text, the same for the same seed."""
        head = f"<compiler {self.some(COMPILER, 0.1)}/>{self.option()}<asset>{self.assets()}</asset>"
        parts = {
            "worldbody": self.world,
            "contact": self.pairs,
            "tendon": self.cables,
            "equality": self.equalities,
            "actuator": self.actuators,
            "sensor": self.sensors,
            "keyframe": self.keyframes,
        }
        text = f"<mujoco>{head}{''.join(f'<{tag}>{make()}</{tag}>' for tag, make in parts.items())}</mujoco>"
        # how far contacts reach into a gap then hangs on the axes of MuJoCo's broad phase
        return re.sub(r'gap="[^"]*"', "", text) if 'override="enable"' in text else text
