"""One kernel of a step as plain Python under pdb; all that comes before it in the step runs natively.

    sim.debug(m, d, "passive")

stops at the first line of the kernel, and of a helper where it is first called. `breakpoint()` in a kernel stops there.
Afterwards it says where the results differ from those of native code: by rounding, or by what was changed meanwhile.
"""

from __future__ import annotations

import pdb  # noqa: T100 - it is what this file is for
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from difflib import get_close_matches
from types import FrameType
from typing import IO, Any, NamedTuple

import numpy as np

from sim.fields import DATA
from sim.jit.kernel import CompileError, Helper, Kernel, interpreted, parts, reachable
from sim.model import RECORDED, Data, Model
from sim.pipeline.forward import forward
from sim.script.kernels.index import all_functions
from sim.script.profile import STEP, Call
from sim.stages.smooth.energy import invalidate_energy
from sim.stages.smooth.rne import invalidate_forces
from sim.stages.smooth.subtree import invalidate_subtrees
from sim.user_error import UserError

# relative differences up to this are rounding
ROUNDING = 1e-9
# a line that begins with Data, as `d.qpos[0] = 1`
DATA_NAMED = re.compile(r"d\s*[.\[=]")
# modules that `step` does not stop in: what makes a call of a kernel
SKIPPED = ("sim.jit.*",)
# how many fields that differ are listed
LISTED = 8


class KernelData(Data):
    """Data as kernels see it: arrays that grow have their full capacity, not the rows in use alone."""

    @classmethod
    def of(cls, d: Data) -> KernelData:
        """A copy of Data."""
        copied = object.__new__(cls)
        copied._make(d.model)
        Data.take(copied, d, RECORDED)
        return copied

    def read(self, name: str) -> Any:
        """The value of a field."""
        return self.array(name) if name in self.layout.growing else super().read(name)


class Difference(NamedTuple):
    """The entry of a field where Python and native code differ the most; `share` is relative, and at most 2."""

    field: str
    at: tuple[int, ...]
    native: float
    python: float
    share: float

    def __str__(self) -> str:
        return f"{self.place}: {self.python:.12g} in Python, {self.native:.12g} in native code"

    @property
    def place(self) -> str:
        """The entry as an expression."""
        return f"d.{self.field}[{', '.join(map(str, self.at))}]" if self.at else f"d.{self.field}"


class Debugged(NamedTuple):
    """How the results differ, the field that differs most first; or why they are not compared."""

    differences: tuple[Difference, ...]
    not_compared: str = ""

    @property
    def is_rounding(self) -> bool:
        """Whether nothing differs but by rounding."""
        return all(found.share <= ROUNDING for found in self.differences)

    def __str__(self) -> str:
        if self.not_compared:
            return self.not_compared
        if not self.differences:
            return "Native code gives the same result, bit for bit."
        first = self.differences[0]
        if self.is_rounding:
            return f"Native code agrees to rounding: the largest difference is {first.share:.1e}, in {first.place}."
        lines = [f"{len(self.differences)} fields differ from the results of native code:"]
        return "\n".join([*lines, *(f"  {found}" for found in self.differences[:LISTED])])


def debug(m: Model, d: Data, name: str, *, stdin: IO[str] | None = None, stdout: IO[str] | None = None) -> Debugged:
    """Evaluate a kernel or helper of the step as plain Python under pdb, at the state of `d`, which stays as it is.

        sim.debug(m, d, "passive")

    It stops at the first line. UserError: there is no such kernel, or steps of this model do not call it.
    """
    function, call = find_call(m, name)
    ready = _before(m, d, call)
    native = _native(m, ready, call)
    out = stdout or sys.stdout
    shown = KernelData.of(ready)
    with _breakpoints(debugger := _Debugger(stdin, stdout, function)):
        ended = debugger.evaluate(call, m, shown)
    if not ended:
        result = Debugged((), "The kernel did not finish.")
    elif debugger.missed:
        result = Debugged((), f"{function.pyfunc.__name__} was not called in this step.")
    elif isinstance(native, str):
        result = Debugged((), native)
    else:
        result = Debugged(tuple(differences(native, shown)))
    print(result, file=out)
    return result


