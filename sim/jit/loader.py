"""Loads compiled units into this process with llvmlite alone, calls them, binds missing ones on first use.

Every kernel has a cell, a word that holds its address; other units call through it. The cell of a kernel that is not
loaded yet holds a stub, which loads (if necessary, compiles) the kernel, puts its address into the cell and continues
with the call. So a scene pays only for the kernels it uses, an edit that needs another kernel gets it, and nothing is
ever silently left out. numba is not imported here; ctypes releases the GIL during a call.

A lock is held to link and to fill cells, never to compile: see `units.py`. What a call leaves behind (a fault, an
exception, the model it runs with) belongs to that call or to its thread.

LLVM will drop MCJIT in favour of ORC. `_link` is all that has to move: object files in, addresses by name out.
"""

from __future__ import annotations

import ctypes
import operator
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import llvmlite.binding as llvm

from sim.jit import abi, build, cache, diagnostics, level, pack, units
from sim.jit.interrupt import Interrupts
from sim.jit.kernel import Kernel, called, reachable, unit_key
from sim.jit.layout import Layout
from sim.jit.structs import Struct

C_TYPES: dict[Any, Any] = {int: ctypes.c_int64, float: ctypes.c_double, None: ctypes.c_void_p}


class _Calls(threading.local):
    """Of the calls of one thread: the model, which decides which kernels are loaded ahead; where results go."""

    model: Struct | None = None

    def __init__(self) -> None:
        self.interrupts = Interrupts()
        self.fault = abi.FaultRecord()
        # a nested call is over before the outer one writes its result, and each is read at once
        self.results: dict[Any, Any] = {kind: make() for kind, make in C_TYPES.items()}
        self.into = {kind: (ctypes.addressof(r), ctypes.addressof(self.fault)) for kind, r in self.results.items()}


