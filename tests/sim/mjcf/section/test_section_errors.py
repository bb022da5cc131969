"""Mistakes in contacts, equalities, tendons, actuators, sensors and custom fields: each says where and what."""

from __future__ import annotations

import random
import re

import mujoco
import pytest

from sim.mjcf import MjcfError, compile_text
from tests.sim.mjcf.section_models import SECTIONS, WORLD

TENDON = '<tendon><fixed name="t" range="0 1"><joint joint="j" coef="1"/></fixed></tendon>'


def contact(text: str) -> str:
    return f"<contact>{text}</contact>"


def equality(text: str) -> str:
    return f"<equality>{text}</equality>"


def spatial(inside: str, attributes: str = "") -> str:
    return f"<tendon><spatial {attributes}>{inside}</spatial></tendon>"


def actuator(text: str) -> str:
    return f"<actuator>{text}</actuator>"


def general(attributes: str) -> str:
    return actuator(f"<general {attributes}/>")


def sensor(text: str) -> str:
    return f"<sensor>{text}</sensor>"


def custom(text: str) -> str:
    return f"<custom>{text}</custom>"


SLEEPER = """<worldbody><body sleep="%s"><joint/><geom size="1"/><site name="sz"/></body></worldbody>"""
TWO = '<site site="sa"/><site site="sd"/>'

