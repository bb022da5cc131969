"""numba's front end reduced to what kernels need: from a Python function to LLVM code.

Imported only to compile. numba is made for arrays, objects and exceptions; kernels are numbers, tuples, fields and
calls. So our own contexts know only those and look up each signature once, each pass runs once, and a variable that is
assigned once is a value rather than a stack slot. For the 51 units of a humanoid this takes 10 CPU seconds instead of
numba's 30, plus 10 in LLVM, and gives the same arithmetic. What the engine never uses, such as numpy, is loaded for the
first unit that needs it. `stock.py` has numba's own pipeline instead.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterable
from functools import cache
from types import BuiltinFunctionType
from typing import Any

from llvmlite import ir as llvm_ir
from numba import types
from numba.core import bytecode, cgutils, cpu, errors, interpreter, ir, ssa, typing
from numba.core.callconv import create_error_model
from numba.core.compiler import Flags
from numba.core.fastmathpass import rewrite_module
from numba.core.funcdesc import PythonFunctionDescriptor
from numba.core.imputils import Registry
from numba.core.ir_utils import build_definitions
from numba.core.lowering import Lower
from numba.core.registry import cpu_target
from numba.core.rewrites.static_getitem import RewriteConstGetitems, RewriteConstSetitems
from numba.core.targetconfig import ConfigStack
from numba.core.transforms import canonicalize_cfg
from numba.core.typed_passes import PreLowerStripPhis, type_inference_stage
from numba.core.typing import mathdecl, templates

from sim.jit import abi
from sim.jit.library import Library

# our declarations and implementations, for our contexts only: functions that a user compiles with numba do not see them
signatures = templates.Registry()
implementations = Registry()

# bytecode of `f(*args)`, of lists and tuples with `*`, and of `with`
RARE = {
    "CALL_FUNCTION_EX", "LIST_EXTEND", "LIST_TO_TUPLE", "CALL_INTRINSIC_1", "DICT_MERGE", "DICT_UPDATE", "BEFORE_WITH",
    "LOAD_SPECIAL",
}  # fmt: skip


@cache
def _takes_loc(function: Callable[..., Any]) -> bool:
    """Whether an implementation wants the source line."""
    return "loc" in inspect.signature(function).parameters


# ---------------------------------------------------------------- structs


def struct(builder: Any, typ: Any, items: Iterable[Any]) -> Any:
    """A struct built from values; numba's own go through memory."""
    value = typ(llvm_ir.Undefined)
    for k, item in enumerate(items):
        value = builder.insert_value(value, item, k)
    return value


def members(builder: Any, value: Any) -> list[Any]:
    """The members of a struct; if it was built in the same function, the original values."""
    known: dict[int, Any] = {}
    while isinstance(value, llvm_ir.InsertValue) and len(value.indices) == 1:
        known.setdefault(value.indices[0], value.value)
        value = value.aggregate
    return [known[k] if k in known else builder.extract_value(value, k) for k in range(len(value.type.elements))]


# ---------------------------------------------------------------- contexts


class Typing(typing.Context):
    """Types of calls and attributes. numba tries dozens of templates at every `a + b`; here the result is cached."""

    def __init__(self) -> None:
        self.wide = False
        self._calls: dict[Any, Any] = {}
        self._members: dict[Any, Any] = {}
        self._builtins: dict[Any, Any] = {}
        super().__init__()

    def load_additional_registries(self) -> None:
        if self.wide:
            super().load_additional_registries()
        self.install_registry(mathdecl.registry)
        self.install_registry(signatures)

    def _load_builtins(self) -> None:
        if self.wide:
            super()._load_builtins()
        else:
            self.install_registry(_plain_builtins())

    def widen(self) -> None:
        """Clear the caches, and support everything that numba does from the next refresh on."""
        self.wide = True
        for answers in (self._calls, self._members, self._builtins):
            answers.clear()

    def resolve_value_type(self, val: Any) -> Any:
        if type(val) is not BuiltinFunctionType:
            return super().resolve_value_type(val)
        if val not in self._builtins:
            self._builtins[val] = super().resolve_value_type(val)
        return self._builtins[val]

    def resolve_function_type(self, func: Any, args: Any, kws: Any) -> Any:
        if kws or func == "static_getitem":
            return super().resolve_function_type(func, args, kws)
        if isinstance(func, types.Function) and not any(t.prefer_literal for t in func.templates):
            args = tuple(map(types.unliteral, args))
        key = func, args
        if key not in self._calls:
            sig = super().resolve_function_type(func, args, kws)
            if sig is None:
                return sig
            self._calls[key] = sig
        return self._calls[key]

    def resolve_setitem(self, target: Any, index: Any, value: Any) -> Any:
        return self.resolve_function_type(self.resolve_value_type(operator.setitem), (target, index, value), {})

    def resolve_getattr(self, typ: Any, attr: str) -> Any:
        key = typ, attr
        if key not in self._members:
            self._members[key] = super().resolve_getattr(typ, attr)
        return self._members[key]


