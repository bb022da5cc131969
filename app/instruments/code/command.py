"""Run one kernel of a step as plain Python under pdb, at a state of a model or a moment of a recording.

All that comes before it in the step runs natively; breakpoint() in a kernel stops there. At the end it prints how far
the results are from those of native code.
"""

from __future__ import annotations

import argparse
import traceback
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli import EXIT_BAD_INPUT, EXIT_OK
from app.cli.arguments import add_key, add_model, existing, not_negative
from app.files.recordings import is_recording

if TYPE_CHECKING:
    from sim import Data

COMMANDS = "n next line, s step into, c continue, d.qpos print, w where, l list, q quit, h help"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which model, which moment, and the kernel."""
    add_model(parser)
    parser.add_argument(
        "--kernel", metavar="NAME", help="kernel or helper, such as passive; omit it to list the kernels"
    )
    add_key(parser)
    parser.add_argument("--time", type=not_negative, metavar="T", help="time in s; a model is simulated from its start")
    # for a terminal that closes with the program
    parser.add_argument("--wait", action="store_true", help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    """Load, and start the debugger."""
    if not options.wait:
        return _debug(options)
    try:
        return _debug(options)
    except Exception:
        # before the terminal closes
        traceback.print_exc(limit=0)
        return EXIT_BAD_INPUT
    finally:
        with suppress(EOFError):
            input("Press Enter to close this window ")


def _debug(options: argparse.Namespace) -> int:
    """Load, say what is debugged, and debug it."""
    from sim.script.kernels.debug import debug, find_call, no_breakpoints

    with no_breakpoints():
        data = _moment(options)
    if options.kernel is None:
        _list(data)
        return EXIT_OK
    function, call = find_call(data.model, options.kernel)
    code = function.pyfunc.__code__
    within = "" if function is call.kernel else f", called by {call.kernel.pyfunc.__name__}"
    print(f"{function.name}{within}, at {float(data.time):.6g} s")
    print(f"{code.co_filename}:{code.co_firstlineno}")
    print(COMMANDS)
    debug(data.model, data, options.kernel)
    return EXIT_OK


def _list(data: Data) -> None:
    """Stages of the step, their kernels, and which this model does not use."""
    from sim.script.profile import STEP

    for call in STEP:
        unused = "" if call.is_made(data.model) else "  (not used by this model)"
        print(f"{call.stage:<24} {call.kernel.pyfunc.__name__}{unused}")


def _moment(options: argparse.Namespace) -> Data:
    """The state that is asked for."""
    import sim
    from sim.user_error import UserError

    path = existing(options.model)
    if not is_recording(path):
        return _simulated(path, options)
    if options.key is not None:
        raise UserError("--key is for models: for a recording, use --time")
    recording = sim.load_recording(path)
    # not computed here: a kernel that has breakpoint() in it does not compile
    return recording.data(time=options.time, forwarded=False)


def _simulated(path: Path, options: argparse.Namespace) -> Data:
    """A model at its start, or some time later."""
    import sim
    from app.files.resources import start_key
    from app.render.capture.free_camera import element_id

    model = sim.load(path)
    data = sim.Data(model)
    keys = model.names["key"]
    sim.reset(model, data, element_id(keys, options.key, "keyframe") if options.key else start_key(path, keys))
    steps = round((options.time or 0.0) / float(model.opt.timestep))
    if steps:
        model.engine.step(model, data, steps)
    return data
