"""THE table of what can be edited while a model runs: field, MJCF attribute, kind of widget, range.

Panels, tooltips, search and the checks of an edit are all made from it; unit and meaning come from the engine's
table of fields, what turning it up does from effects.py. Columns: field, widget (`log` and `lin` numbers, `count`,
`switch`, `colour`, `enum:keywords`, `pick:values`), smallest and largest value that a slider offers (`!` before the
smallest: nothing below it is accepted), MJCF attribute, default. A line with `[...]` names the components of the
field above it; `*` marks a field from which constants of the model follow.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.effects import JOINT_UNITS, effect
from sim.enums import JNT_FREE, JNT_SLIDE
from sim.fields import MODEL
from sim.mjcf.schema import DISABLE_FLAGS, ENABLE_FLAGS, KEYWORDS

_FIELDS = {field.name: field for field in MODEL}

_SOLREF = "[time constant, damping ratio]"
_SOLIMP = "[dmin, dmax, width, midpoint, power]"

OPTIONS_TABLE = """
# Time
opt.timestep            log    !1e-6  0.1   option/timestep
opt.integrator          enum:integrator     option/integrator
# Solver
opt.solver              enum:solver         option/solver
opt.cone                enum:cone           option/cone
opt.jacobian            enum:jacobian       option/jacobian
opt.impratio            log    !1e-3  100   option/impratio
opt.iterations          count  !0     200   option/iterations
opt.tolerance           log    !0     1e-2  option/tolerance
opt.ls_iterations       count  !0     100   option/ls_iterations
opt.ls_tolerance        log    !0     1     option/ls_tolerance
opt.noslip_iterations   count  !0     100   option/noslip_iterations
opt.noslip_tolerance    log    !0     1e-2  option/noslip_tolerance
opt.ccd_iterations      count  !0     200   option/ccd_iterations
opt.ccd_tolerance       log    !0     1e-2  option/ccd_tolerance
# World
opt.gravity             lin    -20    20    option/gravity
[x, y, z]
opt.wind                lin    -20    20    option/wind
[x, y, z]
opt.magnetic            lin    -1     1     option/magnetic
[x, y, z]
opt.density             log    !0     2000  option/density
opt.viscosity           log    !0     10    option/viscosity
# Sleep
opt.sleep_tolerance     log    !0     1     option/sleep_tolerance
# Contact override
opt.o_margin            lin    0      0.1   option/o_margin
opt.o_solref            lin    -1     1     option/o_solref
SOLREF
opt.o_solimp            lin    0      1     option/o_solimp
SOLIMP
opt.o_friction          lin    0      2     option/o_friction
[sliding 1, sliding 2, torsional, rolling 1, rolling 2]
"""

VISUALS_TABLE = """
# Headlight
vis.headlight.active    switch              visual/headlight/active
vis.headlight.ambient   colour              visual/headlight/ambient
vis.headlight.diffuse   colour              visual/headlight/diffuse
vis.headlight.specular  colour              visual/headlight/specular
# Free camera
vis.global_.fovy        lin    !0.1   179   visual/global/fovy
vis.global_.orthographic switch             visual/global/orthographic
# Global
stat.extent             log    !1e-6  1000  statistic/extent        computed
stat.meansize           log    !1e-6  100   statistic/meansize      computed
vis.global_.ellipsoidinertia switch         visual/global/ellipsoidinertia
vis.global_.glow        lin    !0     1     visual/global/glow
# Map
vis.map.stiffness       log    !0     1e4   visual/map/stiffness
vis.map.stiffnessrot    log    !0     1e4   visual/map/stiffnessrot
vis.map.force           log    !0     1     visual/map/force
vis.map.alpha           lin    !0     1     visual/map/alpha
vis.map.fogstart        lin    !0     20    visual/map/fogstart
vis.map.fogend          lin    !0     50    visual/map/fogend
vis.map.znear           log    !1e-6  1     visual/map/znear
vis.map.zfar            log    !1e-3  200   visual/map/zfar
vis.map.haze            lin    !0     1     visual/map/haze
vis.map.actuatortendon  lin    !0     10    visual/map/actuatortendon
# Scale
vis.scale.forcewidth    lin    !0     1     visual/scale/forcewidth
vis.scale.contactwidth  lin    !0     1     visual/scale/contactwidth
vis.scale.contactheight lin    !0     1     visual/scale/contactheight
vis.scale.connect       lin    !0     1     visual/scale/connect
vis.scale.com           lin    !0     2     visual/scale/com
vis.scale.camera        lin    !0     2     visual/scale/camera
vis.scale.light         lin    !0     2     visual/scale/light
vis.scale.selectpoint   lin    !0     1     visual/scale/selectpoint
vis.scale.jointlength   lin    !0     5     visual/scale/jointlength
vis.scale.jointwidth    lin    !0     1     visual/scale/jointwidth
vis.scale.actuatorlength lin   !0     5     visual/scale/actuatorlength
vis.scale.actuatorwidth lin    !0     1     visual/scale/actuatorwidth
vis.scale.framelength   lin    !0     5     visual/scale/framelength
vis.scale.framewidth    lin    !0     1     visual/scale/framewidth
vis.scale.constraint    lin    !0     1     visual/scale/constraint
vis.scale.slidercrank   lin    !0     1     visual/scale/slidercrank
# Colours
vis.rgba.fog            colour              visual/rgba/fog
vis.rgba.haze           colour              visual/rgba/haze
vis.rgba.force          colour              visual/rgba/force
vis.rgba.inertia        colour              visual/rgba/inertia
vis.rgba.joint          colour              visual/rgba/joint
vis.rgba.actuator       colour              visual/rgba/actuator
vis.rgba.actuatornegative colour            visual/rgba/actuatornegative
vis.rgba.actuatorpositive colour            visual/rgba/actuatorpositive
vis.rgba.com            colour              visual/rgba/com
vis.rgba.camera         colour              visual/rgba/camera
vis.rgba.light          colour              visual/rgba/light
vis.rgba.selectpoint    colour              visual/rgba/selectpoint
vis.rgba.connect        colour              visual/rgba/connect
vis.rgba.contactpoint   colour              visual/rgba/contactpoint
vis.rgba.contactforce   colour              visual/rgba/contactforce
vis.rgba.contactfriction colour             visual/rgba/contactfriction
vis.rgba.contactgap     colour              visual/rgba/contactgap
vis.rgba.rangefinder    colour              visual/rgba/rangefinder
vis.rgba.constraint     colour              visual/rgba/constraint
vis.rgba.slidercrank    colour              visual/rgba/slidercrank
vis.rgba.crankbroken    colour              visual/rgba/crankbroken
"""

ELEMENTS_TABLE = """
# body
body_mass*              log    !1e-9  1000  inertial/mass          from its geoms
# geom
geom_friction           lin    !0     2     geom/friction          1 0.005 0.0001
[sliding, torsional, rolling]
geom_condim             pick:1,3,4,6        geom/condim            3
geom_solref             lin    -1     1     geom/solref            0.02 1
SOLREF
geom_solimp             lin    !0     1     geom/solimp            0.9 0.95 0.001 0.5 2
SOLIMP
geom_solmix             lin    !0     10    geom/solmix            1
geom_priority           count  -10    10    geom/priority          0
geom_margin             lin    !0     0.1   geom/margin            0
geom_gap                lin    !0     0.1   geom/gap               0
geom_rgba               colour              geom/rgba              0.5 0.5 0.5 1
# site
site_rgba               colour              site/rgba              0.5 0.5 0.5 1
# light
light_active            switch              light/active           true
light_castshadow        switch              light/castshadow       true
light_ambient           colour              light/ambient          0 0 0
light_diffuse           colour              light/diffuse          0.7 0.7 0.7
light_specular          colour              light/specular         0.3 0.3 0.3
# joint
dof_damping             log    0      100   joint/damping          0
jnt_stiffness           log    0      1000  joint/stiffness        0
dof_armature*           log    !0     10    joint/armature         0
dof_frictionloss        log    !0     100   joint/frictionloss     0
jnt_limited             switch              joint/limited          auto
jnt_range               lin    -3.15  3.15  joint/range            0 0
[lower, upper]
jnt_margin              lin    !0     0.1   joint/margin           0
jnt_solref              lin    -1     1     joint/solreflimit      0.02 1
SOLREF
jnt_solimp              lin    !0     1     joint/solimplimit      0.9 0.95 0.001 0.5 2
SOLIMP
dof_solref              lin    -1     1     joint/solreffriction   0.02 1
SOLREF
dof_solimp              lin    !0     1     joint/solimpfriction   0.9 0.95 0.001 0.5 2
SOLIMP
# pair
pair_friction           lin    !0     2     pair/friction          1 1 0.005 0.0001 0.0001
[sliding 1, sliding 2, torsional, rolling 1, rolling 2]
pair_solref             lin    -1     1     pair/solref            0.02 1
SOLREF
pair_solreffriction     lin    -1     1     pair/solreffriction    0 0
SOLREF
pair_solimp             lin    !0     1     pair/solimp            0.9 0.95 0.001 0.5 2
SOLIMP
pair_margin             lin    !0     0.1   pair/margin            0
pair_gap                lin    !0     0.1   pair/gap               0
# equality
eq_solref               lin    -1     1     equality/solref        0.02 1
SOLREF
eq_solimp               lin    !0     1     equality/solimp        0.9 0.95 0.001 0.5 2
SOLIMP
# tendon
tendon_stiffness        log    0      1000  tendon/stiffness       0
tendon_damping          log    0      100   tendon/damping         0
tendon_armature*        log    !0     10    tendon/armature        0
tendon_frictionloss     log    !0     100   tendon/frictionloss    0
tendon_lengthspring     lin    -1     2     tendon/springlength    -1 -1
[shortest, longest]
tendon_limited          switch              tendon/limited         auto
tendon_range            lin    0      2     tendon/range           0 0
[lower, upper]
tendon_margin           lin    !0     0.1   tendon/margin          0
tendon_solref_lim       lin    -1     1     tendon/solreflimit     0.02 1
SOLREF
tendon_solimp_lim       lin    !0     1     tendon/solimplimit     0.9 0.95 0.001 0.5 2
SOLIMP
tendon_solref_fri       lin    -1     1     tendon/solreffriction  0.02 1
SOLREF
tendon_solimp_fri       lin    !0     1     tendon/solimpfriction  0.9 0.95 0.001 0.5 2
SOLIMP
tendon_width            lin    !0     0.1   tendon/width           0.003
tendon_rgba             colour              tendon/rgba            0.5 0.5 0.5 1
# actuator
actuator_gainprm        lin    -100   100   actuator/gainprm       1 0 0
actuator_biasprm        lin    -100   100   actuator/biasprm       0 0 0
actuator_dynprm         lin    0      10    actuator/dynprm        1 0 0
actuator_gear*          lin    -10    10    actuator/gear          1 0 0 0 0 0
actuator_ctrllimited    switch              actuator/ctrllimited   auto
actuator_ctrlrange      lin    -1     1     actuator/ctrlrange     0 0
[lower, upper]
actuator_forcelimited   switch              actuator/forcelimited  auto
actuator_forcerange     lin    -100   100   actuator/forcerange    0 0
[lower, upper]
# camera
cam_fovy                lin    !0.1   179   camera/fovy            45
# tree
tree_sleep_policy       enum:policy         body/sleep             auto
"""

# of a vector so long, a panel shows the first numbers
SHOWN_COMPONENTS = 6
# policies as the engine keeps them: those of `auto` once it has been decided
POLICIES = {"never (auto)": 1, "allowed (auto)": 2, "never": 3, "allowed": 4, "init": 5}
ENUMS = {**KEYWORDS, "policy": POLICIES}
SWITCH = (("false", 0), ("true", 1))


@dataclass(frozen=True)
class Editable:
    """One field that can be edited."""

    path: str
    widget: str
    attribute: str
    section: str
    low: float = 0.0
    high: float = 1.0
    least: float = -float("inf")
    default: str = ""
    components: tuple[str, ...] = ()
    choices: tuple[tuple[str, int], ...] = ()
    constants: bool = False

    @property
    def name(self) -> str:
        """What the MJCF attribute is called."""
        return self.attribute.rpartition("/")[2]

    def unit(self, model: Any, rows: tuple[int, ...]) -> str:
        """The unit of some rows, or an empty string; joints that turn have another one than those that slide."""
        unit = _FIELDS[self.path].unit
        if unit not in JOINT_UNITS:
            return unit
        turning, sliding = JOINT_UNITS[unit]
        if self.section == "joint":
            joint = rows[0]
            if self.counted_by == "nv":
                joint = int(np.searchsorted(model.jnt_dofadr, joint, "right")) - 1
            kind = int(model.jnt_type[joint])
            if kind != JNT_FREE:
                return sliding if kind == JNT_SLIDE else turning
        return f"{turning} where it turns, {sliding} where it slides"

    @property
    def meaning(self) -> str:
        """What it is, in a few words."""
        return _FIELDS[self.path].doc

    @property
    def effect(self) -> str:
        """What turning it up does, in a sentence; empty where its meaning says enough."""
        return effect(self.attribute)

    @property
    def counted_by(self) -> str:
        """The size that counts its rows, an empty string if it is one number or vector of the model."""
        shape = _FIELDS[self.path].shape
        return shape[0] if shape and isinstance(shape[0], str) else ""

    def accept(self, value: Any) -> float | int | bool:
        """A value that the field may take, nearest to the one asked for; ValueError if it is no number."""
        number = float(value)
        if number != number or abs(number) == float("inf"):
            raise ValueError(f"{self.attribute} cannot be {number}")
        if self.widget == "switch":
            return bool(number)
        if self.choices or self.widget == "count":
            return max(round(number), round(max(self.least, -1e9)))
        return max(number, self.least)


@dataclass(frozen=True)
class Flag:
    """A bit of opt.disableflags or opt.enableflags, by the name that MJCF has for it."""

    name: str
    path: str
    bit: int
    meaning: str

    @property
    def inverted(self) -> bool:
        """Whether a set bit switches off."""
        return self.path == "opt.disableflags"

    def state(self, flags: int) -> bool:
        """Whether the thing is on."""
        return bool(flags & self.bit) != self.inverted


FLAG_MEANINGS = {
    "constraint": "all constraints", "equality": "equality constraints", "frictionloss": "dry friction of joints",
    "limit": "limits of joints and tendons", "contact": "contacts", "spring": "springs of joints and tendons",
    "damper": "dampers of joints and tendons", "gravity": "gravity",
    "clampctrl": "controls are kept in their ranges", "warmstart": "the solver starts from the last step",
    "filterparent": "a body does not touch its parent", "actuation": "actuators",
    "refsafe": "solref is kept at two timesteps or more", "sensor": "sensors",
    "midphase": "collisions of bodies with many geoms are found by trees of boxes",
    "eulerdamp": "Euler treats damping implicitly", "autoreset": "an exploded state starts again",
    "nativeccd": "the engine's own convex collision", "island": "islands are solved on their own",
    "multiccd": "several contacts for each pair of convex geoms",
    "override": "all contacts take o_margin, o_solref, o_solimp and o_friction", "energy": "energy is computed",
    "fwdinv": "forward and inverse dynamics are compared", "invdiscrete": "inverse dynamics in discrete time",
    "sleep": "trees at rest fall asleep", "diagexact": "diagonal of the constraint space by its exact value",
}  # fmt: skip


def _flags() -> Iterator[Flag]:
    """All flags, in the order of their bits."""
    for path, names in (("opt.disableflags", DISABLE_FLAGS), ("opt.enableflags", ENABLE_FLAGS)):
        for position, name in enumerate(names):
            yield Flag(name, path, 1 << position, FLAG_MEANINGS.get(name, name))


def _parse(table: str) -> Iterator[Editable]:
    """The rows of a table."""
    rows: list[Editable] = []
    section = ""
    for line in table.strip().splitlines():
        if line.startswith("#"):
            section = line[2:]
            continue
        line = {"SOLREF": _SOLREF, "SOLIMP": _SOLIMP}.get(line, line)
        if line.startswith("["):
            rows[-1] = replace(rows[-1], components=tuple(name.strip() for name in line[1:-1].split(",")))
            continue
        rows.append(_row(section, *line.split()))
    yield from rows


def _row(section: str, path: str, widget: str, *rest: str) -> Editable:
    """One line of a table."""
    kind, _, argument = widget.partition(":")
    low, least, high = 0.0, 0.0 if kind == "colour" else -float("inf"), 1.0
    if kind in ("log", "lin", "count"):
        low, high = float(rest[0].lstrip("!")), float(rest[1])
        least = low if rest[0].startswith("!") else least
        rest = rest[2:]
    attribute, *default = rest
    choices: tuple[tuple[str, int], ...] = ()
    if kind == "enum":
        choices = tuple(ENUMS[argument].items())
    elif kind == "pick":
        choices = tuple((value, int(value)) for value in argument.split(","))
    name = path.rstrip("*")
    written = " ".join(default) or _written(_FIELDS[name].default, SWITCH if kind == "switch" else choices)
    return Editable(name, kind, attribute, section, low, high, least, written, (), choices, path.endswith("*"))


def _written(default: float | tuple[float, ...], choices: tuple[tuple[str, int], ...]) -> str:
    """A default as MJCF writes it."""
    values = default if isinstance(default, tuple) else (default,)
    names = {value: name for name, value in choices}
    return " ".join(str(names.get(int(value))) if choices else f"{value:g}" for value in values)


OPTIONS = tuple(_parse(OPTIONS_TABLE))
VISUALS = tuple(_parse(VISUALS_TABLE))
ELEMENTS = tuple(_parse(ELEMENTS_TABLE))
FLAGS = tuple(_flags())
BY_PATH = {row.path: row for row in (*OPTIONS, *VISUALS, *ELEMENTS)}
# what changes the picture and nothing that is computed; rays do not see geoms whose colour is clear
LOOKS = {row.path for row in VISUALS} - {"vis.map.stiffness", "vis.map.stiffnessrot"}
LOOKS |= {path for path in BY_PATH if path.startswith("light_")} | {"site_rgba", "tendon_rgba", "tendon_width"}
FLAG_PATHS = ("opt.disableflags", "opt.enableflags", "opt.disableactuator")


# sizes that count several rows an element: first row, number of rows
SPANS = {"nu": ("actuator_ctrladr", "actuator_ctrlnum"), "nout": ("actuator_outadr", "actuator_outnum")}
# dofs of the joint types
JOINT_DOFS = (6, 3, 1, 1)


def rows_of(row: Editable, model: Any, index: int) -> tuple[int, ...]:
    """The rows of a field that belong to an element; the dofs of a joint share their value in MJCF."""
    if row.counted_by == "nv":
        first = int(model.jnt_dofadr[index])
        return tuple(range(first, first + JOINT_DOFS[model.jnt_type[index]]))
    if row.counted_by in SPANS:
        start, number = (int(getattr(model, name)[index]) for name in SPANS[row.counted_by])
        return tuple(range(start, start + number))
    return (index,)


def of_kind(kind: str) -> tuple[Editable, ...]:
    """The fields of one kind of element, or of one section of the options."""
    return tuple(row for row in (*OPTIONS, *VISUALS, *ELEMENTS) if row.section == kind)