@cache
def _plain_builtins() -> templates.Registry:
    """numba's declarations except those implemented in Python, which would load numba's own contexts."""
    from numba.core.typing import builtins, collections  # noqa: F401

    plain, given = templates.Registry(), templates.builtin_registry
    plain.functions = given.functions
    plain.attributes = [a for a in given.attributes if not issubclass(a, templates._OverloadAttributeTemplate)]
    plain.globals = [(value, typ) for value, typ in given.globals if not _is_overload(typ)]
    return plain


def _is_overload(typ: Any) -> bool:
    declared = typ.templates if isinstance(typ, types.Function) else ()
    return any(issubclass(t, templates._OverloadFunctionTemplate) for t in declared)


class Implementation:
    """The lowering of an operation, as a callable."""

    def __init__(self, function: Callable[..., Any], context: Target, sig: Any) -> None:
        self.function, self.context, self.sig = function, context, sig

    def __call__(self, builder: Any, args: Any, loc: Any = None) -> Any:
        more = {"loc": loc} if _takes_loc(self.function) else {}
        result = self.function(self.context, builder, self.sig, args, **more)
        self.context.add_linking_libs(getattr(self.function, "libs", ()))
        return result


class Target(cpu.CPUContext):
    """Implementations of operations."""

    wide = False

    def load_additional_registries(self) -> None:
        from numba.cpython import builtins, iterators, mathimpl, numbers, rangeobj, tupleobj  # noqa: F401

        if self.wide:
            super().load_additional_registries()
        self.install_registry(mathimpl.registry)

    def refresh(self) -> None:
        super().refresh()
        self.install_registry(implementations)  # last, so that it takes precedence over numba's own

    def get_function(self, fn: Any, sig: Any, _firstcall: bool = True) -> Any:
        for key in (fn.get_impl_key(sig), type(fn)) if isinstance(fn, types.Callable) else (fn,):
            try:
                return Implementation(self._defns[key].find(sig.args), self, sig)
            except errors.NumbaNotImplementedError:
                pass
        if self.wide:
            # numba compiles its implementations in Python by itself, in its own contexts
            return cpu_target.target_context.get_function(fn, sig)
        raise NotImplementedError(f"no implementation of {fn} for {sig}")

    def pair_first(self, builder: Any, val: Any, ty: Any) -> Any:
        return members(builder, val)[0]

    def pair_second(self, builder: Any, val: Any, ty: Any) -> Any:
        return members(builder, val)[1]

    def post_lowering(self, module: Any, library: Any) -> None:
        rewrite_module(module, self.fastmath)


TYPING = Typing()
TARGET = Target(TYPING, "cpu")


@cache
def load() -> None:
    """Load what the engine's kernels use."""
    TARGET.refresh()


@cache
def widen() -> None:
    """Load everything that numba supports."""
    TYPING.widen()
    TARGET.wide = True
    TARGET.refresh()
    # what numba compiles meanwhile is linked with the current function
    cpu_target.target_context._codelib_stack = TARGET._codelib_stack


# ---------------------------------------------------------------- passes


class Interpreter(interpreter.Interpreter):
    """From bytecode to numba's intermediate representation."""

    def post_process(self, peepholes: Any, func_ir: Any) -> Any:
        """Run numba's corrections, five passes over the function, only for the bytecode that needs them."""
        rare = any(inst.opname in RARE for inst in self.bytecode)
        return super().post_process(peepholes, func_ir) if rare else func_ir