def find_call(m: Model, name: str) -> tuple[Kernel | Helper, Call]:
    """A function by its name, short or dotted, and the call of the step that reaches it first.

    One that the step does not call is called by itself after `forward`, if it takes Model and Data alone.
    """
    known = all_functions()
    found = [function for function in known if name in (function.name, function.pyfunc.__name__)]
    if not found:
        near = get_close_matches(name, [function.pyfunc.__name__ for function in known], 1)
        raise UserError(f"no kernel or helper is called {name!r}" + (f"; did you mean {near[0]}?" if near else ""))
    # a helper may be called like a kernel
    found.sort(key=lambda function: isinstance(function, Helper))
    made = [call for call in STEP if call.is_made(m)]
    for function in found:
        # its own call, else the first one of those that may lead to it
        for call in sorted(made, key=lambda call: call.kernel is not function):
            if _reaches(call.kernel, function, m):
                return function, call
    for function in found:
        if isinstance(function, Kernel) and function.pyfunc.__code__.co_varnames[:2] == ("m", "d"):
            if function.pyfunc.__code__.co_argcount == 2:
                return function, Call("", function)
    raise UserError(f"the step of this model does not call {found[0].pyfunc.__name__}")


def _reaches(root: Kernel, function: Kernel | Helper, m: Model) -> bool:
    return any(function is part for unit in reachable([root], m) for part in parts(unit))


# ---------------------------------------------------------------- native code before it, and in its place


def _before(m: Model, d: Data, call: Call) -> Data:
    """A copy of Data when the step comes to a call."""
    ready = d.copy()
    calls = [one for one in STEP if one.is_made(m)]
    if not any(map(_stops, reachable([forward], m))):
        # wakes trees, and leaves results of the whole step, as the step before would
        ready.retry_on_overflow(lambda: forward(m, ready))
    invalidate_energy(ready)
    invalidate_subtrees(ready)
    invalidate_forces(ready)
    for one in calls[: calls.index(call)] if call in calls else ():
        _run(m, ready, one)
    return ready


def _native(m: Model, ready: Data, call: Call) -> Data | str:
    """The results of native code, or why there are none."""
    stopping = next((unit for unit in reachable([call.kernel], m) if _stops(unit)), None)
    if stopping is not None:
        return f"Not compared with native code: breakpoint() is in {stopping.pyfunc.__name__}."
    result = ready.copy()
    try:
        result.retry_on_overflow(lambda: call.kernel(m, result, *call.arguments))
    except CompileError as error:
        return f"Not compared with native code: {error}"
    return result


def _run(m: Model, d: Data, call: Call) -> None:
    """Make a call natively, or as Python without stopping if it has breakpoint()."""
    if any(map(_stops, reachable([call.kernel], m))):
        seen = KernelData.of(d)
        with no_breakpoints(), interpreted(), np.errstate(all="ignore"):
            seen.retry_on_overflow(lambda: call.kernel(m, seen, *call.arguments))
        d.take(seen, RECORDED)
    else:
        d.retry_on_overflow(lambda: call.kernel(m, d, *call.arguments))


def _stops(unit: Kernel) -> bool:
    """Whether the source of a unit has breakpoint()."""
    return any("breakpoint" in part.pyfunc.__code__.co_names for part in parts(unit))


def differences(native: Data, python: Data) -> Iterator[Difference]:
    """Fields whose numbers differ, with the entry that differs most; the largest share first."""
    found = []
    for field in DATA:
        if field.name not in RECORDED:
            theirs, ours = (np.asarray(Data.read(data, field.name), float) for data in (native, python))
            if theirs.shape != ours.shape:
                found.append(Difference(field.name, (), float(theirs.size), float(ours.size), 2.0))
            elif theirs.size and not np.array_equal(theirs, ours, equal_nan=True):
                found.append(_largest(field.name, theirs, ours))
    return iter(sorted(found, key=lambda one: -one.share))


