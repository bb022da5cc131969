"""Loads compiled units into this process with llvmlite alone, calls them, binds missing ones on first use.

Every kernel has a cell, a word that holds its address; other units call through it. The cell of a kernel that is not
loaded yet holds a stub, which loads (if necessary, compiles) the kernel, puts its address into the cell and continues
with the call. So a scene pays only for the kernels it uses, an edit that needs another kernel gets it, and nothing is
ever silently left out. numba is not imported here; ctypes releases the GIL during a call.
"""

from __future__ import annotations

import ctypes
import operator
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import llvmlite.binding as llvm

from sim.jit import abi, build, cache, diagnostics
from sim.jit.kernel import Kernel, callees, parts, reachable, unit_key
from sim.jit.layout import Layout, Struct

C_TYPES: dict[Any, Any] = {int: ctypes.c_int64, float: ctypes.c_double}


class UnitLoader:
    """The units loaded into this process."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._cells: dict[str, ctypes.c_void_p] = {}
        self._alive: list[Any] = []  # engines and stubs, kept alive while their code may run
        self._stand_ins: dict[str, int] = {}  # addresses of stubs that call Python instead of a kernel
        self._layouts: set[str] = set()
        self._failure = threading.local()  # an exception on its way from Python through native code
        self._fault = abi.FaultRecord()
        self._started = False
        self._running = threading.local()  # the model of the current call: decides which kernels are loaded ahead

    # ------------------------------------------------------------ loading

    def load(self, roots: Sequence[Kernel], model: Any = None, progress: build.Progress | None = None) -> None:
        """Load `roots` and all kernels reachable from them that `model` needs; compile those that are not on disk."""
        with self._lock:
            units = [u for u in reachable(list(roots), model) if u.entry is None]
            if not units:
                return
            keys = {u: _key(u) for u in units}
            found = {u: cache.read(u.name, keys[u]) for u in units}
            missing = [u for u in units if found[u] is None]
            if missing:
                build.compile_units({u: keys[u] for u in missing}, progress)
                found.update({u: cache.read(u.name, keys[u]) for u in missing})
            code = {}
            for unit in units:
                stored = found[unit]
                if stored is None:
                    raise OSError(f"{unit.name} was compiled but cannot be read back from {cache.folder()}")
                code[unit] = stored.code
            self._link(code)

    def fetch(self, roots: Sequence[Kernel]) -> bool:
        """Load `roots` and all kernels reachable from them if all are on disk; returns whether. Compiles nothing."""
        with self._lock:
            code = {}
            for unit in reachable(list(roots)):
                if unit.entry is None:
                    stored = cache.read(unit.name, _key(unit))
                    if stored is None:
                        return False
                    code[unit] = stored.code
            if code:
                self._link(code)
            return True

    def has(self, roots: Sequence[Kernel], model: Any = None) -> bool:
        """Whether everything that `load` would load is loaded."""
        return all(unit.entry is not None for unit in reachable(list(roots), model))

    def _link(self, code: Mapping[Kernel, bytes]) -> None:
        """Link object code into the process, all at once (0.1 instead of 1 ms per unit), and fill the cells."""
        target = self._target()
        for unit in code:
            for part in parts(unit):
                for callee in callees(part):
                    if isinstance(callee, Kernel):
                        self._cell(callee)
            for layout in unit.params:
                if isinstance(layout, Layout):
                    self._publish(layout)
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)
        for data in code.values():
            engine.add_object_file(llvm.ObjectFileRef.from_data(data))
        engine.finalize_object()
        self._alive.append(engine)
        for unit in code:
            address = engine.get_function_address(unit.symbol)
            unit.entry = self._prototype(unit)(address)
            if unit.stand_in is None:
                self._cell(unit).value = address

    def _target(self) -> Any:
        """The target machine; the first call initializes LLVM."""
        if not self._started:
            self._started = True
            llvm.initialize_native_target()
            llvm.initialize_native_asmprinter()
            llvm.add_symbol(abi.FAULT_SYMBOL, ctypes.addressof(self._fault))
        return llvm.Target.from_default_triple().create_target_machine(opt=0, codemodel="jitdefault", jit=True)

    def _publish(self, layout: Layout) -> None:
        """Register the offsets of a layout's fields as symbols."""
        if layout.name not in self._layouts:
            self._layouts.add(layout.name)
            for symbol, offset in layout.symbols():
                llvm.add_symbol(symbol, offset)

    # ------------------------------------------------------------ cells and stubs

    def _cell(self, unit: Kernel) -> ctypes.c_void_p:
        """The word that holds a kernel's address; initially that of a stub."""
        cell = self._cells.get(unit.name)
        if cell is None:
            cell = ctypes.c_void_p(self._stub(unit, lambda *args: self._bind(unit, args)))
            self._cells[unit.name] = cell
            llvm.add_symbol(unit.cell_symbol, ctypes.addressof(cell))
        return cell

    def _stub(self, unit: Kernel, function: Callable[..., int]) -> int:
        """Address of native code that calls a Python function instead of a kernel."""
        stub = self._prototype(unit)(function)
        self._alive.append(stub)
        return _address(stub)

    def redirect(self, unit: Kernel, function: Callable[..., Any] | None) -> None:
        """Point a kernel's cell at another kernel, at Python, or back at the kernel itself."""
        with self._lock:
            if isinstance(function, Kernel):
                if (function.params, function.returns) != (unit.params, unit.returns):
                    raise TypeError(f"{function.name} cannot replace `{unit.signature}`: its parameters differ")
                self.load([function])
                address = _address(function.entry)
            elif function is not None:
                address = self._stand_in(unit)
            else:
                self.load([unit])
                address = _address(unit.entry)
            unit.stand_in = function
            self._cell(unit).value = address

    def _stand_in(self, unit: Kernel) -> int:
        """The one stub per kernel that calls the function which replaces it now.

        It is not made and freed with the function, because a function may replace itself while it runs.
        """
        if unit.name not in self._stand_ins:
            self._stand_ins[unit.name] = self._stub(unit, lambda *args: self._python(unit, args))
        return self._stand_ins[unit.name]

    def _bind(self, unit: Kernel, args: tuple[Any, ...]) -> int:
        """First call of a kernel that was not loaded: load it, then call it."""
        try:
            self.load([unit], self._running.model)
        except BaseException as error:  # must not pass through native code
            self._failure.error = error
            return abi.UNBOUND
        assert unit.entry is not None
        return unit.entry(*args)

    def _python(self, unit: Kernel, args: tuple[Any, ...]) -> int:
        """Call Python instead of a kernel: structs are passed by address, the result is stored through a pointer."""
        function = unit.stand_in
        if function is None or isinstance(function, Kernel):
            # redirected to native code after the caller had read the cell
            entry = (function or unit).entry
            assert entry is not None
            return int(entry(*args))
        result, _, *values = args
        try:
            given = [Struct.at(v) if isinstance(p, Layout) else v for p, v in zip(unit.params, values, strict=True)]
            value = function(*given)
            if unit.returns is not None:
                C_TYPES[unit.returns].from_address(result).value = unit.returns(0 if value is None else value)
        except BaseException as error:  # must not pass through native code
            self._failure.error = error
            return abi.UNBOUND
        return abi.OK

    def _prototype(self, unit: Kernel) -> Any:
        """numba's calling convention: status f(result*, exception**, arguments...)."""
        args = [ctypes.c_void_p if isinstance(p, Layout) else C_TYPES[p] for p in unit.params]
        return ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *args)

    # ------------------------------------------------------------ calling

    def call(self, unit: Kernel, args: Sequence[Any]) -> Any:
        """Run a kernel; structs are passed by address, the model before those that must fit it."""
        model, values = None, []
        for a in args:
            if isinstance(a, Struct):
                if a.layout.const:
                    model = a
                elif model is not None:
                    a.check_fit(model)
                a = a.address
            values.append(a)
        if len(values) != len(unit.params):
            raise TypeError(f"`{unit.signature}` takes {len(unit.params)} arguments, not {len(values)}")
        if unit.entry is None:
            self.load([unit], model)
        assert unit.entry is not None
        result = C_TYPES[unit.returns]() if unit.returns else ctypes.c_void_p()
        raised = ctypes.c_void_p()
        into = ctypes.addressof(result), ctypes.addressof(raised)
        running = self._running
        # a nested call restores the model of this one
        outer, running.model = getattr(running, "model", None), model
        try:
            status = unit.entry(*into, *values)
        except ctypes.ArgumentError:
            status = unit.entry(*into, *_plain(unit, values))
        finally:
            running.model = outer
        if status != abi.OK:
            self._raise(unit, status)
        return result.value if unit.returns else None

    def _raise(self, unit: Kernel, status: int) -> None:
        """Turn a status into an exception."""
        if status == abi.FAULT:
            f = self._fault
            raise IndexError(
                f"{f.field.decode()}: index {f.index} on axis {f.axis} of extent {f.extent}, in {readable(f.function)}"
            )
        failure = getattr(self._failure, "error", None)
        if status == abi.UNBOUND and failure is not None:
            self._failure.error = None
            try:
                raise failure
            finally:
                # its traceback has this frame: a cycle would keep the model until the next garbage collection
                del failure
        raise RuntimeError(f"{unit.name} ended with status {status}")


def _key(unit: Kernel) -> str:
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
