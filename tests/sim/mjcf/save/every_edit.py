"""Edits of every number of a model that a file can give, and what becomes of them when they are saved and loaded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

import sim
from sim.attributes import ATTRIBUTES, BY_TAG, Attribute
from sim.attributes.keywords import KEYWORDS
from sim.mjcf.save.read_back import owners
from sim.model import Model
from tests.sim.mjcf.compare import fields

# field -> its attribute
ROWS = {row.field: row for row in ATTRIBUTES if row.field}
# vectors of which a single number cannot change
UNIT = ("_quat", "_iquat", "jnt_axis", "light_dir")
# fields of which several rows have one attribute
SHARED = ("dof_", "actuator_ctrl", "actuator_gear", "actuator_lengthrange")
# numbers that are not an attribute of their own
MORE = (
    "jnt_stiffnesspoly",
    "dof_dampingpoly",
    "tendon_stiffnesspoly",
    "tendon_dampingpoly",
    "numeric_data",
    "geom_fluid",
)
# sizes of arrays, and what the model is made of; and what MuJoCo's bindings show as empty
STRUCTURE = (
    "actuator_actnum", "tex_width", "tex_height", "tex_nchannel", "hfield_nrow", "hfield_ncol", "jnt_type",
    "actuator_dyntype", "actuator_gaintype", "actuator_biastype", "sensor_datatype", "sensor_needstage", "site_dataid",
    "vis.rgba.bv", "vis.rgba.bvactive",
)  # fmt: skip

RICH = """<mujoco>
<compiler %s/>
<option timestep=".004" o_solref="-500 -20" wind="1e-7 0 3"><flag energy="enable"/></option>
<visual><map znear=".02"/><rgba fog=".1 .2 .3 1"/></visual>
<statistic meansize=".3"/>
<size nuser_geom="2"/>
<default>
  <geom friction=".8" solref=".015 1"/>
  <default class="span"><geom type="capsule" size=".04" fromto="0 0 0 0 .2 .1"/>
  <joint damping="3" armature=".01"/></default>
  <default class="thick"><geom size=".07 .2" type="cylinder"/><site size=".02" type="sphere"/></default>
  <default class="drive"><position kp="40" kv="2"/><general gainprm="2 1"/></default>
</default>
<asset>
  <mesh name="mesh" vertex="0 0 0  .3 0 0  0 .2 0  0 0 .1  .1 .1 .1"/>
  <hfield name="hills" nrow="2" ncol="3" size="1 1 .2 .1" elevation="0 1 0 1 0 1"/>
  <texture name="grid" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 1 0" width="4" height="4"/>
  <material name="shiny" specular=".3" texture="grid" texrepeat="2 3"/><material name="dull"/>
</asset>
<worldbody>
  <light name="sun" directional="true" pos="0 0 5" diffuse=".4 .5 .6"/><camera name="eye" pos="0 -3 1" euler="80 0 0"/>
  <geom name="floor" type="plane" size="5 5 .1" material="shiny"/><geom type="hfield" hfield="hills" pos="9 0 0"/>
  <site name="rail" pos="0 0 .5"/>
  <body name="mocap" mocap="true" pos="2 0 2" euler="0 20 0"><geom size=".05" contype="0" conaffinity="0"/></body>
  <frame pos="1 2 3" euler="10 20 30">
    <body name="arm" pos="1 0 1" euler="0 30 0" gravcomp=".5" user="1 2">
      <joint name="hinge" axis="0 1 0" range="-50 60" ref="10" springref="5" stiffness="2 1" damping="1 .5"/>
      <geom name="own span" type="capsule" fromto="0 0 0 .5 0 0" size=".05" user="3"/>
      <geom name="class span" class="span" mass=".2"/>
      <geom name="thick" class="thick" pos="0 0 .3" axisangle="1 0 0 40"/>
      <geom name="mesh" type="mesh" mesh="mesh" pos=".4 0 .1" surfacevel="1 0 0 0 0 0"/>
      <geom name="fitted" type="box" mesh="mesh" pos="0 .4 .1"/>
      <site name="tip" class="thick" pos=".5 0 0" zaxis="1 0 1"/>
      <site name="long" type="capsule" fromto="0 0 0 0 0 1" size=".01"/>
      <camera name="hand" pos=".1 0 0" xyaxes="0 1 0 0 0 1" fovy="30"/><light name="lamp" pos="0 0 1" dir="0 1 -1"/>
      <body name="fore" pos=".5 0 0">
        <inertial pos=".1 0 0" mass="1.5" diaginertia=".1 .2 .25"/>
        <joint name="slide" class="span" type="slide" springyield=".1" range="-1 1" actuatorfrcrange="-5 5"/>
        <body name="hand" pos=".2 0 0">
          <joint name="ball" class="span" type="ball" range="0 70" stiffness="1" frictionloss=".2"/>
          <geom name="palm" type="box" size=".1 .05 .02" material="dull"/>
        </body>
      </body>
    </body>
  </frame>
  <body name="loose" pos="0 0 2"><freejoint name="free"/><geom name="loose" size=".1"/><site name="loose"/></body>
  <body name="swings" pos="0 2 2" sleep="never"><joint name="floats" type="free" damping=".1"/>
    <geom name="swings" type="ellipsoid" fluidshape="ellipsoid" size=".1 .2 .3"/>
    <body name="sprung"><joint name="sprung" springdamper=".2 1" axis="1 0 0"/>
      <inertial pos="0 .1 0" mass="1" fullinertia=".2 .2 .3 .01 0 0"/></body></body>
