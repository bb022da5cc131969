"""Makes a Model of what was compiled: with the constants that derive from it at qpos0, and its source."""

from __future__ import annotations

import numpy as np

from sim import enums
from sim.file_stamp import Stamps
from sim.mjcf import notes
from sim.mjcf.errors import with_files
from sim.mjcf.fill import Compiled
from sim.mjcf.records import Parsed
from sim.mjcf.save.save import Source
from sim.mjcf.section.plastic import complete_key_plastic
from sim.mjcf.set_const.length_range import set_length_ranges
from sim.mjcf.set_const.set_const import LOAD_CONSTANTS, scratch_model, set_inertia_constants
from sim.model import Data, Model
from sim.stages.sleep.fall_asleep import starts_asleep


def complete(compiled: Compiled) -> Model:
    """The Model; an error is one of the root element."""
    root = compiled.parsed.root
    assert root is not None
    files = root.document.reader.files
    with with_files(files), root.located():
        return _complete(compiled, files)


def _complete(compiled: Compiled, files: Stamps) -> Model:
    values, names, parsed, inputs = compiled
    m = Model(values, names, files)
    with scratch_model(m, LOAD_CONSTANTS) as scratch:
        set_inertia_constants(scratch, inputs.springdamper, meaninertia="meaninertia" not in parsed.statistic)
        set_length_ranges(scratch, inputs.lengthrange, parsed.lists["actuator"])
    complete_key_plastic(m)
    m.set_source(Source(parsed))
    if starts_asleep(m):
        _warn_of_restless(m, parsed)
    return m


def _warn_of_restless(m: Model, parsed: Parsed) -> None:
    """Trees that are to start asleep and do not, since they share an island with others: one warning for all."""
    init = m.tree_sleep_policy == enums.SLEEP_INIT
    awake = np.flatnonzero(init & (Data(m).tree_asleep < 0))
    if awake.size:
        body = parsed.lists["body"][m.tree_bodyadr[awake[0]]]
        what = f"{awake.size} of {init.sum()} trees with sleep='init' start awake; this is the first"
        notes.warn(str(body.error(what, "mark everything it touches as sleep='init' too")), stacklevel=2)
