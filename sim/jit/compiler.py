"""Compiles a kernel to object code: our subset of numba's front end, then one run of LLVM.

Imported only to compile. Helpers are typed and lowered once per process and optimised only inside the units that use
them; no Python wrappers are made. Object code refers to nothing but field offsets, cells of other kernels and the C
library.
"""

from __future__ import annotations

import time
from typing import Any

from numba import types
from numba.core import compiler, errors
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu_options import FastMathOptions

from sim.jit import abi, frontend, lowering
from sim.jit.cache import Unit
from sim.jit.kernel import Helper, Kernel

# what LLVM may do to arithmetic. To fuse a product with a sum keeps NaN checks valid; exact kernels go without
FUSE = {"contract"}
# to reorder sums is for helpers with reduce=True
REDUCE = {"reassoc", "nsz", "arcp", "afn"}


def _flags(inline: bool, reduce: bool, exact: bool) -> compiler.Flags:
    flags = compiler.Flags()
    flags.nrt = False
    flags.no_compile = True
    flags.no_cpython_wrapper = True
    flags.no_cfunc_wrapper = True
    flags.error_model = "numpy"
    flags.forceinline = inline
    flags.fastmath = FastMathOptions((REDUCE if reduce else set()) | (set() if exact else FUSE))
    return flags


_helpers: dict[tuple[Helper, bool, tuple[types.Type, ...]], Any] = {}


def helper_signature(helper: Helper, exact: bool, args: tuple[types.Type, ...]) -> Any:
    """The signature of a call to a helper, which is compiled for these argument types on first use.

    In an exact unit helpers are exact too.
    """
    key = (helper, exact, args)
    if key not in _helpers:
        library, fndesc, signature = frontend.compile_function(
            helper.pyfunc, args, None, _flags(helper.inline, helper.reduce, exact)
        )

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
            if abi.STOCK:
                raise
            # a user's kernel may use more than the engine's do
            frontend.widen()
            code = _object_code(kernel)
    return Unit(code, time.perf_counter() - start)


def _object_code(kernel: Kernel) -> bytes:
    args = lowering.argument_types(kernel)
    returns = lowering.NATIVE[kernel.returns]
    library, fndesc, _ = frontend.compile_function(kernel.pyfunc, args, returns, _flags(False, False, kernel.exact))
    library.link()
    library.isolate(fndesc.llvm_func_name, kernel.symbol)
    library.optimize()
    foreign = [s for s in library.foreign_symbols() if s.startswith(("numba", "NRT", "Py", "__svml"))]
    if foreign:
        raise TypeError(f"{kernel.name} needs {', '.join(foreign)}, which native code without numba does not have")
    return library.object_code()
