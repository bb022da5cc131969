"""Edits of a joint by hand: its axis the other way round, limits and zero where it is; a sweep through its range."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from app.model.placed import Numbers, free_start, in_model
from app.model.placing import compose, shift, turn
from app.model.views import ModelView, StateView
from app.run.commands import Command, SetData, SetField
from app.view.tools import edit_of, gestures, joint_value
from sim.enums import JNT_HINGE

# seconds of a sweep there and back, and the range of a joint without limits, m or rad
SWEEP_SECONDS, UNLIMITED = 3.0, {True: math.pi, False: 0.5}


def flip(model: ModelView, joint: int) -> SetField:
    """The axis the other way round; the limits stay where they are in the world."""
    low, high = model.jnt_range[joint].tolist()
    axis = tuple((-np.asarray(model.jnt_axis[joint]) + 0.0).tolist())
    return edit_of((Numbers("jnt_axis", joint, axis), Numbers("jnt_range", joint, (-high + 0.0, -low + 0.0))))


def limit_here(model: ModelView, state: StateView, joint: int, column: int) -> SetField:
    """A limit where the joint is now."""
    ends, value = model.jnt_range[joint].tolist(), round(joint_value(model, state, joint), 9)
    if not model.jnt_limited[joint]:
        # the other end of what was no range
        reach = UNLIMITED[bool(model.jnt_type[joint] == JNT_HINGE)]
        ends = [value - reach, value + reach]
    ends[column] = value
    ends = [min(ends), max(ends)]
    limited = Numbers("jnt_limited", joint, (float(ends[0] < ends[1]),))
    return edit_of((Numbers("jnt_range", joint, tuple(ends)), limited))


def can_zero(model: ModelView, joint: int) -> bool:
    """Whether it is the first joint of its body: the pose of the body can take up its displacement alone."""
    return int(model.body_jntadr[model.jnt_bodyid[joint]]) == joint


def zero_here(model: ModelView, state: StateView, joint: int) -> tuple[Command, ...]:
    """The present pose becomes that at the joint's reference; limits and spring stay where they are in the world."""
    adr, body = int(model.jnt_qposadr[joint]), int(model.jnt_bodyid[joint])
    way = joint_value(model, state, joint) - float(model.qpos0[adr])
    axis = np.array(model.jnt_axis[joint], np.float64)
    hinge = model.jnt_type[joint] == JNT_HINGE
    here = turn(np.array(model.jnt_pos[joint], np.float64), axis, way) if hinge else shift(way * axis)
    pose = compose(in_model(model, body).pose, here)
    spring = float(model.qpos_spring[adr]) - way
    ends = tuple(round(end - way, 12) for end in model.jnt_range[joint].tolist())
    edit = edit_of(
        (
            Numbers("body_pos", body, tuple(np.round(pose.pos, 9).tolist())),
            Numbers("body_quat", body, tuple((pose.quat / np.linalg.norm(pose.quat)).tolist())),
            *((Numbers("jnt_range", joint, ends),) if model.jnt_limited[joint] else ()),
        )
    )
    edit = replace(edit, also=(*edit.also, SetField("qpos_spring", spring, (adr,))))
    return edit, SetData("qpos", adr, (float(model.qpos0[adr]),))


def initial_pose(model: ModelView, state: StateView, body: int) -> SetField | None:
    """The pose of a free body in the state as that in the model, with which it starts."""
    start = free_start(model, body)
    if start < 0:
        return None
    numbers = np.array(state.qpos[start : start + 7], np.float64)
    quat = numbers[3:] / max(float(np.linalg.norm(numbers[3:])), 1e-12)
    pos = tuple(np.round(numbers[:3], 9).tolist())
    return edit_of((Numbers("body_pos", body, pos), Numbers("body_quat", body, tuple(quat.tolist()))))


@dataclass
class JointSweep:
    """A joint that moves through its range in the picture, from when on; it is one gesture, dropped at the end."""

    joint: int
    began: float
    gesture: int = field(default_factory=gestures.__next__)

    def command(self, model: ModelView, now: float) -> SetData | None:
        """Where the joint is at a time; None once it is over."""
        share = (now - self.began) / SWEEP_SECONDS
        if share >= 1 or self.joint >= model.njnt:
            return None
        adr = int(model.jnt_qposadr[self.joint])
        low, high = (float(end) for end in model.jnt_range[self.joint])
        if not model.jnt_limited[self.joint]:
            reach = UNLIMITED[bool(model.jnt_type[self.joint] == JNT_HINGE)]
            low, high = float(model.qpos0[adr]) - reach, float(model.qpos0[adr]) + reach
        return SetData("qpos", adr, ((low + high) / 2 - (high - low) / 2 * math.cos(math.tau * share),), self.gesture)