class UnitLoader:
    """The units loaded into this process."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # a finaliser or signal handler may need a kernel too
        self._cells: dict[Kernel, ctypes.c_void_p] = {}
        self._alive: list[Any] = []  # engines and stubs, kept alive while their code may run
        self._stand_ins: dict[Kernel, int] = {}  # addresses of stubs that call Python instead of a kernel
        self._layouts: set[str] = set()
        self._failure = threading.local()  # an exception on its way from Python through native code
        self._calls = _Calls()

    # ------------------------------------------------------------ loading

    def load(self, roots: Sequence[Kernel], model: Any = None, progress: build.Progress | None = None) -> None:
        """Load `roots` and all kernels reachable from them that `model` needs; compile those that are not on disk."""
        found = [u for u in reachable(list(roots), model) if u.entry is None]
        if found:
            code = pack.object_code(found)
            missing = {u: key_of(u) for u in found if u not in code}
            self._link(code | (units.object_code(missing, progress) if missing else {}))

    def fetch(self, roots: Sequence[Kernel]) -> bool:
        """Load `roots` and all kernels reachable from them if all are on disk; returns whether. Compiles nothing."""
        found = [u for u in reachable(list(roots)) if u.entry is None]
        code = pack.object_code(found)
        for unit in found:
            if unit not in code:
                stored = cache.read(unit.name, key_of(unit))
                if stored is None:
                    return False
                code[unit] = stored.code
        self._link(code)
        return True

    def has(self, roots: Sequence[Kernel], model: Any = None) -> bool:
        """Whether everything that `load` would load is loaded."""
        return all(unit.entry is not None for unit in reachable(list(roots), model))

    def _link(self, code: Mapping[Kernel, bytes]) -> None:
        """Link object code into the process, all at once (0.1 instead of 1 ms per unit), and fill the cells.

        An interrupt leaves every cell with a stub or a kernel, never with neither.
        """
        with self._lock:
            # another thread may have been faster
            for batch in _batches({unit: data for unit, data in code.items() if unit.entry is None}):
                self._link_batch(batch)

    def _link_batch(self, code: Mapping[Kernel, bytes]) -> None:
        for unit in code:
            self._publish_symbols(unit)
        level.check()
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target())
        for data in code.values():
            engine.add_object_file(llvm.ObjectFileRef.from_data(data))
        engine.finalize_object()
        self._alive.append(engine)
        addresses = {unit: engine.get_function_address(unit.symbol) for unit in code}
        for unit, address in addresses.items():
            if not address:
                raise OSError(f"the object code of {unit.name} does not define {unit.symbol}")
        for unit, address in addresses.items():
            unit.entry = self._prototype(unit)(address)
            # others have no cell: no kernel calls them
            if unit in self._cells and unit.stand_in is None:
                self._cell(unit).value = address

    def _publish_symbols(self, unit: Kernel) -> None:
        """Register what a unit's object code refers to: cells of kernels, and offsets of its layouts' fields."""
        for callee in called(unit):
            llvm.add_symbol(callee.cell_symbol, ctypes.addressof(self._cell(callee)))
        for layout in unit.params:
            if isinstance(layout, Layout) and layout.name not in self._layouts:
                for symbol, offset in layout.symbols():
                    llvm.add_symbol(symbol, offset)
                self._layouts.add(layout.name)

    # ------------------------------------------------------------ cells and stubs

    def _cell(self, unit: Kernel) -> ctypes.c_void_p:
        """The word that holds a kernel's address; that of a stub until the kernel is loaded."""
        if unit not in self._cells:
            bind = partial(self._bind, unit)
            self._cells[unit] = ctypes.c_void_p(_address(unit.entry) if unit.entry else self._stub(unit, bind))
        return self._cells[unit]

    def _stub(self, unit: Kernel, function: Callable[..., int]) -> int:
        """Address of native code that calls a Python function instead of a kernel."""
        stub = self._prototype(unit)(function)
        self._alive.append(stub)
        return _address(stub)

    def redirect(self, unit: Kernel, function: Callable[..., Any] | None) -> None:
        """Point a kernel's cell at another kernel, at Python, or back at the kernel itself."""
        native = unit if function is None else function
        if isinstance(native, Kernel):
            if (native.params, native.returns) != (unit.params, unit.returns):
                raise TypeError(f"{native.name} cannot replace `{unit.signature}`: its parameters differ")
            self.load([native])
        with self._lock:
            address = _address(native.entry) if isinstance(native, Kernel) else self._stand_in(unit)
            unit.stand_in = function
            self._cell(unit).value = address

    def _stand_in(self, unit: Kernel) -> int:
        """The one stub per kernel that calls the function which replaces it now.

        It is not made and freed with the function, because a function may replace itself while it runs.
        """
        if unit not in self._stand_ins:
            self._stand_ins[unit] = self._stub(unit, partial(self._python, unit))
        return self._stand_ins[unit]

    def _bind(self, unit: Kernel, *args: Any) -> int:
        """First call of a kernel that was not loaded: load it, then call it."""
        try:
            self.load([unit], self._calls.model)
        except BaseException as error:  # must not pass through native code
            self._failure.error = error
            return abi.UNBOUND
        assert unit.entry is not None
        return unit.entry(*args)

    def _python(self, unit: Kernel, *args: Any) -> int:
        """Call Python instead of a kernel: structs are passed by address, the result is stored through a pointer."""
        function = unit.stand_in
        if function is None or isinstance(function, Kernel):
            # redirected to native code after the caller had read the cell
            entry = (function or unit).entry
            assert entry is not None
            return int(entry(*args))
        result, _, *values = args
        interrupts = self._calls.interrupts
        try:
            interrupts.native = False
            interrupts.deliver()
            given = [Struct.at(v) if isinstance(p, Layout) else v for p, v in zip(unit.params, values, strict=True)]
            value = function(*given)
            if unit.returns is not None:
                C_TYPES[unit.returns].from_address(result).value = unit.returns(0 if value is None else value)
        except BaseException as error:  # must not pass through native code
            self._failure.error = error
            return abi.UNBOUND
        finally:
            interrupts.native = True
        return abi.OK

    def _prototype(self, unit: Kernel) -> Any:
        """numba's calling convention, status f(result*, exception**, arguments...); the exception is a fault record."""
        args = [ctypes.c_void_p if isinstance(p, Layout) else C_TYPES[p] for p in unit.params]
        return ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *args)

    # ------------------------------------------------------------ calling

    def call(self, unit: Kernel, args: Sequence[Any]) -> Any:
        """Run a kernel; structs are passed by address, the model before those that must fit it.

        The first that is no model is what it writes: only one thread at a time may.
        """
        if len(args) != len(unit.params):
            raise TypeError(f"`{unit.signature}` takes {len(unit.params)} arguments, not {len(args)}")
        calls, model, written = self._calls, None, None
        values = [*calls.into[unit.returns], *args]
        for place, layout, const in unit.structs:
            a = args[place]
            # native code would take anything else for an address
            if not isinstance(a, Struct) or a.layout is not layout:
                raise TypeError(f"`{unit.signature}`: {layout.name} cannot be {type(a).__name__}")
            if const:
                model = a
            else:
                if model is not None and a.model is not model:
                    a.check_fit(model)
                if written is None:
                    written = a.in_use
            values[place + 2] = a.address
        if unit.entry is None:
            self.load([unit], model)
        assert unit.entry is not None
        # a nested call restores the model of this one
        outer, calls.model = calls.model, model
        if written is not None and not written.acquire(False):
            calls.model = outer
            raise RuntimeError("another thread is computing with this Data: each thread needs one of its own")
        try:
            status = self._calls.interrupts.call(unit.entry, values) if self._stand_ins else unit.entry(*values)
        except ctypes.ArgumentError:
            status = unit.entry(*values[:2], *_plain(unit, values[2:]))
        finally:
            calls.model = outer
            if written is not None:
                written.release()
        if status != abi.OK:
            self._raise(unit, status, calls.fault)
        return calls.results[unit.returns].value if unit.returns else None

    def _raise(self, unit: Kernel, status: int, fault: abi.FaultRecord) -> None:
        """Turn a status into an exception."""
        if status == abi.FAULT:
            axis = f"axis {fault.axis} of extent {fault.extent}"
            raise IndexError(f"{fault.field.decode()}: index {fault.index} on {axis}, in {readable(fault.function)}")
        failure = getattr(self._failure, "error", None)
        if status == abi.UNBOUND and failure is not None:
            self._failure.error = None
            try:
                raise failure
            finally:
                # its traceback has this frame: a cycle would keep the model until the next garbage collection
                del failure
        if status == abi.RAISED:
            raise RuntimeError(f"{unit.name}: an exception in native code, such as a tuple index out of range")
        raise RuntimeError(f"{unit.name} ended with status {status}")