def read(pyfunc: Any) -> Any:
    """A function in numba's intermediate representation, in SSA form."""
    identity = bytecode.FunctionIdentity.from_function(pyfunc)
    func_ir = Interpreter(identity).interpret(bytecode.ByteCode(identity))
    func_ir.blocks = canonicalize_cfg(func_ir.blocks)
    # a constant index selects a tuple member, which determines the type
    for rewrite in (RewriteConstGetitems(), RewriteConstSetitems()):
        for label, block in func_ir.blocks.items():
            if rewrite.match(func_ir, block, None, None):
                func_ir.blocks[label] = rewrite.apply()
    func_ir = ssa.reconstruct_ssa(func_ir)
    func_ir._definitions = build_definitions(func_ir.blocks)
    return func_ir


def without_phis(func_ir: Any) -> Any:
    """Replace phi nodes by assignments at the ends of the branches."""
    func_ir = PreLowerStripPhis()._strip_phi_nodes(func_ir)
    func_ir._definitions = build_definitions(func_ir.blocks)
    return func_ir


def _values(blocks: dict[int, Any]) -> set[str]:
    """Variables that need no stack slot: assigned once and used only afterwards, in the order of lowering."""
    assigned: set[str] = set()
    slots: set[str] = set()
    for _, block in sorted(blocks.items()):
        for statement in block.body:
            assigns = isinstance(statement, ir.Assign)
            used = statement.value if assigns else statement
            if isinstance(used, ir.Var):
                slots.update({used.name} - assigned)
            elif isinstance(used, ir.Inst):
                slots.update(v.name for v in used.list_vars() if v.name not in assigned)
            if assigns:
                (slots if statement.target.name in assigned else assigned).add(statement.target.name)
    return assigned - slots


class KernelLower(Lower):
    """From numba's intermediate representation to LLVM's."""

    def init(self) -> None:
        self._singly_assigned_vars = _values(self.blocks)
        self._blk_local_varmap: dict[str, Any] = {}

    def emit_environment_object(self) -> None:
        """Kernels have no environment of Python objects."""

    def lower_block(self, block: Any) -> None:
        for statement in block.body:
            self.loc = statement.loc
            try:
                self.lower_inst(statement)
            except errors.NumbaError:
                raise
            except Exception as error:
                raise errors.LoweringError(f'{error}, in "{statement}"', self.loc) from error

    def storevar(self, value: Any, name: str, argidx: Any = None) -> None:
        if name in self._singly_assigned_vars:
            self._blk_local_varmap[name] = value
        else:
            self.builder.store(value, self.getvar(name))

    def loadvar(self, name: str) -> Any:
        value = self._blk_local_varmap.get(name)
        return self.builder.load(self.getvar(name)) if value is None else value

    def _alloca_var(self, name: str, fetype: Any) -> None:
        if name not in self.varmap:
            self.varmap[name] = cgutils.alloca_once(self.builder, self.context.get_value_type(fetype), name=name)


def is_exact() -> bool:
    """Whether the function that is being compiled may not fuse products with sums."""
    return "contract" not in ConfigStack().top().fastmath.flags


def target() -> Any:
    """The context that calls are lowered in: ours, or numba's own."""
    if abi.STOCK:
        from sim.jit import stock

        return stock.target()
    return TARGET


def compile_function(
    pyfunc: Any, args: tuple[types.Type, ...], returns: types.Type | None, flags: Flags
) -> tuple[Library, Any, Any]:
    """Compile a function; returns its library, descriptor and signature."""
    if abi.STOCK:
        from sim.jit import stock

        return stock.compile_function(pyfunc, args, returns, flags)
    load()
    library = Library()
    with ConfigStack().enter(flags):
        func_ir = read(pyfunc)
        typed = type_inference_stage(TYPING, TARGET, func_ir, args, returns)
        func_ir = without_phis(func_ir)
        context = TARGET.subtarget(fastmath=flags.fastmath, error_model=create_error_model("numpy", TARGET))
        fndesc = PythonFunctionDescriptor.from_specialized_function(
            func_ir,
            typed.typemap,
            typed.return_type,
            typed.calltypes,
            mangler=context.mangler,
            inline=flags.forceinline,
            noalias=False,
            abi_tags=(),
        )
        with context.push_code_library(library):
            KernelLower(context, library, fndesc, func_ir).lower()
    return library, fndesc, typing.signature(typed.return_type, *args)
