"""From a kernel to object code, through numba's front end and one run of LLVM.

Only compiler processes import this. numba's own pipeline does much that kernels never need, so ours keeps
the passes that matter; helpers are typed and lowered once a process and optimised only inside the unit
they end up in; no Python wrappers are made. Object code refers to nothing but field offsets, cells of
other kernels, the fault record and the C library.
"""

from __future__ import annotations

import time
from typing import Any

import llvmlite.binding as llvm
from numba.core import compiler, types, untyped_passes
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager
from numba.core.cpu_options import FastMathOptions
from numba.core.registry import cpu_target
from numba.core.typed_passes import (
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)

from sim.jit import lowering
from sim.jit.cache import Unit
from sim.jit.kernel import Helper, Kernel

# contract alone keeps NaN checks valid; reordering is for sums that ask for it
FASTMATH = {"contract"}
FASTMATH_REDUCE = {"contract", "reassoc", "nsz", "arcp", "afn"}

PASSES = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.GenericRewrites,
    untyped_passes.ReconstructSSA,
    NopythonTypeInference,
    PreLowerStripPhis,
    IRLegalization,
    NativeLowering,
    NoPythonBackend,
)


class KernelCompiler(compiler.CompilerBase):
    """numba's front end, less the passes that kernels have no use for."""

    def define_pipelines(self) -> list[PassManager]:
        manager = PassManager("kernel")
        for p in PASSES:
            manager.add_pass(p, p.__name__)
        manager.finalize()
        return [manager]


class Library(CPUCodeLibrary):
    """LLVM code of one function and its callees, optimised only when it is a whole unit."""

    _final_module: Any

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def optimize(self) -> None:
        """Inline, simplify and vectorise the whole unit."""
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)

    def round_products(self) -> None:
        """Let no product be fused with the sum it is added to."""
        self._final_module = llvm.parse_assembly(str(self._final_module).replace(" contract ", " "))

    def isolate(self, entry: str, symbol: str) -> None:
        """Keep one function visible, under a name of our own."""
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
    library = Library(cpu_target.target_context.codegen(), pyfunc.__qualname__)
    pipeline = KernelCompiler(cpu_target.typing_context, cpu_target.target_context, library, args, returns, flags, {})
    return pipeline.compile_extra(pyfunc)


_helpers: dict[tuple[str, tuple[types.Type, ...]], Any] = {}


def helper_signature(helper: Helper, args: tuple[types.Type, ...]) -> Any:
    """The signature of a call of a helper; it is compiled for these argument types on first use."""
    key = (helper.name, args)
    if key not in _helpers:
        with global_compiler_lock:
            result = _compile(helper.pyfunc, args, None, _flags(helper.inline, helper.reduce))

        def implementation(context: Any, builder: Any, sig: Any, values: Any) -> Any:
            function = context.declare_function(builder.module, result.fndesc)
            return lowering.call(context, builder, function, sig, values)

        implementation.libs = (result.library,)  # type: ignore[attr-defined]
        lowering.define(key, result.signature, implementation)
        _helpers[key] = result.signature
    return _helpers[key]


def compile_unit(kernel: Kernel) -> Unit:
    """Object code of a kernel and everything compiled into it."""
    start = time.perf_counter()
    args = lowering.argument_types(kernel)
    returns = lowering.NATIVE[kernel.returns]
    with global_compiler_lock:
        result = _compile(kernel.pyfunc, args, returns, _flags(inline=False, reduce=False))
        library = result.library
        library.finalize()
        if kernel.exact:
            library.round_products()
        library.isolate(result.fndesc.llvm_func_name, kernel.symbol)
        library.optimize()
        foreign = [s for s in library.foreign_symbols() if s.startswith(("numba", "NRT", "Py"))]
        if foreign:
            raise TypeError(f"{kernel.name} needs {', '.join(foreign)}, which native code without numba does not have")
        code = library.object_code()
    return Unit(code, time.perf_counter() - start)
