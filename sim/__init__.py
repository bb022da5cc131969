"""Kinetoscope's engine: MuJoCo's pipeline in Python, compiled to native code.

    m = sim.load("scene.xml")
    d = sim.Data(m)
    sim.step(m, d, nstep=100)

Names, shapes and values are those of MuJoCo 4.0; `m` and `d` hold numpy arrays.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sim.analysis.contact_detail import contact_detail
from sim.analysis.force_sources import force_sources
from sim.analysis.row_softness import contact_softness
from sim.arguments import check_fit, checked
from sim.callback import callbacks
from sim.edits import ModelEdits
from sim.enums import (
    ENBL_INVDISCRETE,
    INT_RK4,
    STAGE_NONE,
    STAGE_POS,
)
from sim.jit import CompileError, helper, interpreted, kernel
from sim.linearization.analytic import difference_error, formula_error, max_relative_error, transition
from sim.linearization.transition import inverse_fd, transition_fd
from sim.math.so3 import quat_integrate_derivatives
from sim.math.sparse import sparse_to_dense
from sim.mjcf import MjcfError, compile_file, compile_text
from sim.mjcf.complete import complete
from sim.mjcf.set_const.set_const import (
    EDIT_CONSTANTS,
    scratch_model,
    set_inertia_constants,
    set_pose_constants,
)
from sim.model import Data, Model, copy_data
from sim.pipeline import forward as pipeline
from sim.pipeline import inverse as inverse_pipeline
from sim.recording.record import Recorder
from sim.recording.recording import Recording, load_recording
from sim.script.batch import GpuBatch
from sim.script.check_options import check_options
from sim.script.check_state import check_row
from sim.script.contact_force import contact_force
from sim.script.delays import fill_control_history, fill_sensor_history, read_control, read_sensor
from sim.script.distance import geom_distance
from sim.script.inertia import full_m, mul_m, solve_m
from sim.script.jacobian import (
    angmom_mat,
    apply_ft,
    jac,
    jac_body,
    jac_body_com,
    jac_dot,
    jac_geom,
    jac_point_axis,
    jac_site,
    jac_subtree_com,
)
from sim.script.keyframes import add_keyframe, insert_keyframe, key_values, remove_keyframe
from sim.script.model_edits import apply_edits, check_edits
from sim.script.object_velocity import object_acceleration, object_velocity
from sim.script.positions import differentiate_pos, integrate_pos, normalize_quat
from sim.script.prepare import prepare, prepared
from sim.script.profile import stage_times
from sim.script.ray import multi_ray, ray
from sim.script.rollout import rollout
from sim.script.rotation import (
    axis_angle_to_quat,
    euler_to_quat,
    mat_to_quat,
    mul_quat,
    neg_quat,
    quat_integrate,
    quat_to_mat,
    quat_to_vel,
    quat_z_to_vec,
    rot_vec_quat,
    sub_quat,
)
from sim.script.single_stages import (
    camlight,
    collision,
    com_pos,
    com_vel,
    fwd_constraint,
    fwd_position,
    fwd_velocity,
    kinematics,
    rne,
    rne_post_constraint,
    smooth_vel,
    subtree_vel,
)
from sim.script.state_file import copy_state, load_state, pack_state, restore_state, save_state, unpack_state
from sim.script.state_vector import extract_state, get_state, set_keyframe, set_state, trace, write_state
from sim.script.steps import forward, step
from sim.stages.sleep.awake import sleeps, update_sleep
from sim.stages.sleep.fall_asleep import sleep_by_call
from sim.stages.sleep.wake import wake_by_call
from sim.state.signature import record_signature, state_size

if TYPE_CHECKING:
    from sim.spec import Spec as Spec

__all__ = [
    "ENGINE",
    "LACKS",
    "CompileError",
    "Data",
    "GpuBatch",
    "MjcfError",
    "Model",
    "ModelEdits",
    "Recorder",
    "Recording",
    "add_keyframe",
    "angmom_mat",
    "apply_edits",
    "apply_ft",
    "axis_angle_to_quat",
    "callbacks",
    "camlight",
    "check_edits",
    "check_row",
    "collision",
    "com_pos",
    "com_vel",
    "contact_detail",
    "contact_force",
    "contact_softness",
    "copy_data",
    "copy_state",
    "debug",
    "difference_error",
    "differentiate_pos",
    "euler_to_quat",
    "extract_state",
    "fill_control_history",
    "fill_sensor_history",
    "force_sources",
    "formula_error",
    "forward",
    "full_m",
    "fwd_constraint",
    "fwd_position",
    "fwd_velocity",
    "geom_distance",
    "get_state",
    "helper",
    "insert_keyframe",
    "integrate_pos",
    "inverse",
    "inverse_fd",
    "jac",
    "jac_body",
    "jac_body_com",
    "jac_dot",
    "jac_geom",
    "jac_point_axis",
    "jac_site",
    "jac_subtree_com",
    "kernel",
    "key_values",
    "kinematics",
    "load",
    "load_recording",
    "load_state",
    "loads",
    "mat_to_quat",
    "max_relative_error",
    "mul_m",
    "mul_quat",
    "multi_ray",
    "neg_quat",
    "normalize_quat",
    "object_acceleration",
    "object_velocity",
    "pack_state",
    "place",
    "prepare",
    "prepared",
    "put_to_sleep",
    "quat_integrate",
    "quat_integrate_derivatives",
    "quat_to_mat",
    "quat_to_vel",
    "quat_z_to_vec",
    "ray",
    "read_control",
    "read_sensor",
    "record_signature",
    "remove_keyframe",
    "reset",
    "restore_state",
    "rne",
    "rne_post_constraint",
    "rollout",
    "rot_vec_quat",
    "save_state",
    "set_const",
    "set_constants",
    "set_keyframe",
    "set_state",
    "smooth_vel",
    "solve_m",
    "sparse_to_dense",
    "stage_times",
    "state_size",
    "step",
    "step1",
    "step2",
    "sub_quat",
    "subtree_vel",
    "trace",
    "transition",
    "transition_fd",
    "unpack_state",
    "wake",
    "write_state",
]

# the same as app's, which is available without importing the engine
__version__ = "0.1.0"

# of the protocol in engine.py
ENGINE = "Kinetoscope"
LACKS: Mapping[str, str] = {}
Model.engine = sys.modules[__name__]


def load(path: str | PathLike[str], assets: Mapping[str, bytes | str] | None = None) -> Model:
    """Compile an MJCF file; files it refers to are looked up in `assets` first.

    Invalid input raises MjcfError, which names file, line, element and cure.
    """
    return complete(compile_file(Path(path), assets))


def loads(text: str, assets: Mapping[str, bytes | str] | None = None) -> Model:
    """Compile MJCF given as text; files it refers to are looked up in `assets` first."""
    return complete(compile_text(text, assets))


def set_const(m: Model, d: Data | None = None) -> None:
    """Recompute constants that derive from the model at qpos0, after an edit of inertias, poses or gears.

    All trees of the given Data wake; MuJoCo also computes in it. stat.center, stat.extent and stat.meansize, which
    scale the view, stay the same. The model changes only at the end, when all are computed, and
    not at all if there is an error: ValueError if the centre of mass of a body that was compiled as simple has moved.
    """
    if d is not None:
        check_fit(m, d)
    set_constants(m, {})
    if d is not None:
        wake(m, d)


def set_constants(m: Model, completed: Mapping[str, Any]) -> None:
    """`set_const`, starting from some values of fields that an edit and the computation both set."""
    with scratch_model(m, EDIT_CONSTANTS) as scratch:
        for name, value in completed.items():
            scratch.write(name, value)
        set_inertia_constants(scratch, poses=set_pose_constants(scratch))


def debug(m: Model, d: Data, kernel: str) -> None:
    """Run a kernel or helper of the step, by name, as plain Python under pdb: sim.debug(m, d, "passive").

    What comes before it in the step runs natively. It stops at the first line, and at each `breakpoint()` in a kernel;
    at the end it prints how far the results are from those of native code. `d` stays as it is.
    """
    from sim.script.kernels.debug import debug as run_debugger

    run_debugger(m, d, kernel)


@checked
def place(m: Model, d: Data) -> None:
    """Compute world poses for rendering as plain Python, without waiting for native code."""
    with interpreted():
        pipeline.fwd_visual(m, d)


def inverse(m: Model, d: Data, skip: int = STAGE_NONE, skip_sensors: bool = False) -> None:
    """Inverse dynamics: compute d.qfrc_inverse, the forces that produce d.qacc, and the constraint forces."""
    check_options(m)
    if m.opt.enableflags & ENBL_INVDISCRETE and m.opt.integrator == INT_RK4:
        raise ValueError("opt.enableflags has invdiscrete: the RK4 integrator has no discrete inverse dynamics")
    check_fit(m, d)
    d.retry_on_overflow(lambda: inverse_pipeline.inverse_skip(m, d, skip, not skip_sensors))


def step1(m: Model, d: Data) -> None:
    """The first half of a step: what does not depend on controls and applied forces, which can be set next."""
    check_options(m)
    check_fit(m, d)
    d.retry_on_overflow(lambda: pipeline.step1(m, d))


def step2(m: Model, d: Data) -> None:
    """The second half of a step; with the RK4 integrator it uses Euler."""
    check_options(m)
    check_fit(m, d)
    d.retry_on_overflow(lambda: pipeline.step2(m, d))


def wake(m: Model, d: Data, tree: int | None = None) -> None:
    """Wake a tree and all that fell asleep with it, or all trees; needed after an edit of the Model."""
    check_fit(m, d)
    which = -1 if tree is None else _tree(m, tree)
    # if nothing sleeps or ever did, the native code for waking may not be loaded
    if sleeps(m) or d.sleep.static_valid or d.ntree_awake < m.ntree:
        wake_by_call(m, d, which)


@checked
def put_to_sleep(m: Model, d: Data, tree: int) -> None:
    """Put a tree to sleep, with all trees of its island; ValueError if one of them may not sleep."""
    if not sleeps(m):
        raise ValueError("nothing can sleep: enable the flag `sleep`, and use an integrator other than RK4")
    if d.tree_asleep[_tree(m, tree)] >= 0:
        return
    forward(m, d)
    if d.nefc and not d.nisland:
        raise ValueError("nothing can sleep: there are constraints, and islands are disabled")
    if not sleep_by_call(m, d, tree):
        raise ValueError(f"tree {tree} cannot sleep: a sleep policy in its island keeps it awake")
    forward(m, d, skip=STAGE_POS)
    update_sleep(m, d)


def _tree(m: Model, tree: int) -> int:
    if not 0 <= tree < m.ntree:
        raise ValueError(f"there is no tree {tree}: the model has {m.ntree}")
    return tree


def reset(m: Model, d: Data, key: int | None = None) -> None:
    """Reset to the initial state, or to a keyframe."""
    check_fit(m, d)
    if key is not None and not 0 <= key < m.nkey:
        raise ValueError(f"there is no keyframe {key}: the model has {m.nkey}")
    d.clear()
    if key is not None:
        d.time = m.key_time[key]
        d.qpos = m.key_qpos[key]
        d.qvel = m.key_qvel[key]
        d.act = m.key_act[key]
        d.ctrl = m.key_ctrl[key]
        d.mocap_pos = m.key_mpos[key].reshape(-1, 3)
        d.mocap_quat = m.key_mquat[key].reshape(-1, 4)
        d.plastic = m.key_plastic[key]


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        # imported when it is first used: it takes 10 ms
        if name == "Spec":
            from sim.spec import Spec

            return Spec
        raise AttributeError(f"module 'sim' has no attribute {name!r}")
