"""MuJoCo as an engine of the viewer: the protocol of `sim/engine.py`, computed by the installed `mujoco`.

States are rows of the same numbers as those of `sim`, and what MuJoCo has besides, at the end. The mouse perturbation
and the noise on controls are ours, added around each step: the same row gives the same next row, to the bit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import sim
from app.run.engine.installed import load_mujoco, mujoco
from app.run.engine.mujoco_data import OURS, MujocoData
from app.run.engine.mujoco_model import MujocoModel
from app.run.engine.mujoco_stages import stage_times
from sim.edits import ModelEdits
from sim.engine import Progress
from sim.enums import ENBL_SLEEP
from sim.file_stamp import stamps
from sim.jit import interpreted
from sim.mjcf import MjcfError
from sim.script.state_vector import write_parts
from sim.stages.sleep.awake import FULLY_AWAKE, update_sleep
from sim.stages.smooth.perturb_force import perturb_force
from sim.state.noise import control_noise
from sim.state.signature import SLEEP_PARTS, state_shapes

# parts of MuJoCo's state that a row begins with, in the order of their bits
ROW_PARTS = (
    "TIME", "QPOS", "QVEL", "ACT", "HISTORY", "WARMSTART", "CTRL", "QFRC_APPLIED", "XFRC_APPLIED", "EQ_ACTIVE",
    "MOCAP_POS", "MOCAP_QUAT", "USERDATA", "PLASTIC",
)  # fmt: skip
# statistics are the compiler's: before 3.17 they changed when constants were computed again, and so did the view
STATISTICS = ("center", "extent", "meansize", "meaninertia", "meanmass")
# counts that follow from tree_asleep
AWAKE_COUNTS = ("ntree_awake", "nbody_awake", "nparent_awake", "nv_awake")
LACKS = {
    "why_awake": "MuJoCo does not report why a tree is awake, or what woke it",
    "island_costs": "MuJoCo cannot solve islands separately, so their times and residuals are unknown",
    "put_to_sleep": "MuJoCo cannot put a tree to sleep on demand",
}


class MujocoEngine:
    """The protocol `Engine`, computed by MuJoCo."""

    LACKS: Mapping[str, str] = LACKS

    def __init__(self) -> None:
        self._module = mujoco()
        bits = self._module.mjtState
        # before 4.0 there are no plastic springs
        self._row_bits = sum(int(getattr(bits, f"mjSTATE_{part}", 0)) for part in ROW_PARTS)
        self.ENGINE = f"MuJoCo {self._module.__version__}"

    # as in sim: these read and write fields alone, or call back to the methods below
    key_values = staticmethod(sim.key_values)
    reset = staticmethod(sim.reset)
    trace = staticmethod(sim.trace)
    record_signature = staticmethod(sim.record_signature)
    state_size = staticmethod(sim.state_size)
    get_state = staticmethod(sim.get_state)
    set_state = staticmethod(sim.set_state)
    copy_state = staticmethod(sim.copy_state)
    restore_state = staticmethod(sim.restore_state)
    pack_state = staticmethod(sim.pack_state)
    unpack_state = staticmethod(sim.unpack_state)

    # ---- models and states

    def load(self, path: str) -> MujocoModel:
        """Load a file; where our reader knows all of it, edits can be saved and lines are named."""
        mj = load_mujoco(path)
        try:
            ours = sim.load(path)
        except MjcfError as error:
            return MujocoModel(mj, error.files or stamps([Path(path)]))
        model = MujocoModel(mj, ours.files)
        named = all(model.names.get(kind) == names for kind, names in ours.names.items())
        if named and (ours.nq, ours.nv, ours.nu) == (model.nq, model.nv, model.nu):
            model.set_source(ours.__dict__["source"])
        return model

    def Data(self, model: MujocoModel) -> MujocoData:
        """A state for a model."""
        return MujocoData(model)

    def copy_data(self, dest: MujocoData, m: MujocoModel, src: MujocoData) -> None:
        """Copy one Data to another of the same model, except recordings."""
        self._module.mj_copyData(dest.mj, m.mj, src.mj)
        for name in OURS:
            dest.write(name, src.read(name))
        dest.pull()

    def place(self, m: MujocoModel, d: MujocoData) -> None:
        """Compute world poses for rendering."""
        for stage in ("mj_kinematics", "mj_comPos", "mj_camlight", "mj_flex", "mj_tendon"):
            if hasattr(self._module, stage):
                getattr(self._module, stage)(m.mj, d.mj)
        d.pull()

    def prepare(self, m: MujocoModel, progress: Progress | None = None, edits: bool = True) -> None:
        """Load native code of ours: the mouse perturbation, and noise on controls."""
        from sim.jit.loader import loader

        loader.load([perturb_force, *([control_noise] if m.nu else [])], m, progress)

    def prepared(self, m: MujocoModel, edits: bool = True) -> bool:
        """MuJoCo is compiled."""
        return True

    def apply_edits(self, m: MujocoModel, edits: ModelEdits) -> set[str]:
        """Make a model its file with these edits on top; returns the fields that changed."""
        changed = sim.apply_edits(m, edits)
        m.push()
        return changed

    def set_constants(self, m: MujocoModel, completed: Mapping[str, Any]) -> None:
        """Recompute constants that derive from the model at qpos0."""
        for name, value in completed.items():
            m.write(name, value)
        m.push()
        kept = {name: np.copy(getattr(m.mj.stat, name)) for name in STATISTICS}
        self._module.mj_setConst(m.mj, self._module.MjData(m.mj))
        for name, value in kept.items():
            setattr(m.mj.stat, name, value)
        m.pull()

    # ---- computing

    def step(self, m: MujocoModel, d: MujocoData, nstep: int = 1) -> None:
        """Advance by `nstep` timesteps."""
        noisy, pulled, rows = d.noise.scale > 0.0 and m.nu > 0, bool(d.perturb.active), d.array("trace.state")
        mj_step, mj, data = self._module.mj_step, m.mj, d.mj
        if not (noisy or pulled or len(rows)):
            mj_step(mj, data, nstep)
            d.pull_counts()
            return
        record = self.recorder(m, d) if len(rows) else None
        for _ in range(nstep):
            if noisy:
                d.word("time")[0] = data.time
                control_noise(m, d)
            if pulled:
                self._pulled(m, d, lambda: mj_step(mj, data))
            else:
                mj_step(mj, data)
            if record is not None:
                record()
        d.pull_counts()

    def forward(self, m: MujocoModel, d: MujocoData) -> None:
        """Compute everything that depends on the state, without advancing it."""
        if d.perturb.active:
            self._pulled(m, d, lambda: self._module.mj_forward(m.mj, d.mj))
        else:
            self._module.mj_forward(m.mj, d.mj)
        d.pull()

    def fwd_constraint(self, m: MujocoModel, d: MujocoData) -> None:
        """Run the solver again, from the same warm start."""
        start = d.qacc_warmstart.copy()
        self._module.mj_fwdConstraint(m.mj, d.mj)
        d.qacc_warmstart[:] = start
        d.pull()

    def rne_post_constraint(self, m: MujocoModel, d: MujocoData) -> None:
        """Compute cacc, cfrc_int and cfrc_ext."""
        if d.perturb.active:
            self._pulled(m, d, lambda: self._module.mj_rnePostConstraint(m.mj, d.mj))
        else:
            self._module.mj_rnePostConstraint(m.mj, d.mj)
        d.pull()

    def stage_times(self, m: MujocoModel, d: MujocoData) -> dict[str, float]:
        """Seconds of each stage of a step from the present state, the last one the rest."""
        return stage_times(self._module, m.mj, d.mj)

    def wake(self, m: MujocoModel, d: MujocoData, tree: int | None = None) -> None:
        """Wake a tree and all that fell asleep with it, or all trees."""
        asleep = d.tree_asleep
        if tree is None:
            asleep[asleep >= 0] = FULLY_AWAKE
        while tree is not None and (after := int(asleep[tree])) >= 0:
            asleep[tree] = FULLY_AWAKE
            tree = after
        self._update_sleep(m, d)

    def put_to_sleep(self, m: MujocoModel, d: MujocoData, tree: int) -> None:
        """ValueError: MuJoCo decides that itself."""
        raise ValueError(LACKS["put_to_sleep"])

    def write_state(self, m: MujocoModel, d: MujocoData, parts: Mapping[str, Any]) -> None:
        """Set a whole state, by field: with the sleep state, if it has one and sleeping is enabled."""
        if d.ntree_awake < m.ntree:
            self.wake(m, d)
        moving = {name: part for name, part in parts.items() if name not in SLEEP_PARTS}
        write_parts(d, moving)
        if m.opt.enableflags & ENBL_SLEEP and "tree_asleep" in parts:
            # sleeping trees are not updated any more, so all that is shown of them is computed once before they sleep
            self._module.mj_forward(m.mj, d.mj)
            write_parts(d, parts)
            self._update_sleep(m, d)
        d.pull()

    def _update_sleep(self, m: MujocoModel, d: MujocoData) -> None:
        """Derive from tree_asleep what is awake; MuJoCo does so itself, but has no call for it."""
        with interpreted():
            update_sleep(m, d)
        for name in AWAKE_COUNTS:
            setattr(d.mj, name, d.read(name))

    # ---- around a step

    def _pulled(self, m: MujocoModel, d: MujocoData, compute: Callable[[], None]) -> None:
        """Compute with the force of the mouse added to the user's, at the poses and velocities of the present state."""
        for stage in (self._module.mj_kinematics, self._module.mj_comPos, self._module.mj_comVel):
            stage(m.mj, d.mj)
        perturb_force(m, d)
        body = int(d.perturb.select)
        own = d.xfrc_applied[body].copy()
        d.xfrc_applied[body] += d.perturb.xfrc
        try:
            compute()
        finally:
            d.xfrc_applied[body] = own

    def mouse_force(self, m: MujocoModel, d: MujocoData) -> NDArray[np.float64]:
        """Force and torque of the mouse on the body that it pulls, at the poses and velocities of the last step."""
        perturb_force(m, d)
        return np.array(d.perturb.xfrc)

    def recorder(self, m: MujocoModel, d: MujocoData) -> Callable[[], None]:
        """A function that records the state after a step in d.trace, as `sim` does in its native loop.

        It is valid until d.trace is another one, or the user changes what the mouse pulls or the noise.
        """
        rows, count = d.array("trace.state"), d.word("trace.count")
        sig = sim.record_signature(m)
        size = self._module.mj_stateSize(m.mj, self._row_bits)
        shapes = [*state_shapes(m, sig)]
        # the rest changes in no step, except the sleep state and what only MuJoCo has
        rest = shapes[shapes.index("plastic") + 1 :]
        constant = not any(name in SLEEP_PARTS or name in m.extra_state for name in rest)
        tail = sim.get_state(m, d, sig)[size:]
        get, mj, data, bits = self._module.mj_getState, m.mj, d.mj, self._row_bits

        def record() -> None:
            row = rows[count[0] % len(rows)]
            get(mj, data, row[:size], bits)
            row[size:] = tail if constant else sim.get_state(m, d, sig)[size:]
            count[0] += 1

        return record


@cache
def mujoco_engine() -> MujocoEngine:
    """The engine of the installed MuJoCo; NoMujoco says how to install it."""
    return MujocoEngine()
