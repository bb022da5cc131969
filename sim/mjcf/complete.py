"""Makes a Model of what was compiled: with the constants that derive from it at qpos0, and its source."""

from __future__ import annotations

from sim.file_stamp import Stamps
from sim.mjcf.errors import with_files
from sim.mjcf.fill import Compiled
from sim.mjcf.save.save import Source
from sim.mjcf.section.plastic import complete_key_plastic
from sim.mjcf.set_const.length_range import set_length_ranges
from sim.mjcf.set_const.set_const import LOAD_CONSTANTS, scratch_model, set_inertia_constants
from sim.model import CannotSleep, Data, Model
from sim.stages.sleep.fall_asleep import starts_asleep


def complete(compiled: Compiled) -> Model:
    """The Model; an error is one of the root element, or of the body that cannot start asleep."""
    root = compiled.spec.root
    assert root is not None
    files = root.document.reader.files
    with with_files(files), root.located():
        return _complete(compiled, files)


def _complete(compiled: Compiled, files: Stamps) -> Model:
    values, names, spec, inputs = compiled
    m = Model(values, names, files)
    with scratch_model(m, LOAD_CONSTANTS) as scratch:
        set_inertia_constants(scratch, inputs.springdamper, meaninertia="meaninertia" not in spec.statistic)
        set_length_ranges(scratch, inputs.lengthrange, spec.lists["actuator"])
    complete_key_plastic(m)
    m.set_source(Source(spec))
    if starts_asleep(m):
        try:
            Data(m)
        except CannotSleep as error:
            body = spec.lists["body"][error.body]
            raise body.error(str(error), "mark what it touches as sleep='init' too") from None
    return m