# what is wrong -> the section, the element at fault, words of the message
BAD: dict[str, tuple[str, str, str]] = {
    # form
    "element": (contact("<pear/>"), "pear", "did you mean 'pair'?"),
    "attribute": (actuator('<motor joint="j" gears="1"/>'), "motor", "unknown attribute 'gears'; did you mean 'gear'?"),
    "attribute of another kind": (actuator('<motor joint="j" kp="1"/>'), "motor", "unknown attribute 'kp'"),
    "attribute of a section": ('<contact name="c"/>', "contact", "unknown attribute 'name'"),
    "child of a leaf": (sensor("<clock><clock/></clock>"), "clock", "unknown element in <clock>"),
    "class": (actuator('<motor joint="j" class="q"/>'), "motor", "unknown default class 'q'"),
    "target in a default": ('<default><motor joint="j"/></default>', "motor", "unknown attribute 'joint'"),
    "two motors in a default": ("<default><motor/><motor/></default>", "motor", "only one <motor>"),
    "name twice": (sensor('<clock name="a"/><clock name="a"/>'), "clock", "another sensor has this name"),
    "user": (
        '<size nuser_sensor="1"/><sensor><clock user="1 2"/></sensor>',
        "clock",
        "user has 2 values; nuser_sensor is 1: increase it",
    ),
    # what is not supported
    "flex": (equality('<flex flex="f"/>'), "flex", "not supported"),
    "actuator plugin": (actuator("<plugin/>"), "plugin", "not supported"),
    "sensor plugin": (sensor("<plugin/>"), "plugin", "not supported"),
    # contact
    "geom of a pair": (contact('<pair geom1="ga" geom2="gq"/>'), "pair", "geom 'gq' does not exist"),
    "pair of one": (contact('<pair geom1="ga"/>'), "pair", "missing attribute 'geom2'"),
    "condim": (contact('<pair geom1="ga" geom2="gb" condim="2"/>'), "pair", "condim is 2"),
    "excluded body": (contact('<exclude body1="a" body2="q"/>'), "exclude", "body 'q' does not exist"),
    # equality
    "connect": (equality('<connect body1="a"/>'), "connect", "set body1 and anchor, or site1 and site2"),
    "connect one site": (equality('<connect site1="sa"/>'), "connect", "set body1 and anchor"),
    "connect of both kinds": (
        equality('<connect body1="a" site2="sa"/>'),
        "connect",
        "'site2' and 'body1' are mutually exclusive; specify only one",
    ),
    "weld": (equality('<weld solref="1"/>'), "weld", "set body1, or site1 and site2"),
    "weld of both kinds": (
        equality('<weld site1="sa" site2="sb" relpose="0 0 0 1 0 0 0"/>'),
        "weld",
        "'site1' and 'relpose' are mutually exclusive; specify only one",
    ),
    "equal to itself": (
        equality('<weld body1="a" body2="a"/>'),
        "weld",
        "body 'a' is named twice; name two different ones",
    ),
    "world to the world": (
        equality('<connect body1="world" anchor="0 0 0"/>'),
        "connect",
        "body 'world' is named twice; name two different ones",
    ),
    "unknown body": (equality('<weld body1="q"/>'), "weld", "body 'q' does not exist"),
    "ball joint": (equality('<joint joint1="ball"/>'), "joint", "must be hinges or slides"),
    "unknown tendon": (equality('<tendon tendon1="t"/>'), "tendon", "tendon 't' does not exist"),
    "distance": (
        equality('<distance geom1="ga" geom2="gb" distance="-1"/>'),
        "distance",
        "distance is -1; it must be zero or positive",
    ),
    # tendons
    "empty path": ("<tendon><spatial/></tendon>", "spatial", "it has no path; add joints, or sites and geoms"),
    "one site": (
        spatial('<site site="sa"/>'),
        "spatial",
        "the path has one element; a spatial tendon needs two sites or more",
    ),
    "unknown site": (spatial('<site site="sa"/><site site="sq"/>'), "site", "site 'sq' does not exist"),
    "unknown joint": (
        '<tendon><fixed><joint joint="q" coef="1"/></fixed></tendon>',
        "joint",
        "joint 'q' does not exist",
    ),
    "no coefficient": ('<tendon><fixed><joint joint="j"/></fixed></tendon>', "joint", "missing attribute 'coef'"),
    "joint in a spatial path": (spatial('<joint joint="j" coef="1"/>'), "joint", "unknown element"),
    "site twice": (
        spatial('<site site="sa"/><site site="sa"/>'),
        "site",
        "site 'sa' is named twice in a row; remove one",
    ),
    "site alone": (
        spatial(f'{TWO}<pulley divisor="1"/><site site="sa"/>'),
        "site",
        "site 'sa' is the only one in its branch; a branch needs two sites",
    ),
    "pulley at the end": (
        spatial(f'{TWO}<pulley divisor="1"/>'),
        "pulley",
        "the last element of the path is a pulley; add sites after it",
    ),
    "two pulleys": (spatial(f'{TWO}<pulley divisor="1"/><pulley divisor="1"/>{TWO}'), "pulley", "another pulley"),
    "divisor": (spatial(f'{TWO}<pulley divisor="0"/>{TWO}'), "pulley", "divisor is 0; it must be positive"),
    "geom at the end": (spatial('<site site="sa"/><geom geom="ga"/>'), "geom", "between two sites"),
    "geom that is a box": (
        spatial('<site site="sa"/><geom geom="gb"/><site site="sd"/>'),
        "geom",
        "sphere or a cylinder",
    ),
    "side site": (
        spatial('<site site="sa"/><geom geom="ga" sidesite="q"/><site site="sd"/>'),
        "geom",
        "site 'q' does not exist",
    ),
    "width": (spatial(TWO, 'width="0"'), "spatial", "width is 0"),
    "tendon armature": (spatial(TWO, 'armature="-1"'), "spatial", "armature is -1; it must be zero or positive"),
    "armature of a fixed tendon": (
        '<tendon><fixed armature="-1"><joint joint="j" coef="1"/></fixed></tendon>',
        "fixed",
        "armature is -1; it must be zero or positive",
    ),
    "ball in a fixed tendon": (
        '<tendon><fixed><joint joint="ball" coef="1"/></fixed></tendon>',
        "joint",
        "joint 'ball' is not a slide or hinge; name one that is",
    ),
    "joint twice in a fixed tendon": (
        '<tendon><fixed><joint joint="j" coef="1"/><joint joint="j" coef="2"/></fixed></tendon>',
        "joint",
        "joint 'j' is named twice; add the coefficients",
    ),
    "armature around a geom": (
        spatial('<site site="sa"/><geom geom="ga"/><site site="sd"/>', 'armature="1"'),
        "spatial",
        "cannot wrap around geoms",
    ),
    "tendon range": (
        spatial(TWO, 'limited="true" range="1 0"'),
        "spatial",
        "range is 1 0; the first number must be below the second",
    ),
    "tendon limit": (
        spatial(TWO, 'limited="true"'),
        "spatial",
        "range is 0 0; the first number must be below the second",
    ),
    "tendon force range": (
        spatial(TWO, 'actuatorfrclimited="true" actuatorfrcrange="1 2"'),
        "spatial",
        "must contain 0",
    ),
    "springlength": (
        spatial(TWO, 'springlength="2 1"'),
        "spatial",
        "springlength is 2 1; the first number must not exceed the second",
    ),
    "tendon material": (spatial(TWO, 'material="q"'), "spatial", "material 'q' does not exist"),
    # transmissions
    "no target": (general(""), "general", "it has no transmission; name a joint, tendon, site or body"),
    "unknown target": (general('joint="q"'), "general", "joint 'q' does not exist"),
    "no slider": (general('cranksite="sa" cranklength="1"'), "general", "missing attribute 'slidersite'"),
    "crank length": (general('cranksite="sa" slidersite="sd"'), "general", "cranklength is 0"),
    "crank of a joint": (
        general('joint="j" cranklength="1"'),
        "general",
        "'cranklength' needs 'cranksite'; set cranksite",
    ),
    "refsite of a joint": (general('joint="j" refsite="sa"'), "general", "'refsite' needs 'site'; set site"),
    "unknown refsite": (general('site="sa" refsite="q"'), "general", "site 'q' does not exist"),
    "damping of a site": (
        general('site="sa" damping="1"'),
        "general",
        "damping is for actuators of joints and tendons; remove damping",
    ),
    "armature of a body": (
        general('body="a" armature="1"'),
        "general",
        "armature is for actuators of joints and tendons; remove armature",
    ),
    "armature of a tendon around a geom": (
        spatial('<site site="sa"/><geom geom="ga"/><site site="sd"/>', 'name="cord"')
        + general('tendon="cord" armature="1"'),
        "general",
        "its tendon wraps around geoms and cannot have armature; remove the actuator's armature",
    ),
    # ranges and activations
    "ctrlrange": (
        general('joint="j" ctrllimited="true" ctrlrange="1 0"'),
        "general",
        "ctrlrange is 1 0; the first number must be below the second",
    ),
    "ctrllimited": (
        general('joint="j" ctrllimited="true"'),
        "general",
        "ctrlrange is 0 0; the first number must be below the second",
    ),
    "autolimits": (
        '<compiler autolimits="false"/><actuator><motor joint="free" forcerange="0 1"/></actuator>',
        "motor",
        "forcerange is set, but not forcelimited; set forcelimited, or compiler autolimits",
    ),
    "actrange": (
        general('joint="j" actrange="0 1"'),
        "general",
        "actrange is set, but the actuator has no activation; set dyntype, or remove actrange",
    ),
    "actdim": (
        general('joint="j" dyntype="filter" actdim="2"'),
        "general",
        "actdim is 2; only dyntype user, dcmotor and pid can have more than 1",
    ),
    "actdim 1": (
        general('joint="j" actdim="1"'),
        "general",
        "actdim is 1, but the actuator has no dynamics; set dyntype",
    ),
    "actdim 0": (
        general('joint="j" dyntype="filter" actdim="0"'),
        "general",
        "actdim is 0, but its dynamics have an activation; remove actdim",
    ),
    "inheritrange": (
        actuator('<position joint="ball" inheritrange="1"/>'),
        "position",
        "inheritrange: joint 'ball' is neither a hinge nor a slide",
    ),
    "inherited from a site": (
        actuator('<position site="sa" inheritrange="1"/>'),
        "position",
        "inheritrange needs a joint or tendon transmission; set the actuator's own range",
    ),
    "no range": (
        '<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>'
        + actuator('<position tendon="t" inheritrange="1"/>'),
        "position",
        "'t' has no range",
    ),
    "two ranges": (
        actuator('<position joint="j" inheritrange="1" ctrlrange="0 1"/>'),
        "position",
        "'ctrlrange' and 'inheritrange' are mutually exclusive; specify only one",
    ),
    "two ranges of an integrator": (
        actuator('<intvelocity joint="j" inheritrange="1" actrange="0 1"/>'),
        "intvelocity",
        "'actrange' and 'inheritrange' are mutually exclusive; specify only one",
    ),
    "delay": (general('joint="j" delay="1"'), "general", "a delay needs a history buffer; set nsample"),
    "long buffer": (general('joint="j" nsample="99999999"'), "general", "nsample is 99999999"),
    "buffer of nothing": (
        actuator('<dcmotor joint="j" motorconst="1" resistance="1" input="none" nsample="1"/>'),
        "dcmotor",
        "without an input there is nothing to delay; remove delay and nsample",
    ),
    # kinds
    "kv": (actuator('<position joint="j" kv="-1"/>'), "position", "kv is -1; it must be zero or positive"),
    "kv and dampratio": (
        actuator('<position joint="j" kv="1" dampratio="1"/>'),
        "position",
        "'kv' and 'dampratio' are mutually exclusive; specify only one",
    ),
    "timeconst": (
        actuator('<position joint="j" timeconst="-1"/>'),
        "position",
        "timeconst is -1; it must be zero or positive",
    ),
    "damper": (
        actuator('<damper joint="j" kv="-1" ctrlrange="0 1"/>'),
        "damper",
        "kv is -1; it must be zero or positive",
    ),
    "range of a damper": (
        actuator('<damper joint="j" ctrlrange="-1 1"/>'),
        "damper",
        "the lower end of ctrlrange is -1; it must be zero or positive",
    ),
    "damper without a range": (
        actuator('<damper joint="j" kv="1"/>'),
        "damper",
        "ctrlrange is 0 0; the first number must be below the second",
    ),
    "adhesion": (
        actuator('<adhesion body="a" gain="-1" ctrlrange="0 1"/>'),
        "adhesion",
        "gain is -1; it must be zero or positive",
    ),
    "range of adhesion": (
        actuator('<adhesion body="a" ctrlrange="-1 1"/>'),
        "adhesion",
        "the lower end of ctrlrange is -1; it must be zero or positive",
    ),
    "tausmooth": (
        actuator('<muscle joint="j" tausmooth="-1"/>'),
        "muscle",
        "tausmooth is -1; it must be zero or positive",
    ),
    "range of a muscle": (
        actuator('<muscle joint="j" range="2 1"/>'),
        "muscle",
        "range of the muscle is 2 1; the first number must be below the second",
    ),
    "lengths of a muscle": (
        actuator('<muscle joint="j" lmin="2"/>'),
        "muscle",
        "lmin is 2, lmax is 1.6; 1 must be between them",
    ),
    "scale of a muscle": (
        actuator('<muscle joint="j" scale="0"/>'),
        "muscle",
        "scale, vmax, fpmax or fvmax is not positive; all four must be",
    ),
    "word of input": (actuator('<pid joint="j" input="poss"/>'), "pid", "did you mean 'pos'?"),
    "order of inputs": (actuator('<pid joint="j" input="vel pos"/>'), "pid", "pos vel ff voltage"),
    "input of a motor": (
        general('joint="j" input="ff"'),
        "general",
        'the control of this gaintype is one number; set input to "pos", "vel" or "pressure"',
    ),
    "input of an orientation": (
        actuator('<orientation joint="ball" input="pos vel"/>'),
        "orientation",
        'input is not a chart of orientations; use "expmap" or "quat"',
    ),
    "input of a pid": (actuator('<pid joint="j" input="voltage"/>'), "pid", "of pos, vel and ff"),
    "input of a dcmotor": (
        general('joint="j" gaintype="dcmotor" biastype="dcmotor" dynprm="0" input="none" gainprm="1 2 3 4 5"'),
        "general",
        "its controller has no input; add pos, vel or ff to input",
    ),
    "orientation of a hinge": (
        actuator('<orientation joint="j"/>'),
        "orientation",
        "its transmission has no orientation; use a ball joint, or site and refsite",
    ),
    "orientation of a site": (
        actuator('<orientation site="sa"/>'),
        "orientation",
        "its transmission has no orientation; use a ball joint, or site and refsite",
    ),
    "torque of an orientation": (
        actuator('<orientation joint="ball" forcerange="-1 1"/>'),
        "orientation",
        "forcerange starts at -1; it limits the magnitude of the torque and must start at 0",
    ),
    "half an orientation": (
        general('joint="ball" gaintype="so3"'),
        "general",
        'only one of gaintype and biastype is "so3"; set both or neither',
    ),
    "filtered orientation": (
        general('joint="ball" gaintype="so3" biastype="so3" biasprm="0 -1" dyntype="filter"'),
        "general",
        'gaintype so3 cannot be combined with this dyntype; use "none" or "integrator"',
    ),
    "gain of an orientation": (
        general('joint="ball" gaintype="so3" biastype="so3"'),
        "general",
        "gainprm[0] is 1, biasprm[1] is 0; for so3, one must be minus the other",
    ),
    "states of an orientation": (
        general('joint="ball" gaintype="so3" biastype="so3" biasprm="0 -1" dyntype="integrator" actdim="2"'),
        "general",
        "actdim is 2",
    ),
    "quaternion that is integrated": (
        general('joint="ball" gaintype="so3" biastype="so3" biasprm="0 -1" dyntype="integrator" input="quat"'),
        "general",
        'input="quat" cannot be combined with this dyntype; use dyntype="none"',
    ),
    "pid without bias": (
        general('joint="j" gaintype="pid"'),
        "general",
        'gaintype="pid" cannot be combined with this biastype; use "affine"',
    ),
    "filtered pid": (
        general('joint="j" gaintype="pid" biastype="affine" dyntype="filter"'),
        "general",
        'gaintype="pid" cannot be combined with this dyntype; use "none" or "pid"',
    ),
    "pid of a body": (general('body="a" gaintype="pid" biastype="affine"'), "general", "cannot act on a body"),
    "integral of a pid": (
        general('joint="j" gaintype="pid" biastype="affine"'),
        "general",
        'the integral gain gainprm[0] is 1; it needs dyntype="pid"',
    ),
    "states of a pid": (
        general('joint="j" gaintype="pid" biastype="affine" dyntype="pid" actdim="2"'),
        "general",
        "actdim is 2; it must be 1 for these parameters",
    ),
    "kv of an integrator": (actuator('<intvelocity joint="j" kv="-1"/>'), "intvelocity", "kv is -1; it must be zero"),
    "dampratio of an integrator": (
        actuator('<intvelocity joint="j" kv="1" dampratio="1"/>'),
        "intvelocity",
        "'kv' and 'dampratio' are mutually exclusive; specify only one",
    ),
    "imax": (actuator('<pid joint="j" ki="1" imax="-1"/>'), "pid", "imax is -1; it must be zero or positive"),
    "slewmax": (actuator('<pid joint="j" slewmax="-1"/>'), "pid", "slewmax is -1; it must be zero or positive"),
    "integral without setpoint": (
        actuator('<pid joint="j" ki="1" input="vel"/>'),
        "pid",
        "ki and slewmax act on the input pos; add pos to input",
    ),
    "two ranges of a pid": (
        actuator('<pid joint="j" posrange="0 1" inheritrange="1"/>'),
        "pid",
        "'posrange' and 'inheritrange' are mutually exclusive; specify only one",
    ),
    "dynamics of a pid": (
        general('joint="j" dyntype="pid"'),
        "general",
        'dyntype="pid" without gaintype="pid"; set both or neither',
    ),
    "motor constant": (actuator('<dcmotor joint="j" resistance="1"/>'), "dcmotor", "motor constant is not positive"),
    "resistance": (actuator('<dcmotor joint="j" motorconst="1"/>'), "dcmotor", "resistance is not positive"),
    "inductance": (
        actuator('<dcmotor joint="j" motorconst="1" resistance="1" inductance="0 -1"/>'),
        "dcmotor",
        "inductance is -1; it must be zero or positive",
    ),
    "thermal": (actuator('<dcmotor joint="j" motorconst="1" resistance="1" thermal="1"/>'), "dcmotor", "thermal"),
    "controller": (
        actuator('<dcmotor joint="j" motorconst="1" resistance="1" controller="1"/>'),
        "dcmotor",
        "its controller has no input; add pos, vel or ff to input",
    ),
    "integral of a dcmotor": (
        actuator('<dcmotor joint="j" motorconst="1" resistance="1" controller="0 1" input="vel"/>'),
        "dcmotor",
        "the integral gain acts on the input pos; add pos to input",
    ),
    "controller without a motor": (
        general('joint="j" gaintype="dcmotor" biastype="dcmotor" dynprm="0" input="pos"'),
        "general",
        "the motor constant is 0; a controller needs a positive one",
    ),
    "states of a dcmotor": (
        general('joint="j" gaintype="dcmotor" biastype="dcmotor" gainprm="1 2"'),
        "general",
        "actdim is 0; it must be 1 for these parameters",
    ),
    "late dcmotor": (general('joint="j" dyntype="dcmotor"'), "general", "needs actearly"),
    # sensors
    "unknown object": (sensor('<gyro site="q"/>'), "gyro", "site 'q' does not exist"),
    "unattached": (sensor("<rangefinder/>"), "rangefinder", "set site or camera"),
    "attached twice": (
        sensor('<rangefinder site="sa" camera="eye"/>'),
        "rangefinder",
        "'site' and 'camera' are mutually exclusive; specify only one",
    ),
    "word of data": (sensor('<rangefinder site="sa" data="distance"/>'), "rangefinder", "did you mean 'dist'?"),
    "order of data": (sensor('<rangefinder site="sa" data="dir dist"/>'), "rangefinder", "dist dir origin"),
    "data twice": (sensor('<contact data="found found"/>'), "contact", "out of order"),
    "num": (sensor('<contact num="0"/>'), "contact", "num is 0"),
    "two criteria": (
        sensor('<contact geom1="ga" body1="a"/>'),
        "contact",
        "'geom1' and 'body1' are mutually exclusive; specify only one",
    ),
    "ball for a hinge": (sensor('<jointpos joint="ball"/>'), "jointpos", "must be a slide or a hinge"),
    "hinge for a ball": (sensor('<ballquat joint="j"/>'), "ballquat", "must be a ball"),
    "no limit": (sensor('<jointlimitpos joint="free"/>'), "jointlimitpos", "has no limit"),
    "frame type": (sensor('<framepos objtype="joint" objname="j"/>'), "framepos", "known: body"),
    "frame name": (sensor('<framepos objtype="body" objname="q"/>'), "framepos", "body 'q' does not exist"),
    "half a reference": (
        sensor('<framepos objtype="body" objname="a" refname="d"/>'),
        "framepos",
        "'reftype' and 'refname' must be used together; set both",
    ),
    "half a distance": (sensor('<distance geom1="ga"/>'), "distance", "set body2 or geom2"),
    "distance to itself": (
        sensor('<distance geom1="ga" geom2="ga"/>'),
        "distance",
        "geom 'ga' is named twice; name two different ones",
    ),
    "cutoff": (sensor('<clock cutoff="-1"/>'), "clock", "cutoff is -1; it must be zero or positive"),
    "noise": (sensor('<clock noise="-1"/>'), "clock", "noise is -1; it must be zero or positive"),
    "cutoff of an axis": (sensor('<framexaxis objtype="body" objname="a" cutoff="1"/>'), "framexaxis", "cutoff"),
    "cutoff of a quaternion": (sensor('<ballquat joint="ball" cutoff="1"/>'), "ballquat", "cutoff"),
    "period": (sensor('<clock interval="-1"/>'), "clock", "period of interval"),
    "phase": (sensor('<clock interval="1 1"/>'), "clock", "phase of interval is 1"),
    "early phase": (sensor('<clock interval="1 -1"/>'), "clock", "phase of interval is -1"),
    "sensor delay": (sensor('<clock delay="1"/>'), "clock", "a delay needs a history buffer; set nsample"),
    "long sensor buffer": (sensor('<clock nsample="99999999"/>'), "clock", "nsample is 99999999"),
    "user dim": (sensor("<user/>"), "user", "missing attribute 'dim'"),
    "negative dim": (sensor('<user dim="-1"/>'), "user", "dim is -1"),
    "dim of an axis": (sensor('<user dim="2" datatype="axis"/>'), "user", "dim is 2; it must be 3 for this datatype"),
    "half an object": (
        sensor('<user dim="2" objtype="body"/>'),
        "user",
        "'objtype' and 'objname' must be used together; set both",
    ),
    # custom fields
    "no numbers": (custom('<numeric name="n"/>'), "numeric", "'n': size is 0; it must be 1 to 500"),
    "many numbers": (custom('<numeric name="n" size="501"/>'), "numeric", "1 to 500"),
    "numbers for the size": (custom('<numeric name="n" size="1" data="1 2"/>'), "numeric", "data has 2 values"),
    "nameless": (custom('<text data="n"/>'), "text", "missing attribute 'name'"),
    "empty text": (custom('<text name="n" data=""/>'), "text", "missing attribute 'data'"),
    "empty tuple": (custom('<tuple name="t"/>'), "tuple", "the tuple is empty"),
    "type in a tuple": (
        custom('<tuple name="t"><element objtype="q" objname="a"/></tuple>'),
        "element",
        "unknown keyword",
    ),
    "name in a tuple": (
        custom('<tuple name="t"><element objtype="body" objname="q"/></tuple>'),
        "element",
        "body 'q' does not exist",
    ),
    # sleep
    "sleep of tied trees": (
        SLEEPER % "allowed" + spatial('<site site="sz"/><site site="sa"/>', 'stiffness="1"'),
        "spatial",
        "it couples two trees with a spring or a damper, and one of them has a policy that allows sleeping",
    ),
    "sleep of many tied trees": (
        SLEEPER % "init" + spatial('<site site="sz"/><site site="sa"/><site site="sd"/>'),
        "spatial",
        "more than two trees",
    ),
}
# the bodies of the other models on one line, with limits that need no automatics
ONE_LINE = re.sub(r"\s+", " ", WORLD).replace(" range=", ' limited="true" range=')


