"""Compiles a kernel to object code: our subset of numba's front end, then one run of LLVM.

Imported only to compile. Helpers are typed and lowered once per process and optimised only inside the units that use
them; no Python wrappers are made. Object code refers to nothing but field offsets, cells of other kernels, the fault
record and the C library.
"""

from __future__ import annotations

import time
from typing import Any

import llvmlite.binding as llvm
from numba.core import cgutils, compiler, errors, types
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu_options import FastMathOptions

from sim.jit import frontend, lowering
from sim.jit.cache import Unit
from sim.jit.kernel import Helper, Kernel

# contract alone keeps NaN checks valid; reordering is only for helpers with reduce=True
FASTMATH = {"contract"}
FASTMATH_REDUCE = {"contract", "reassoc", "nsz", "arcp", "afn"}


class Library(CPUCodeLibrary):
    """LLVM code of one function; for a unit, also that of its callees, optimised."""

    _final_module: Any

    def add_ir_module(self, module: Any) -> None:
        self._final_module = llvm.parse_assembly(cgutils.normalize_ir_text(str(module)))
        self._final_module.data_layout = self._codegen._data_layout

    def add_linking_library(self, library: Any) -> None:
        self._linking_libraries.append(library)

    def link(self) -> None:
        """Link in the code of all functions that this one calls."""
        found: dict[Any, None] = {}
        todo = [self]
        while todo:
            for library in todo.pop()._linking_libraries:
                if library not in found:
                    found[library] = None
                    todo.append(library)
        for library in found:
            module = library._final_module if isinstance(library, Library) else library._get_module_for_linking()
            self._final_module.link_in(module, preserve=True)
        self._final_module.verify()

    def optimize(self) -> None:
        """Inline, simplify and vectorise the whole unit."""
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)

    def round_products(self) -> None:
        """Prevent fused multiply-adds."""
        self._final_module = llvm.parse_assembly(str(self._final_module).replace(" contract ", " "))

    def isolate(self, entry: str, symbol: str) -> None:
        """Make all functions internal except the entry, which gets our symbol."""
        for function in self._final_module.functions:
            if not function.is_declaration:
                function.linkage = "external" if function.name == entry else "internal"
        self._final_module.get_function(entry).name = symbol

    def foreign_symbols(self) -> list[str]:
        return [f.name for f in self._final_module.functions if f.is_declaration and not f.name.startswith("llvm.")]

    def object_code(self) -> bytes:
        return self._codegen._tm.emit_object(self._final_module)


def _flags(inline: bool, reduce: bool) -> compiler.Flags:
    flags = compiler.Flags()
    flags.nrt = False
    flags.no_compile = True
    flags.no_cpython_wrapper = True
    flags.no_cfunc_wrapper = True
    flags.error_model = "numpy"
    flags.forceinline = inline
    flags.fastmath = FastMathOptions(FASTMATH_REDUCE if reduce else FASTMATH)
    return flags


def _compile(pyfunc: Any, args: tuple[types.Type, ...], returns: types.Type | None, flags: compiler.Flags) -> Any:
    library = Library(frontend.TARGET.codegen(), pyfunc.__qualname__)
    return library, *frontend.compile_function(pyfunc, args, returns, flags, library)


_helpers: dict[tuple[Helper, tuple[types.Type, ...]], Any] = {}


def helper_signature(helper: Helper, args: tuple[types.Type, ...]) -> Any:
    """The signature of a call to a helper, which is compiled for these argument types on first use."""
    key = (helper, args)
    if key not in _helpers:
        library, fndesc, signature = _compile(helper.pyfunc, args, None, _flags(helper.inline, helper.reduce))

        def implementation(context: Any, builder: Any, sig: Any, values: Any) -> Any:
            function = builder.module.globals.get(fndesc.llvm_func_name)
            function = function or context.declare_function(builder.module, fndesc)
            return lowering.call(context, builder, function, sig, values)

        implementation.libs = (library,)  # type: ignore[attr-defined]
        lowering.define(key, signature, implementation)
        _helpers[key] = signature
    return _helpers[key]


def compile_unit(kernel: Kernel) -> Unit:
    """Object code of a kernel and everything compiled into it."""
    start = time.perf_counter()
    with global_compiler_lock:
        try:
            code = _object_code(kernel)
        except errors.NumbaError:
            # a user's kernel may use more than the engine's do
            frontend.widen()
            code = _object_code(kernel)
    return Unit(code, time.perf_counter() - start)


def _object_code(kernel: Kernel) -> bytes:
    args = lowering.argument_types(kernel)
    returns = lowering.NATIVE[kernel.returns]
    library, fndesc, _ = _compile(kernel.pyfunc, args, returns, _flags(inline=False, reduce=False))
    library.link()
    if kernel.exact:
        library.round_products()
    library.isolate(fndesc.llvm_func_name, kernel.symbol)
    library.optimize()
    foreign = [s for s in library.foreign_symbols() if s.startswith(("numba", "NRT", "Py"))]
    if foreign:
        raise TypeError(f"{kernel.name} needs {', '.join(foreign)}, which native code without numba does not have")
    return library.object_code()
