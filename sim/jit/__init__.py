"""Native code from Python functions: the one place that touches numba and LLVM.

`kernel.py` decorators and the key of a unit; `layout.py` the memory shared with Python, `structs.py` its Python side;
`cache.py` object code on disk, `pack.py` that of the installation, by the digests of `source.py`; `level.py` the
processors that it is for; `loader.py` object code in this process, `units.py` which thread compiles what is missing;
`build.py`, `compiler_process.py` and `worker.py` compilation in parallel; `diagnostics.py` explains compile errors;
`compiler.py`, `frontend.py`, `lowering.py` numba's side and `library.py` LLVM's, imported only to compile; `stock.py`
numba's own pipeline instead; `abi.py` what all of them agree on. Before an upgrade of numba, read
`tests/sim/jit/numba_internals.py`: it lists every internal that is used here, and what for.
"""

from sim.jit.kernel import CompileError, declare, helper, inline, interpreted, kernel
from sim.jit.layout import Field, Layout
from sim.jit.structs import Plan, Struct

__all__ = ["CompileError", "Field", "Layout", "Plan", "Struct", "declare", "helper", "inline", "interpreted", "kernel"]
