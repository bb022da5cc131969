"""LLVM's side of compilation, through llvmlite's public interface: modules in, optimised object code out.

Imported only to compile. The machine, the level of optimisation and the passes are set here, so that neither numba's
settings in the environment nor a `.numba_config.yaml` in the working directory have a say.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir

from sim.jit import level

LEVEL = 3


@cache
def _machine() -> Any:
    """The target machine: any processor of the level that this process uses."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=level.current().cpu,
        features=level.current().besides,
        opt=LEVEL,
        reloc="static" if target.name.startswith("x86") else "default",
        codemodel="jitdefault",
        jit=True,
    )


class Library:
    """LLVM code of one function; for a unit, also that of its callees, optimised. numba's lowering writes into it."""

    def __init__(self) -> None:
        self.module: Any = None
        self.callees: dict[Any, None] = {}

    # what numba's lowering calls

    def create_ir_module(self, name: str) -> ir.Module:
        module = ir.Module()
        module.triple = llvm.get_process_triple()
        module.data_layout = str(_machine().target_data)
        return module

    def add_ir_module(self, module: ir.Module) -> None:
        self.module = llvm.parse_assembly(str(module))

    def add_linking_library(self, library: Any) -> None:
        self.callees[library] = None

    # what the compiler calls

    def link(self) -> None:
        """Link in the code of all functions that this one calls."""
        found: dict[Any, None] = {}
        todo: list[Any] = [self]
        while todo:
            library = todo.pop()
            for callee in library.callees if isinstance(library, Library) else ():
                if callee not in found:
                    found[callee] = None
                    todo.append(callee)
        for library in found:
            # numba's own library, of a function that numba implements in Python, holds that function's callees too
            module = library.module if isinstance(library, Library) else library._get_module_for_linking()
            self.module.link_in(module, preserve=True)
        self.module.verify()

    def isolate(self, entry: str, symbol: str) -> None:
        """Make all functions internal except the entry, which gets our symbol."""
        for function in self.module.functions:
            if not function.is_declaration:
                function.linkage = "external" if function.name == entry else "internal"
        self.module.get_function(entry).name = symbol

    def optimize(self) -> None:
        """Inline, simplify and vectorise the whole unit."""
        options = llvm.create_pipeline_tuning_options(speed_level=LEVEL)
        options.loop_vectorization = True
        options.slp_vectorization = False
        builder = llvm.create_pass_builder(_machine(), options)
        builder.getModulePassManager().run(self.module, builder)

    def foreign_symbols(self) -> list[str]:
        return [f.name for f in self.module.functions if f.is_declaration and not f.name.startswith("llvm.")]

    def object_code(self) -> bytes:
        return _machine().emit_object(self.module)
