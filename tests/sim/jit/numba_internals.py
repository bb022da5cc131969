"""Every internal of numba and llvmlite that sim/jit uses or overrides, and what for: the list to read for an upgrade.

`frontend.py`, `stock.py`, `lowering.py`, `compiler.py` and `library.py` use them; a test holds this list to their
source. Whatever `numba`, `numba.types`, `numba.extending`, `llvmlite.ir` and `llvmlite.binding` offer without an
underscore is public and not listed.

For an upgrade: install the new version, run the tests of sim/jit, of which test_stock.py compares our front end with
numba's own pipeline, bit by bit; then compare what this list names in both versions of numba. If only `frontend.py` is
broken, KINETOSCOPE_JIT=stock still runs. What changes most from version to version is `numba.core.interpreter`, for
new versions of Python; we override one method there. llvmlite's part is public except `_get_module_for_linking`.
"""

from __future__ import annotations

# full name, or `.name` for a private attribute of some object -> what for
INTERNALS = {
    # from bytecode to numba's intermediate representation, in frontend.py
    "numba.core.bytecode.FunctionIdentity": "the function to be read",
    "numba.core.bytecode.ByteCode": "its bytecode",
    "numba.core.interpreter.Interpreter": "reads bytecode",
    "numba.core.interpreter.Interpreter.post_process": "five corrections, needed by rare bytecode only",
    "numba.core.transforms.canonicalize_cfg": "merges returns and loop exits",
    "numba.core.rewrites.static_getitem.RewriteConstGetitems": "a constant index selects a member of a tuple",
    "numba.core.rewrites.static_getitem.RewriteConstSetitems": "the same for assignments",
    "numba.core.ssa.reconstruct_ssa": "one name for each assignment",
    "numba.core.ir_utils.build_definitions": "name -> its assignments, after a pass",
    "._definitions": "of a function's representation: where that table is",
    "numba.core.typed_passes.PreLowerStripPhis": "its one function is run alone",
    "._strip_phi_nodes": "phi nodes to assignments",
    "numba.core.ir.Assign": "to find the variables that are assigned once",
    "numba.core.ir.Inst": "to list the variables that a statement uses",
    "numba.core.ir.Var": "the same",
    # types
    "numba.core.typed_passes.type_inference_stage": "types of all variables and calls",
    "numba.core.typing.Context": "our own declares less, and remembers what it has resolved",
    "numba.core.typing.Context._load_builtins": "leaves out what is implemented in Python",
    "numba.core.typing.Context.load_additional_registries": "adds our declarations",
    "numba.core.typing.Context.resolve_function_type": "remembered",
    "numba.core.typing.Context.resolve_getattr": "remembered",
    "numba.core.typing.Context.resolve_setitem": "through resolve_function_type, which is remembered",
    "numba.core.typing.Context.resolve_value_type": "remembered for builtins",
    "numba.core.typing.signature": "argument types and return type of a call",
    "numba.core.typing.builtins": "imported to fill builtin_registry",
    "numba.core.typing.collections": "the same",
    "numba.core.typing.mathdecl.registry": "declarations of math.sin and the like",
    "numba.core.typing.templates.Registry": "holds our declarations, for our contexts only",
    "numba.core.typing.templates.builtin_registry": "numba's declarations, of which we take the plain ones",
    "numba.core.typing.templates._OverloadAttributeTemplate": "those implemented in Python, to leave them out",
    "numba.core.typing.templates._OverloadFunctionTemplate": "the same",
    "numba.core.typing.templates.AbstractTemplate": "declares d.xpos[i], len, int, min and max",
    "numba.core.typing.templates.AttributeTemplate": "declares d.xpos",
    "numba.core.typing.templates.AttributeTemplate.generic_resolve": "any name of a field or group",
    # from there to LLVM
    "numba.core.cpu.CPUContext": "our own has fewer implementations, and finds them without a search",
    "numba.core.cpu.CPUContext.load_additional_registries": "imports less",
    "numba.core.cpu.CPUContext.refresh": "adds our implementations, last",
    "numba.core.cpu.CPUContext.get_function": "an implementation by its signature, without numba's fallbacks",
    "._defns": "the table of implementations",
    "numba.core.cpu.CPUContext.pair_first": "of a struct that was just built, the original value",
    "numba.core.cpu.CPUContext.pair_second": "the same",
    "numba.core.cpu.CPUContext.post_lowering": "nothing but the flags of arithmetic",
    "numba.core.fastmathpass.rewrite_module": "puts these flags on instructions",
    "numba.core.cpu_options.FastMathOptions": "which ones",
    "._codelib_stack": "what numba compiles for a call of ours is linked with the current function",
    "numba.core.imputils.Registry": "holds our implementations, for our contexts only",
    "numba.core.callconv.create_error_model": "divisions as in numpy: no exceptions",
    "numba.core.funcdesc.PythonFunctionDescriptor": "names and types of the native function",
    "numba.core.lowering.Lower": "our own keeps variables that are assigned once out of memory",
    "numba.core.lowering.Lower.init": "finds these variables",
    "numba.core.lowering.Lower.emit_environment_object": "left out: there are no Python objects",
    "numba.core.lowering.Lower.lower_block": "without debug information",
    "numba.core.lowering.Lower.storevar": "a value, or a stack slot",
    "numba.core.lowering.Lower.loadvar": "the same",
    "numba.core.lowering.Lower._alloca_var": "a stack slot, not initialised",
    "numba.core.lowering.Lower._singly_assigned_vars": "the variables that are values",
    "numba.core.lowering.Lower._blk_local_varmap": "their values",
    "numba.core.cgutils.alloca_once": "stack slots of loops",
    "numba.core.cgutils.global_constant": "the function's name, for the fault record",
    "numba.core.cgutils.make_bytearray": "the same",
    "numba.core.cgutils.if_unlikely": "a call that failed",
    "numba.cpython.builtins": "imported for implementations of builtins",
    "numba.cpython.iterators": "the same",
    "numba.cpython.numbers": "implementations of arithmetic",
    "numba.cpython.rangeobj": "of range",
    "numba.cpython.tupleobj": "of tuples",
    "numba.cpython.mathimpl.registry": "of math.sin and the like",
    # around both pipelines
    "numba.core.compiler.Flags": "options of a function",
    "numba.core.targetconfig.ConfigStack": "the options of the function that is being compiled",
    "numba.core.compiler.compile_extra": "the stock pipeline, in stock.py",
    "numba.core.registry.cpu_target": "numba's own contexts: stock.py, and what is implemented in Python",
    "numba.core.compiler_lock.global_compiler_lock": "one compilation at a time in a process",
    "numba.core.errors.NumbaError": "a unit that does not compile",
    "numba.core.errors.NumbaNotImplementedError": "no implementation of a call",
    "numba.core.errors.LoweringError": "raised as numba does, with the line",
    "._get_module_for_linking": "LLVM code of a function that numba implements in Python",
}

# what numba expects of our objects: class.attribute -> the module of numba that asks for it
CALLED_BY_NUMBA = {
    "Library.create_ir_module": "numba.core.lowering",
    "Library.add_ir_module": "numba.core.lowering",
    "Library.add_linking_library": "numba.core.base",
    "StockLibrary._reload_init": "numba.core.typed_passes",
    "StockLibrary.recorded_timings": "numba.core.typed_passes",
    "Callee.get_call_type": "numba.core.typing.context",
    "Callee.get_impl_key": "numba.core.base",
}
