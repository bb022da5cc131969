"""The table of fields that can be edited while a model runs: MJCF attribute, widget, step, legal values.

Panels, tooltips, search and the validation of edits are all made from it; unit and meaning come from the engine's table
of fields, the effect of increasing a value from tuning_hints.py, and the components of vectors from components.py.
Columns: field, widget (`real` and `count` numbers, `switch`, `colour`, `enum:keywords`, `pick:values`), for numbers the
step of a drag at zero and the legal values, or their group of components; MJCF attribute, default. A line with `[...]`
names the components of the field above it; `*` marks a field on which constants of the model depend.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

import numpy as np

from app.model.components import GENERIC, GROUPS, Number, bounds, numbers_of
from app.model.number_drag import FREE, WHOLE_LIMIT, Rule
from app.model.tuning_hints import JOINT_UNITS, effect
from sim.enums import GAIN_PID, GAIN_SO3, INPUT_POS, JNT_BALL, JNT_FREE, JNT_SLIDE, TRN_SLIDERCRANK, WRAP_JOINT
from sim.fields import MODEL
from sim.mjcf.schema import DISABLE_FLAGS, ENABLE_FLAGS, KEYWORDS

_FIELDS = {field.name: field for field in MODEL}

OPTIONS_TABLE = """
# Time
opt.timestep            real   1e-4     >0      option/timestep
opt.integrator          enum:integrator     option/integrator
# Solver
opt.solver              enum:solver         option/solver
opt.cone                enum:cone           option/cone
opt.jacobian            enum:jacobian       option/jacobian
opt.impratio            real   0.1      >0      option/impratio
opt.iterations          count           >=0     option/iterations
opt.tolerance           real   1e-9     >=0     option/tolerance
opt.ls_iterations       count           >=0     option/ls_iterations
opt.ls_tolerance        real   1e-3     >=0     option/ls_tolerance
opt.noslip_iterations   count           >=0     option/noslip_iterations
opt.noslip_tolerance    real   1e-7     >=0     option/noslip_tolerance
opt.ccd_iterations      count           >=0     option/ccd_iterations
opt.ccd_tolerance       real   1e-7     >=0     option/ccd_tolerance
# World
opt.gravity             real   0.1      any     option/gravity
[x, y, z]
opt.wind                real   0.1      any     option/wind
[x, y, z]
opt.magnetic            real   0.01     any     option/magnetic
[x, y, z]
opt.density             real   0.1      >=0     option/density
opt.viscosity           real   1e-4     >=0     option/viscosity
# Sleep
opt.sleep_tolerance     real   1e-4     >=0     option/sleep_tolerance
# Contact override
opt.o_margin            real   1e-4     any     option/o_margin
opt.o_solref            real   solref           option/o_solref
opt.o_solimp            real   solimp           option/o_solimp
opt.o_friction          real   friction5        option/o_friction
"""

VISUALS_TABLE = """
# Headlight
vis.headlight.active    switch              visual/headlight/active
vis.headlight.ambient   colour              visual/headlight/ambient
vis.headlight.diffuse   colour              visual/headlight/diffuse
vis.headlight.specular  colour              visual/headlight/specular
# Free camera
vis.global_.fovy        real   0.5      0.1..179.9 visual/global/fovy
vis.global_.orthographic switch             visual/global/orthographic
# Global
stat.extent             real   0.01     >0      statistic/extent       computed
stat.meansize           real   0.001    >0      statistic/meansize     computed
vis.global_.ellipsoidinertia switch         visual/global/ellipsoidinertia
vis.global_.glow        real   0.01     >=0     visual/global/glow
# Map
vis.map.stiffness       real   1        >=0     visual/map/stiffness
vis.map.stiffnessrot    real   1        >=0     visual/map/stiffnessrot
vis.map.force           real   1e-3     >=0     visual/map/force
vis.map.alpha           real   0.01     0..1    visual/map/alpha
vis.map.fogstart        real   0.05     >=0     visual/map/fogstart
vis.map.fogend          real   0.05     >=0     visual/map/fogend
vis.map.znear           real   1e-4     >0      visual/map/znear
vis.map.zfar            real   0.1      >0      visual/map/zfar
vis.map.haze            real   0.01     0..1    visual/map/haze
vis.map.actuatortendon  real   0.05     >=0     visual/map/actuatortendon
# Scale
vis.scale.forcewidth    real   0.01     >=0     visual/scale/forcewidth
vis.scale.contactwidth  real   0.01     >=0     visual/scale/contactwidth
vis.scale.contactheight real   0.01     >=0     visual/scale/contactheight
vis.scale.connect       real   0.01     >=0     visual/scale/connect
vis.scale.com           real   0.01     >=0     visual/scale/com
vis.scale.camera        real   0.01     >=0     visual/scale/camera
vis.scale.light         real   0.01     >=0     visual/scale/light
vis.scale.selectpoint   real   0.01     >=0     visual/scale/selectpoint
vis.scale.jointlength   real   0.01     >=0     visual/scale/jointlength
vis.scale.jointwidth    real   0.01     >=0     visual/scale/jointwidth
vis.scale.actuatorlength real   0.01     >=0     visual/scale/actuatorlength
vis.scale.actuatorwidth real   0.01     >=0     visual/scale/actuatorwidth
vis.scale.framelength   real   0.01     >=0     visual/scale/framelength
vis.scale.framewidth    real   0.01     >=0     visual/scale/framewidth
vis.scale.constraint    real   0.01     >=0     visual/scale/constraint
vis.scale.slidercrank   real   0.01     >=0     visual/scale/slidercrank
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
body_mass*              real   0.01     >0      inertial/mass          from its geoms
body_gravcomp           real   0.01     any     body/gravcomp          0
# geom
geom_friction           real   friction         geom/friction          1 0.005 0.0001
geom_condim             pick:1,3,4,6        geom/condim            3
geom_contype            count           any     geom/contype           1
geom_conaffinity        count           any     geom/conaffinity       1
geom_solref             real   solref           geom/solref            0.02 1
geom_solimp             real   solimp           geom/solimp            0.9 0.95 0.001 0.5 2
geom_solmix             real   0.01     >=0     geom/solmix            1
geom_priority           count           any     geom/priority          0
geom_margin             real   1e-4     any     geom/margin            0
geom_gap                real   1e-4     any     geom/gap               0
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
dof_damping             real   0.01     any     joint/damping          0
jnt_stiffness           real   0.1      any     joint/stiffness        0
qpos_spring             real   0.01     any     joint/springref        0
dof_armature*           real   1e-3     >=0     joint/armature         0
dof_frictionloss        real   0.01     >=0     joint/frictionloss     0
jnt_limited             switch              joint/limited          auto
jnt_range               real   0.01     any     joint/range            0 0
[lower, upper]
jnt_margin              real   1e-3     any     joint/margin           0
jnt_solref              real   solref           joint/solreflimit      0.02 1
jnt_solimp              real   solimp           joint/solimplimit      0.9 0.95 0.001 0.5 2
dof_solref              real   solref           joint/solreffriction   0.02 1
dof_solimp              real   solimp           joint/solimpfriction   0.9 0.95 0.001 0.5 2
# pair
pair_dim                pick:1,3,4,6        pair/condim            3
pair_friction           real   friction5        pair/friction          1 1 0.005 0.0001 0.0001
pair_solref             real   solref           pair/solref            0.02 1
pair_solreffriction     real   solref           pair/solreffriction    0 0
pair_solimp             real   solimp           pair/solimp            0.9 0.95 0.001 0.5 2
pair_margin             real   1e-4     any     pair/margin            0
pair_gap                real   1e-4     any     pair/gap               0
# equality
eq_data*                real   eq_data          equality/data          from the pose at qpos0
eq_solref               real   solref           equality/solref        0.02 1
eq_solimp               real   solimp           equality/solimp        0.9 0.95 0.001 0.5 2
# tendon
tendon_stiffness        real   0.1      any     tendon/stiffness       0
tendon_damping          real   0.01     any     tendon/damping         0
tendon_armature*        real   1e-3     >=0     tendon/armature        0
tendon_frictionloss     real   0.01     >=0     tendon/frictionloss    0
tendon_lengthspring     real   0.001    any     tendon/springlength    -1 -1
[shortest, longest]
tendon_limited          switch              tendon/limited         auto
tendon_range            real   0.01     any     tendon/range           0 0
[lower, upper]
tendon_margin           real   1e-3     any     tendon/margin          0
tendon_solref_lim       real   solref           tendon/solreflimit     0.02 1
tendon_solimp_lim       real   solimp           tendon/solimplimit     0.9 0.95 0.001 0.5 2
tendon_solref_fri       real   solref           tendon/solreffriction  0.02 1
tendon_solimp_fri       real   solimp           tendon/solimpfriction  0.9 0.95 0.001 0.5 2
tendon_width            real   1e-4     >0      tendon/width           0.003
tendon_rgba             colour              tendon/rgba            0.5 0.5 0.5 1
# actuator
actuator_gainprm        real   gainprm          actuator/gainprm       1 0 0
actuator_biasprm        real   biasprm          actuator/biasprm       0 0 0
actuator_dynprm         real   dynprm           actuator/dynprm        1 0 0
actuator_gear*          real   gear             actuator/gear          1 0 0 0 0 0
actuator_cranklength*   real   0.01     >0      actuator/cranklength   0
actuator_delay          real   0.001    >=0     actuator/delay         0
actuator_ctrllimited    switch              actuator/ctrllimited   auto
actuator_ctrlrange      real   0.01     any     actuator/ctrlrange     0 0
[lower, upper]
actuator_forcelimited   switch              actuator/forcelimited  auto
actuator_forcerange     real   0.1      any     actuator/forcerange    0 0
[lower, upper]
actuator_actlimited     switch              actuator/actlimited    auto
actuator_actrange       real   0.01     any     actuator/actrange      0 0
[lower, upper]
# sensor
sensor_delay            real   0.001    >=0     sensor/delay           0
# camera
cam_fovy                real   0.5      0.1..179.9 camera/fovy            45
# tree
tree_sleep_policy       enum:policy         body/sleep             auto
"""

# sleep policies of the engine; `auto` is resolved when the model is compiled
POLICIES = {"never (auto)": 1, "allowed (auto)": 2, "never": 3, "allowed": 4, "init": 5}
ENUMS = {**KEYWORDS, "policy": POLICIES}
SWITCH = (("false", 0), ("true", 1))
# fields whose components depend on the element
BY_TYPE = (*GENERIC, "eq_data")
# how much one pixel changes a small integer
COUNT_STEP = 0.2


@dataclass(frozen=True)
class Editable:
    """One field that can be edited."""

    path: str
    widget: str
    attribute: str
    section: str
    rule: Rule = FREE
    group: str = ""
    default: str = ""
    components: tuple[str, ...] = ()
    choices: tuple[tuple[str, int], ...] = ()
    constants: bool = False

    @property
    def name(self) -> str:
        """The name of the MJCF attribute."""
        return self.attribute.rpartition("/")[2]

    def unit(self, model: Any, rows: tuple[int, ...]) -> str:
        """The unit of some rows, or an empty string; it differs between hinge and slide joints."""
        unit = _FIELDS[self.path].unit
        if unit not in JOINT_UNITS:
            return unit
        turning, sliding = JOINT_UNITS[unit]
        if self.section == "joint":
            joint = rows[0]
            if self.counted_by != "njnt":
                address = model.jnt_dofadr if self.counted_by == "nv" else model.jnt_qposadr
                joint = int(np.searchsorted(address, joint, "right")) - 1
            kind = int(model.jnt_type[joint])
            if kind != JNT_FREE:
                return sliding if kind == JNT_SLIDE else turning
        return f"{turning} for rotation, {sliding} for translation"

    @property
    def meaning(self) -> str:
        """What it is, briefly."""
        return _FIELDS[self.path].doc

    @property
    def effect(self) -> str:
        """The effect of increasing it, in a sentence; empty if the meaning is enough."""
        return effect(self.attribute)

    @property
    def counted_by(self) -> str:
        """The size that counts its rows; empty for a single number or vector of the model."""
        shape = _FIELDS[self.path].shape
        return shape[0] if shape and isinstance(shape[0], str) else ""

    @property
    def is_vector(self) -> bool:
        """Whether each row is a vector."""
        return len(_FIELDS[self.path].shape) > (1 if self.counted_by else 0)

    def vector(self, model: Any, rows: tuple[int, ...]) -> Any:
        """The present numbers, as an array; those of the first row if several share the value."""
        whole = np.asarray(model.read(self.path))
        return np.ravel(whole[rows[0]] if rows and self.counted_by else whole)

    def numbers(self, model: Any, rows: tuple[int, ...]) -> tuple[Number, ...]:
        """The numbers of an element, described."""
        vector = self.vector(model, rows)
        if self.group:
            return numbers_of(self.group, model, rows[0] if rows else 0, vector)
        names = self.components or ("",) * len(vector)
        numbers = tuple(Number(at, self.rule, name) for at, name in enumerate(names))
        if self.path in FROM_ZERO and FROM_ZERO[self.path](model, rows[0]):
            upper = replace(numbers[1], rule=replace(self.rule, low=0.0))
            return (replace(numbers[0], rule=replace(self.rule, low=0.0, high=0.0)), upper)
        return numbers

    def accept(self, value: Any, model: Any, rows: tuple[int, ...] = (), column: int | None = None) -> float:
        """The legal value nearest to the one requested; ValueError if that is not finite."""
        number = float(value)
        if not isfinite(number):
            raise ValueError(f"{self.attribute} must be a finite number, not {number}")
        if self.widget == "switch":
            return bool(number)
        if self.choices:
            return round(number)
        if self.widget == "colour":
            return max(number, 0.0)
        at = (column if self.counted_by else rows[0] if rows else 0) or 0
        rules = (known.rule for known in self.numbers(model, rows) if known.at == at)
        # the present value is always legal
        return next(rules, FREE).around(float(self.vector(model, rows)[at])).nearest(number)


@dataclass(frozen=True)
class Flag:
    """A bit of opt.disableflags or opt.enableflags, by its name in MJCF."""

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
    "clampctrl": "controls are clamped to their ranges", "warmstart": "the solver starts from the last solution",
    "filterparent": "a body does not collide with its parent", "actuation": "actuators",
    "refsafe": "the time constant in solref is at least two timesteps", "sensor": "sensors",
    "midphase": "bounding volume hierarchies for bodies with many geoms",
    "eulerdamp": "Euler treats damping implicitly", "autoreset": "a simulation that diverges is reset",
    "nativeccd": "native convex collision detection", "island": "islands are solved independently",
    "multiccd": "several contacts for each pair of convex geoms",
    "override": "all contacts take o_margin, o_solref, o_solimp and o_friction", "energy": "energy is computed",
    "fwdinv": "forward and inverse dynamics are compared", "invdiscrete": "inverse dynamics in discrete time",
    "sleep": "trees at rest fall asleep", "diagexact": "exact diagonal of the constraint-space inertia",
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
        if line.startswith("["):
            rows[-1] = replace(rows[-1], components=tuple(name.strip() for name in line[1:-1].split(",")))
            continue
        rows.append(_row(section, *line.split()))
    yield from rows


def _row(section: str, path: str, widget: str, *rest: str) -> Editable:
    """One line of a table."""
    kind, _, argument = widget.partition(":")
    rule, group = FREE, ""
    if kind == "count":
        rule = _count(rest[0])
    if kind == "real":
        group = rest[0] if rest[0] in (*GROUPS, *BY_TYPE) else ""
        rule = FREE if group else Rule(float(rest[0]), *bounds(rest[1]))
    rest = rest[{"count": 1, "real": 1 if group else 2}.get(kind, 0) :]
    attribute, *default = rest
    choices: tuple[tuple[str, int], ...] = ()
    if kind == "enum":
        choices = tuple(ENUMS[argument].items())
    elif kind == "pick":
        choices = tuple((value, int(value)) for value in argument.split(","))
    name = path.rstrip("*")
    written = " ".join(default) or _written(_FIELDS[name].default, SWITCH if kind == "switch" else choices)
    return Editable(name, kind, attribute, section, rule, group, written, (), choices, path.endswith("*"))


def _count(legal: str) -> Rule:
    """The rule of a whole number."""
    low, high = bounds(legal)
    return Rule(COUNT_STEP, max(low, -WHOLE_LIMIT), min(high, WHOLE_LIMIT), whole=True)


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
# fields that change only the rendering; not geom_rgba, for rays ignore transparent geoms
LOOKS = {row.path for row in VISUALS} - {"vis.map.stiffness", "vis.map.stiffnessrot"}
LOOKS |= {path for path in BY_PATH if path.startswith("light_")} | {"site_rgba", "tendon_rgba", "tendon_width"}
FLAG_PATHS = ("opt.disableflags", "opt.enableflags", "opt.disableactuator")


# sizes that count several rows an element: first row, number of rows
SPANS = {"nu": ("actuator_ctrladr", "actuator_ctrlnum"), "nout": ("actuator_outadr", "actuator_outnum")}
# per joint type: dofs, and coordinates with springref in MJCF
JOINT_DOFS, SPRUNG = (6, 3, 1, 1), (0, 0, 1, 1)


def _is_spatial(model: Any, index: int) -> bool:
    """Whether a tendon has a path that can be drawn."""
    return bool(model.wrap_type[model.tendon_adr[index]] != WRAP_JOINT)


# fields that only some elements have
OWNED: dict[str, Callable[[Any, int], bool]] = {
    # not the world
    **dict.fromkeys(("body_mass", "body_gravcomp"), lambda model, index: index > 0),
    **dict.fromkeys(
        ("jnt_limited", "jnt_range", "jnt_margin", "jnt_solref", "jnt_solimp"),
        lambda model, index: model.jnt_type[index] != JNT_FREE,
    ),
    **dict.fromkeys(("tendon_width", "tendon_rgba"), _is_spatial),
    **dict.fromkeys(
        ("actuator_actlimited", "actuator_actrange"), lambda model, index: model.actuator_actnum[index] > 0
    ),
    "actuator_cranklength": lambda model, index: model.actuator_trntype[index] == TRN_SLIDERCRANK,
    # a delay needs a buffer, which is allocated in Data
    "actuator_delay": lambda model, index: model.actuator_history[index, 0] > 0,
    "sensor_delay": lambda model, index: model.sensor_history[index, 0] > 0,
}
# ranges that start at 0: they limit the magnitude of a rotation or a torque
FROM_ZERO: dict[str, Callable[[Any, int], bool]] = {
    "jnt_range": lambda model, row: model.jnt_type[row] == JNT_BALL,
    "actuator_forcerange": lambda model, row: model.actuator_gaintype[row] == GAIN_SO3,
}


def rows_of(row: Editable, model: Any, index: int) -> tuple[int, ...]:
    """The rows of a field that belong to an element, none if it cannot be edited; in MJCF the dofs of a joint share
    their value."""
    if row.path in OWNED and not OWNED[row.path](model, index):
        return ()
    if row.group in BY_TYPE and not row.numbers(model, (index,)):
        return ()
    if row.counted_by in ("nv", "nq"):
        address, counts = ("jnt_dofadr", JOINT_DOFS) if row.counted_by == "nv" else ("jnt_qposadr", SPRUNG)
        first = int(getattr(model, address)[index])
        return tuple(range(first, first + counts[model.jnt_type[index]]))
    if row.counted_by in SPANS:
        start, number = (int(getattr(model, name)[index]) for name in SPANS[row.counted_by])
        if row.counted_by == "nu" and model.actuator_gaintype[index] == GAIN_PID:
            # its other inputs have their own ranges
            number = int(bool(model.actuator_ctrlspec[index] & INPUT_POS))
        return tuple(range(start, start + number))
    return (index,)


def of_kind(kind: str) -> tuple[Editable, ...]:
    """The fields of one type of element, or of one section of the options."""
    return tuple(row for row in (*OPTIONS, *VISUALS, *ELEMENTS) if row.section == kind)
