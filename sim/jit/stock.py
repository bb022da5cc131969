"""numba's stock pipeline instead of our front end, if KINETOSCOPE_JIT=stock: the same kernels and bits, slower.

Imported only to compile in that mode. It runs all of numba's passes in numba's own contexts, which learn our types and
implementations; LLVM's side is ours. If a new numba breaks `frontend.py`, this still compiles, and a test that
compares the two finds the pass that differs.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from numba import types
from numba.core import compiler
from numba.core.registry import cpu_target

from sim.jit import frontend
from sim.jit.library import Library


@cache
def target() -> Any:
    """numba's context for lowering, with our declarations and implementations."""
    typing_context, target_context = cpu_target.typing_context, cpu_target.target_context
    typing_context.refresh()
    target_context.refresh()
    # last, so that they take precedence over numba's own
    typing_context.install_registry(frontend.signatures)
    target_context.install_registry(frontend.implementations)
    return target_context


class StockLibrary(Library):
    """A library with what numba's lowering pass, unlike its lowering alone, expects of one."""

    def __init__(self) -> None:
        super().__init__()
        self._reload_init: set[Any] = set()
        self.recorded_timings = None


def compile_function(
    pyfunc: Any, args: tuple[types.Type, ...], returns: types.Type | None, flags: compiler.Flags
) -> tuple[Library, Any, Any]:
    """Compile a function; returns its library, descriptor and signature."""
    context, library = target(), StockLibrary()
    found = compiler.compile_extra(cpu_target.typing_context, context, pyfunc, args, returns, flags, {}, library)
    return library, found.fndesc, found.signature
