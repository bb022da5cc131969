"""Carries the state of a run over to the model that its changed file gives.

Each element keeps its state (`sim.state_map`), and is found by its key (`element_keys.py`). What stands as the old file
says is as in the new one: a run at its start is at the new file's start, and an equality or a mocap body that nobody
touched follows the file. If nothing moved, the state stays as it is to the last bit. Sleeping trees wake unless the
models differ in looks alone.
"""

from __future__ import annotations

import numpy as np

from app.run import perturb
from sim import Data, Model
from sim.enums import ENBL_SLEEP, STATE_TRACE
from sim.state_map import StateMap, States, starts

# settings of Data that belong to no element
SETTINGS = ("noise.scale", "noise.rate", "noise.seed")
# beginnings of fields that no motion depends on
LOOKS = ("vis.", "cam_", "light_", "mat_", "tex_", "skin_", "key_", "stat.")


def carry_state(states: StateMap, old: tuple[Model, Data], new: tuple[Model, Data], at_start: bool) -> None:
    """Set the new Data, which is in its initial state, to the state of the old one. Nothing is pulled any more."""
    (before, was), (after, now) = old, new
    engine = after.engine
    initial = engine.get_state(after, now, STATE_TRACE)
    present = before.engine.get_state(before, was, STATE_TRACE)
    state = states.convert(present[None], initial)[0]
    if not np.isfinite(state).all():
        state = initial.copy()
        if np.isfinite(present[0]):
            state[0] = present[0]
    if at_start:
        for name in ("qpos", "qvel"):
            state[states.part(name)] = initial[states.part(name)]
    _follow_file(states, before, after, present, state)
    alike = states.unchanged and after.engine is before.engine and _looks_alone(before, after)
    if after.opt.enableflags & ENBL_SLEEP and alike:
        # with all results: those of what sleeps are not computed again
        engine.copy_data(now, after, was)
    else:
        for name in SETTINGS:
            now.write(name, was.read(name))
        engine.set_state(after, now, state, STATE_TRACE)
        if after.opt.enableflags & ENBL_SLEEP and not at_start:
            now.wake_all()
    perturb.end(now)
    engine.forward(after, now)
    # a pass starts from the accelerations before it
    engine.set_state(after, now, state, STATE_TRACE)
    perturb.end(now)


def at_start(model: Model, data: Data, key: int | None) -> bool:
    """Whether a run stands where a reset, to a keyframe perhaps, puts it."""
    start = model.engine.Data(model)
    model.engine.reset(model, start, key)
    return all(np.array_equal(start.read(name), data.read(name)) for name in ("time", "qpos", "qvel"))


def _follow_file(states: StateMap, before: Model, after: Model, present: States, state: States) -> None:
    """Equalities and mocap bodies that are as the old file says become as the new file says."""
    for name, old_values in _placed(before).items():
        part, new_values = states.part(name), _placed(after)[name]
        start = starts(before)[name]
        columns = states.columns[part]
        known = columns >= 0
        untouched = np.zeros(len(columns), bool)
        untouched[known] = present[columns[known]] == old_values[columns[known] - start]
        state[part] = np.where(untouched, new_values, state[part])


def _placed(m: Model) -> dict[str, States]:
    """Fields of the state that the file gives by element: their values in the file, flat."""
    mocap = np.argsort(m.body_mocapid, kind="stable")[m.nbody - m.nmocap :]
    return {
        "eq_active": m.eq_active0.astype(float),
        "mocap_pos": m.body_pos[mocap].ravel(),
        "mocap_quat": m.body_quat[mocap].ravel(),
    }


def _looks_alone(before: Model, after: Model) -> bool:
    """Whether two models differ only in what no tree notices."""
    differ = [name for name in after.layout.places if not np.array_equal(before.read(name), after.read(name))]
    return all(name.startswith(LOOKS) or name.endswith("_rgba") for name in differ)