@pytest.mark.parametrize("mistake", BAD)
def test_bad_section(mistake: str) -> None:
    section, tag, words = BAD[mistake]
    with pytest.raises(MjcfError) as caught:
        compile_text(f"<mujoco><worldbody>{ONE_LINE}</worldbody>\n{section}\n</mujoco>")
    error = caught.value
    assert words in str(error)
    assert (error.element, error.line, error.file) == (tag, 2, "<text>")


# ---- mutations


def mutated(text: str, pick: random.Random) -> str:
    """A model with a few elements lost, doubled or exchanged, or an attribute changed."""
    tags = re.findall(r"<[^>]*>|[^<]+", text)
    for _ in range(pick.randrange(1, 4)):
        at, other = pick.randrange(len(tags)), pick.randrange(len(tags))
        values = re.findall(r'"[^"]*"', tags[at])
        change = pick.randrange(4)
        if change == 0:
            tags[at] = ""
        elif change == 1:
            tags[at] *= 2
        elif change == 2:
            tags[at], tags[other] = tags[other], tags[at]
        elif values:
            word = pick.choice(["", "j", "ball", "sa", "true", "0", "-1", "1e300", "nan", "1 2", "pos vel", "x"])
            tags[at] = tags[at].replace(pick.choice(values), f'"{word}"', 1)
    return "".join(tags)


def test_mutated_sections_load_or_raise() -> None:
    for seed in range(40):
        pick = random.Random(seed)
        text = mutated(pick.choice(list(SECTIONS.values())), pick)
        try:
            compile_text(text)
        except MjcfError as error:
            assert str(error), seed


@pytest.mark.parametrize("sensor", ['<rangefinder camera="c"/>', '<camprojection site="s" camera="c"/>'])
def test_a_camera_without_pixels_senses_nothing(sensor: str) -> None:
    text = f"""<mujoco><worldbody><camera name="c" resolution="0 4"/><site name="s"/></worldbody>
        <sensor>{sensor}</sensor></mujoco>"""
    with pytest.raises(ValueError, match="resolution"):
        mujoco.MjModel.from_xml_string(text)
    with pytest.raises(MjcfError, match="camera 'c' has no resolution; set its resolution"):
        compile_text(text)
