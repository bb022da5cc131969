"""Native code from Python functions: the one place that touches numba and LLVM.

`kernel.py` the decorators and the key of a unit; `layout.py` the memory shared with Python; `cache.py` object
code on disk; `loader.py` object code in this process; `build.py` and `worker.py` compilation in parallel;
`diagnostics.py` explains compile errors; `compiler.py`, `frontend.py` and `lowering.py` numba's side, imported only
to compile; `abi.py` what all of them agree on.
"""

from sim.jit.kernel import CompileError, declare, helper, inline, interpreted, kernel
from sim.jit.layout import Field, Layout
from sim.jit.structs import Struct

__all__ = ["CompileError", "Field", "Layout", "Struct", "declare", "helper", "inline", "interpreted", "kernel"]