</worldbody>
<contact><pair geom1="loose" geom2="floor" condim="6" solreffriction="-7 -1"/>
<exclude body1="loose" body2="swings"/></contact>
<tendon>
  <spatial name="rope" springlength=".1 .2" range="0 2" width=".01" springyield=".1"><site site="rail"/>
  <site site="tip"/></spatial>
  <fixed name="sum" stiffness="3 1" damping="1 2"><joint joint="hinge" coef="1"/><joint joint="slide" coef="2"/></fixed>
</tendon>
<equality>
  <connect body1="loose" body2="swings" anchor="0 0 .5"/><connect site1="loose" site2="rail"/>
  <weld body1="loose" body2="swings"/>
  <weld name="posed" body1="loose" body2="arm" relpose="1 2 3 1 0 0 0" anchor=".1 0 0"/>
  <weld site1="loose" site2="rail" torquescale="2"/>
  <joint joint1="hinge" joint2="slide" polycoef="0 1e-3 0 5 0"/><joint joint1="slide"/>
  <tendon tendon1="rope" tendon2="sum"/>
</equality>
<actuator>
  <motor name="motor" joint="hinge" ctrlrange="-1 1" gear="2" nsample="3" delay=".004"/>
  <position name="position" class="drive" joint="hinge" ctrlrange="-2 2"/>
  <position name="ratio" joint="slide" kp="30" dampratio="1"/>
  <position name="heir" joint="hinge" kp="5" inheritrange="1"/>
  <velocity joint="hinge" kv="7"/><intvelocity joint="hinge" kp="3" actrange="-1 1"/>
  <damper joint="hinge" kv="2" ctrlrange="0 1"/><cylinder joint="slide" area=".01" timeconst=".2" bias="1 2 3"/>
  <muscle tendon="rope" lengthrange="0 2" force="9"/><adhesion body="arm" ctrlrange="0 1" gain="4"/>
  <motor cranksite="loose" slidersite="rail" cranklength=".5"/>
  <general name="general" class="drive" joint="hinge" gaintype="affine" biastype="affine" biasprm="1 2 3"
    dyntype="filter"
    dynprm=".1" actlimited="true" actrange="-2 2" forcerange="-4 4"/>
  <general joint="ball" gear="1 2 3" gaintype="user" biastype="user" dyntype="user" actdim="1"/>
  <orientation joint="ball" kp="5"/><pid joint="hinge" kp="5" kv="1" ki="2"/>
  <dcmotor joint="hinge" motorconst=".05" resistance="2"/>