def _largest(name: str, native: np.ndarray, python: np.ndarray) -> Difference:
    """The entry that differs most, relative to the largest number of the field, or to 1: some end near 0."""
    scale = np.abs(np.concatenate((native.ravel(), python.ravel())))
    largest = scale[np.isfinite(scale)].max(initial=1.0)
    with np.errstate(all="ignore"):
        apart = np.abs(native - python) / largest
    same = (native == python) | (np.isnan(native) & np.isnan(python))
    apart = np.where(same, 0.0, np.where(np.isfinite(apart), apart, 2.0))
    at = np.unravel_index(int(apart.argmax()), apart.shape)
    return Difference(name, tuple(int(k) for k in at), float(native[at]), float(python[at]), float(apart[at]))


# ---------------------------------------------------------------- Python


class _Debugger(pdb.Pdb):
    """pdb that begins at the first line of a function, wherever that is called."""

    def __init__(self, stdin: IO[str] | None, stdout: IO[str] | None, function: Kernel | Helper) -> None:
        super().__init__(stdin=stdin, stdout=stdout, skip=SKIPPED, readrc=stdin is None)
        self._function = function
        self._start: tuple[str, int] | None = None
        self._left = False

    def evaluate(self, call: Call, m: Model, d: Data) -> bool:
        """Call a kernel as Python; returns whether it has ended."""
        code = self._function.pyfunc.__code__
        if self._function is not call.kernel:
            lines = sorted({line for *_, line in code.co_lines() if line and line > code.co_firstlineno})
            self._start = code.co_filename, lines[0] if lines else code.co_firstlineno
            self.set_break(*self._start)
            self.rcLines.append("continue")
        try:
            with interpreted(), np.errstate(all="ignore"):
                d.retry_on_overflow(lambda: self.runcall(call.kernel.pyfunc, m, d, *call.arguments))
        except Exception as error:
            traceback.print_exc(file=self.stdout)
            self.interaction(None, error.__traceback__)
            return False
        finally:
            sys.settrace(None)
            self.clear_all_breaks()
        return not self._left

    @property
    def missed(self) -> bool:
        """Whether the function was not called."""
        return self._start is not None

    def set_quit(self) -> None:
        """The user quits: runcall returns as if the kernel had ended."""
        self._left = True
        super().set_quit()

    def set_stepinstr(self) -> None:
        """breakpoint() stops at the line behind it; pdb of Python 3.13 would stop in the call itself."""
        self.set_step()

    def precmd(self, line: str) -> str:
        """`d.qpos` is Data here, and not pdb's command to go down one frame."""
        known = super().precmd(line)
        return f"!{known}" if DATA_NAMED.match(known) else known

    def user_line(self, frame: FrameType) -> None:
        """A line where it may stop: at the function's first one it does so once."""
        if self._start == (frame.f_code.co_filename, frame.f_lineno):
            self.clear_break(*self._start)
            self._start = None
        super().user_line(frame)


@contextmanager
def _breakpoints(debugger: pdb.Pdb) -> Iterator[None]:
    """breakpoint() stops in a debugger."""

    def stop(*_: Any, **__: Any) -> None:
        caller: FrameType | None = sys._getframe().f_back
        debugger.set_trace(caller)

    with _hook(stop):
        yield


def no_breakpoints() -> AbstractContextManager[None]:
    """breakpoint() does nothing: where other kernels run as Python, as some do while a model is loaded."""
    return _hook(lambda *_, **__: None)


@contextmanager
def _hook(function: Callable[..., None]) -> Iterator[None]:
    before, sys.breakpointhook = sys.breakpointhook, function
    try:
        yield
    finally:
        sys.breakpointhook = before