def _target() -> Any:
    """A target machine; LLVM is initialized once, however often it is asked for."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple().create_target_machine(opt=0, codemodel="jitdefault", jit=True)


def _batches(code: Mapping[Kernel, bytes]) -> Iterator[dict[Kernel, bytes]]:
    """Units that can be linked at once: a name stands for one kernel. A notebook may have two."""
    batch: dict[Kernel, bytes] = {}
    names: dict[str, Kernel] = {}
    for unit, data in code.items():
        mentioned = {k.name: k for k in (unit, *called(unit))}
        if any(names.get(name, k) is not k for name, k in mentioned.items()):
            yield batch
            batch, names = {}, {}
        names |= mentioned
        batch[unit] = data
    if batch:
        yield batch


def key_of(unit: Kernel) -> str:
    """The key of a unit; raises CompileError if it cannot be compiled."""
    try:
        return unit_key(unit, abi.platform())
    except TypeError as error:
        raise diagnostics.explain(unit, error) from None


def _plain(unit: Kernel, values: Sequence[Any]) -> list[Any]:
    """Arguments as Python numbers, because ctypes refuses numpy's; TypeError if one has the wrong type."""
    return [float(v) if kind is float else operator.index(v) for kind, v in zip(unit.params, values, strict=True)]


def _address(function: Any) -> int:
    """Address of a native function."""
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def readable(mangled: bytes) -> str:
    """The dotted name in a mangled one, where every part is preceded by its length."""
    text, names = mangled.decode(), []
    match = re.match(r"_ZN", text)
    text = text[match.end() :] if match else ""
    while match := re.match(r"(\d+)", text):
        end = match.end() + int(match[1])
        names.append(text[match.end() : end])
        text = text[end:]
    return ".".join(names) or mangled.decode()


loader = UnitLoader()