</actuator>
<sensor><jointpos name="angle" joint="hinge" nsample="3" delay=".002" noise=".1"/>
<accelerometer site="tip" cutoff="9"/></sensor>
<custom><numeric name="numbers" data="1 2 3"/></custom>
<keyframe><key name="home" time="1" qvel="0 .1 0 0 0  0 0 0 0 0 0  0 0 0 0 0 0  0"/><key/></keyframe>
</mujoco>"""


@dataclass(frozen=True)
class Edit:
    """New numbers of a row of a field: a cell, or a bit, or a whole vector of unit length."""

    field: str
    at: int
    bit: int = 0

    def __str__(self) -> str:
        return f"{self.field}[{self.at}]" + (f" bit {self.bit}" if self.bit else "")

    def make(self, m: Model) -> None:
        """Make the edit."""
        value = m.read(self.field)
        row = ROWS.get(self.field)
        if self.bit:
            m.write(self.field, int(value) ^ self.bit)
        elif not isinstance(value, np.ndarray):
            m.write(self.field, type(value)(_other(row, value)))
        elif self.field.endswith(UNIT):
            vector = value.reshape(-1, value.shape[-1])[self.at]
            vector += np.linspace(0.3, 0.5, len(vector))
            vector /= np.linalg.norm(vector)
        else:
            flat = value.reshape(-1)
            flat[self.at] = _other(row, flat[self.at])


def edits(m: Model) -> Iterator[Edit]:
    """An edit of every number."""
    for field in m.file_values:
        row = ROWS.get(field)
        if (row is None and field not in (*MORE, "eq_data", "opt.disableactuator")) or field in STRUCTURE:
            continue
        value = m.read(field)
        if field == "opt.disableactuator":
            yield from (Edit(field, 0, 1 << bit) for bit in (0, 5))
        elif row is not None and row.bit >= 0:
            bits = [flag.bit for flag in BY_TAG["flag"].values() if flag.field == field]
            yield from (Edit(field, 0, 1 << bit) for bit in bits)
        elif not isinstance(value, np.ndarray):
            yield Edit(field, 0)
        else:
            yield from (Edit(field, at) for at in range(len(value) if field.endswith(UNIT) else value.size))


def _other(row: Attribute | None, value: Any) -> Any:
    """Another legal value."""
    if isinstance(value, bool | np.bool_):
        return not value
    if isinstance(value, float | np.floating):
        return value * 0.75 + (0.07 if not 1.25 > value > 0.2 else -0.01)
    if row is not None and row.type.base == "ref":
        return 0 if value else 1
    if row is not None and row.edit.startswith("pick"):
        return next(int(word) for word in row.edit.split()[1:] if int(word) != value)
    if row is not None and row.type.base in ("enum", "bool"):
        legal = KEYWORDS[row.type.argument].values() if row.type.base == "enum" else (0, 1)
        return next(number for number in legal if number != value)
    return value + 1


# ---- what became of them


def lost_and_named(m: Model, made: Sequence[Edit]) -> tuple[set[str], set[str], str]:
    """The numbers that do not come back from what edits are saved as, what was named before, and the text.

    MuJoCo reads what comes back too; what does not is also lost if other numbers of its element changed with it.
    """
    model = m.copy()
    for edit in made:
        edit.make(model)
    plan = model.plan_save("saved.xml")
    (change,) = plan.files
    again = sim.loads(change.after)
    theirs = dict(fields(mujoco.MjModel.from_xml_string(change.after)))
    lost = {
        f"{field} of {owner}" if owner else field
        for field in {edit.field for edit in made}
        for owner in lost_numbers(field, model, again.read(field), theirs.get(field, again.read(field)))
    }
    return lost, {what.partition(": ")[0] for what in plan.unsaved}, change.after


def lost_numbers(field: str, model: Model, *again: Any) -> Iterator[str]:
    """The elements of which edited numbers of a field are others after loading, or those that share an attribute."""
    wanted, start = np.asarray(model.read(field)), model.file_values[field]
    near = 1e-6 if field.startswith("vis.") or wanted.dtype == np.float32 else 1e-9
    same = np.ones(wanted.shape, bool)
    for back in again:
        if np.size(back) != wanted.size:
            yield ""
            return
        # what the two engines compute is not the same to the last bit
        same &= np.isclose(wanted, np.reshape(back, wanted.shape), rtol=near, atol=1e-12)
    if not field.startswith(SHARED):
        # what follows from another edit
        same |= wanted == start
    if not same.all():
        rows = np.flatnonzero(~same.reshape(len(same), -1).all(axis=1)) if same.ndim else ()
        yield from owners(model, field, rows)
