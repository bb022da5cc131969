"""Types and lowering for numba: struct pointers, field arrays, and calls of kernels and helpers.

Imported only to compile. A struct pointer is a raw address; `d.xpos` loads a data pointer from the block, at an offset
that the loader fills in; `d.xpos[b, k]` is one multiply-add and a load. Indices do not wrap around (the largest single
gain: factorisation went from 2.1x to 0.92x of C). What a native call cannot change, the block itself and everything in
Model, is loaded as invariant.

In a checked build every index is compared with its extent; one out of range ends the call with FAULT and leaves field,
index, extent and function in the caller's fault record, whose address is passed where numba passes an exception's.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing import signature
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate
from numba.extending import models, register_model, typeof_impl

from sim.jit import abi, frontend
from sim.jit.kernel import Helper, Kernel
from sim.jit.layout import WORD, Layout, Place

I8, I32, I64 = ir.IntType(8), ir.IntType(32), ir.IntType(64)
STORED = {
    "f8": types.float64,
    "f4": types.float32,
    "i8": types.int64,
    "i4": types.int32,
    "u1": types.uint8,
    "b1": types.boolean,
}
NATIVE = {int: types.int64, float: types.float64, None: types.none}


def widened(dtype: types.Type) -> types.Type:
    """The type kernels compute with: one integer and one float type keep specialisations few."""
    if isinstance(dtype, types.Boolean):
        return types.boolean
    return types.int64 if isinstance(dtype, types.Integer) else types.float64


# ---------------------------------------------------------------- types


class StructPointer(types.Type):
    """`m`, `d`, or a group such as `m.opt`: each is the address of the struct's block."""

    def __init__(self, layout: Layout, prefix: str = "") -> None:
        self.layout = layout
        self.prefix = prefix
        super().__init__(f"{layout.name}.{prefix}" if prefix else layout.name)


class FieldArray(types.Type):
    """A field of one to three dimensions: data pointer and extents, C order, never owns memory."""

    def __init__(self, dtype: types.Type, ndim: int, const: bool) -> None:
        self.dtype = dtype
        self.ndim = ndim
        self.const = const
        super().__init__(f"{'c' if const else 'f'}{ndim}{dtype.name}")


register_model(StructPointer)(models.OpaqueModel)


@register_model(FieldArray)
class FieldArrayModel(models.StructModel):
    """Members: data, one extent per dimension, and in a checked build the field's name."""

    def __init__(self, manager: Any, fe_type: FieldArray) -> None:
        members: list[tuple[str, types.Type]] = [("data", types.CPointer(fe_type.dtype))]
        members += [(f"n{k}", types.int64) for k in range(fe_type.ndim)]
        if abi.CHECKED:
            members.append(("name", types.voidptr))
        super().__init__(manager, fe_type, members)


# ---------------------------------------------------------------- attributes


@frontend.signatures.register_attr
class StructAttributes(AttributeTemplate):
    """Types of `m.name`, `m.group` and `m.group.name`."""

    key = StructPointer

    def generic_resolve(self, typ: StructPointer, attr: str) -> types.Type | None:
        full = f"{typ.prefix}.{attr}" if typ.prefix else attr
        if full in typ.layout.groups:
            return StructPointer(typ.layout, full)
        place = typ.layout.places.get(full)
        if place is None:
            return None
        return _array_type(typ, place) if place.field.shape else widened(STORED[place.field.dtype])


def _array_type(typ: StructPointer, place: Place) -> FieldArray:
    return FieldArray(STORED[place.field.dtype], len(place.field.shape), typ.layout.const)


def _anchor(builder: ir.IRBuilder, symbol: str) -> Any:
    """An external symbol whose address the loader supplies."""
    try:
        return builder.module.get_global(symbol)
    except KeyError:
        anchor = ir.GlobalVariable(builder.module, I8, symbol)
        anchor.linkage = "external"
        return anchor


def _word(builder: ir.IRBuilder, base: Any, symbol: str, extra: int, content: Any) -> Any:
    """Pointer to a word of the block, `extra` words after the one at the symbol's offset."""
    offset = builder.ptrtoint(_anchor(builder, symbol), I64)
    if extra:
        offset = builder.add(offset, I64(extra * WORD))
    return builder.bitcast(builder.gep(base, [offset], inbounds=True), content.as_pointer())


def _load(builder: ir.IRBuilder, pointer: Any, invariant: bool) -> Any:
    value = builder.load(pointer)
    if invariant:
        value.set_metadata("invariant.load", builder.module.add_metadata([]))
    return value


def _load_as(context: Any, builder: ir.IRBuilder, dtype: types.Type, pointer: Any, invariant: bool) -> Any:
    """A stored value in the type kernels compute with."""
    raw = _load(builder, pointer, invariant)
    value = context.data_model_manager[dtype].from_data(builder, raw)
    return context.cast(builder, value, dtype, widened(dtype))


def _store_as(
    context: Any, builder: ir.IRBuilder, dtype: types.Type, pointer: Any, value: Any, vtype: types.Type
) -> None:
    value = context.cast(builder, value, vtype, dtype)
    builder.store(context.data_model_manager[dtype].as_data(builder, value), pointer)


@frontend.implementations.lower_getattr_generic(StructPointer)
def struct_getattr(context: Any, builder: ir.IRBuilder, typ: StructPointer, base: Any, attr: str) -> Any:
    """A group is the same address; a scalar is loaded; an array is assembled from its words."""
    full = f"{typ.prefix}.{attr}" if typ.prefix else attr
    if full in typ.layout.groups:
        return base
    place = typ.layout.places[full]
    symbol = typ.layout.symbol(full)
    dtype = STORED[place.field.dtype]
    stored = context.get_data_type(dtype)
    if not place.field.shape:
        return _load_as(context, builder, dtype, _word(builder, base, symbol, 0, stored), typ.layout.const)
    members = [_load(builder, _word(builder, base, symbol, 0, stored.as_pointer()), True)]
    members.append(_load(builder, _word(builder, base, symbol, 1, I64), True))
    word = 1
    for extent in place.tail:
        word += extent is None
        constant = extent is not None
        members.append(I64(extent) if constant else _load(builder, _word(builder, base, symbol, word, I64), True))
    if abi.CHECKED:
        members.append(context.insert_const_string(builder.module, f"{typ.layout.name}.{full}"))
    return frontend.struct(builder, context.get_value_type(_array_type(typ, place)), members)


@frontend.implementations.lower_setattr_generic(StructPointer)
def struct_setattr(context: Any, builder: ir.IRBuilder, sig: Any, args: Any, attr: str) -> None:
    """Only scalars of Data may be assigned by a kernel."""
    typ = sig.args[0]
    full = f"{typ.prefix}.{attr}" if typ.prefix else attr
    place = typ.layout.places[full]
    if typ.layout.const or place.field.shape:
        raise TypeError(f"a kernel may not assign to {typ.layout.name}.{full}")
    dtype = STORED[place.field.dtype]
    pointer = _word(builder, args[0], typ.layout.symbol(full), 0, context.get_data_type(dtype))
    _store_as(context, builder, dtype, pointer, args[1], sig.args[1])


# ---------------------------------------------------------------- indexing


def _indices(typ: FieldArray, index: types.Type) -> types.Type | None:
    """The index type if it is one integer per dimension."""
    items = index.types if isinstance(index, types.BaseTuple) else (index,)
    if len(items) != typ.ndim or not all(isinstance(i, types.Integer) for i in items):
        return None
    return types.UniTuple(types.int64, len(items)) if isinstance(index, types.BaseTuple) else types.int64


@frontend.signatures.register_global(operator.getitem)
class GetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if isinstance(args[0], FieldArray):
            index = _indices(args[0], args[1])
            return signature(widened(args[0].dtype), args[0], index) if index else None
        return None


@frontend.signatures.register_global(operator.setitem)
class SetItem(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if isinstance(args[0], FieldArray) and not args[0].const:
            index = _indices(args[0], args[1])
            return signature(types.none, args[0], index, widened(args[0].dtype)) if index else None
        return None


def _fault(builder: ir.IRBuilder, field: Any, axis: int, index: Any, extent: Any) -> None:
    """Fill the fault record and end the call if an index is out of range."""
    bad = builder.icmp_unsigned(">=", index, extent)  # a negative index is a huge unsigned one
    with builder.if_then(bad, likely=False):
        name = cgutils.make_bytearray(builder.function.name.encode() + b"\0")
        function = cgutils.global_constant(builder.module, ".function", name)
        record = builder.bitcast(builder.function.args[1], I64.as_pointer())
        words = [
            builder.ptrtoint(field, I64),
            builder.ptrtoint(function, I64),
            I64(axis),
            index,
            extent,
        ]
        for k, word in enumerate(words):
            builder.store(word, builder.gep(record, [I64(k)]))
        builder.ret(I32(abi.FAULT))


def _element(context: Any, builder: ir.IRBuilder, typ: FieldArray, value: Any, itype: types.Type, index: Any) -> Any:
    """Pointer to an element."""
    data, *rest = frontend.members(builder, value)
    items = frontend.members(builder, index) if isinstance(itype, types.BaseTuple) else [index]
    offset = None
    for k, item in enumerate(items):
        if abi.CHECKED:
            _fault(builder, rest[-1], k, item, rest[k])
        if offset is None:
            offset = item
        else:
            offset = builder.add(builder.mul(offset, rest[k], flags=("nsw",)), item, flags=("nsw",))
    return builder.gep(data, [offset], inbounds=True)


@frontend.implementations.lower(operator.getitem, FieldArray, types.Any)
def array_getitem(context: Any, builder: ir.IRBuilder, sig: Any, args: Any) -> Any:
    typ = sig.args[0]
    return _load_as(
        context, builder, typ.dtype, _element(context, builder, typ, args[0], sig.args[1], args[1]), typ.const
    )


@frontend.implementations.lower(operator.setitem, FieldArray, types.Any, types.Any)
def array_setitem(context: Any, builder: ir.IRBuilder, sig: Any, args: Any) -> Any:
    typ = sig.args[0]
    pointer = _element(context, builder, typ, args[0], sig.args[1], args[1])
    _store_as(context, builder, typ.dtype, pointer, args[2], sig.args[2])
    return context.get_dummy_value()


@frontend.signatures.register_global(len)
class Len(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        return signature(types.int64, *args) if isinstance(args[0], FieldArray) else None


@frontend.implementations.lower(len, FieldArray)
def array_len(context: Any, builder: ir.IRBuilder, sig: Any, args: Any) -> Any:
    """The leading extent; for an array that grows, its capacity."""
    return frontend.members(builder, args[0])[1]


# ---------------------------------------------------------------- functions of numbers


@frontend.signatures.register_global(int)
class Int(AbstractTemplate):
    """A number truncated to an integer."""

    def generic(self, args: Any, kws: Any) -> Any:
        known = len(args) == 1 and isinstance(args[0], (types.Integer, types.Float, types.Boolean))
        return signature(types.int64, *args) if known else None


@frontend.implementations.lower(int, types.Any)
def to_int(context: Any, builder: ir.IRBuilder, sig: Any, args: Any) -> Any:
    return context.cast(builder, args[0], sig.args[0], types.int64)


class Extreme(AbstractTemplate):
    """min and max of numbers, unified to one type; numba would compile a function of a tuple of them."""

    def generic(self, args: Any, kws: Any) -> Any:
        if len(args) < 2 or not all(isinstance(a, types.Number) for a in args):
            return None
        unified = self.context.unify_types(*map(types.unliteral, args))
        return signature(unified, *[unified] * len(args))


@frontend.signatures.register_global(min)
class Min(Extreme):
    key = min


@frontend.signatures.register_global(max)
class Max(Extreme):
    key = max


@frontend.implementations.lower(min, types.VarArg(types.Number))
def smallest(context: Any, builder: ir.IRBuilder, sig: Any, args: Any) -> Any:
    return _extreme(builder, "<", sig.return_type, args)


@frontend.implementations.lower(max, types.VarArg(types.Number))
def largest(context: Any, builder: ir.IRBuilder, sig: Any, args: Any) -> Any:
    return _extreme(builder, ">", sig.return_type, args)


def _extreme(builder: ir.IRBuilder, order: str, typ: types.Type, args: Any) -> Any:
    """As Python does it: the first argument, unless a later one is beyond it."""
    compare = builder.fcmp_ordered
    if isinstance(typ, types.Integer):
        compare = builder.icmp_signed if typ.signed else builder.icmp_unsigned
    found, *others = args
    for value in others:
        found = builder.select(compare(order, value, found), value, found)
    return found


@frontend.implementations.lower(operator.contains, types.UniTuple, types.Integer)
def contains(context: Any, builder: ir.IRBuilder, sig: Any, args: Any) -> Any:
    """Whether a number is in a tuple of numbers."""
    values, kind = args[0], sig.args[0].dtype
    equals = context.get_function(operator.eq, signature(types.boolean, kind, sig.args[1]))
    found = context.get_constant(types.boolean, False)
    for k in range(sig.args[0].count):
        found = builder.or_(found, equals(builder, (builder.extract_value(values, k), args[1])))
    return found


# ---------------------------------------------------------------- loops


@frontend.implementations.lower(range, types.int64)
@frontend.implementations.lower(range, types.int64, types.int64)
@frontend.implementations.lower(range, types.int64, types.int64, types.int64)
def make_range(context: Any, builder: ir.IRBuilder, sig: Any, args: Any) -> Any:
    start, stop, step = {1: (I64(0), *args, I64(1)), 2: (*args, I64(1)), 3: args}[len(args)]
    return frontend.struct(builder, context.get_value_type(types.range_state64_type), (start, stop, step))


@frontend.implementations.lower("getiter", types.range_state64_type)
def begin(context: Any, builder: ir.IRBuilder, sig: Any, args: Any) -> Any:
    """Two counters in memory: the next value, and how many are left."""
    start, stop, step = frontend.members(builder, args[0])
    following, left = cgutils.alloca_once(builder, I64), cgutils.alloca_once(builder, I64)
    builder.store(start, following)
    divisor = step
    if not (isinstance(step, ir.Constant) and step.constant):
        # avoid a division by zero; a step of zero gives no iterations
        divisor = builder.select(builder.icmp_signed("==", step, I64(0)), I64(1), step)
    distance = builder.sub(stop, start)
    ahead = builder.icmp_signed(">", distance, I64(0))
    away = builder.xor(ahead, builder.icmp_signed(">", step, I64(0)))
    with builder.if_else(away) as (then, otherwise):
        with then:
            builder.store(I64(0), left)
        with otherwise:
            rest = builder.srem(distance, divisor)
            rest = builder.select(ahead, rest, builder.neg(rest))
            uneven = builder.icmp_signed(">", rest, I64(0))
            count = builder.add(builder.sdiv(distance, divisor), builder.select(uneven, I64(1), I64(0)))
            builder.store(count, left)
    iterator = context.get_value_type(types.range_iter64_type)
    return frontend.struct(builder, iterator, (following, stop, step, left))


@frontend.implementations.lower("iternext", types.range_iter64_type)
def advance(context: Any, builder: ir.IRBuilder, sig: Any, args: Any) -> Any:
    """(value, whether there is one)"""
    following, _, step, left = frontend.members(builder, args[0])
    count = builder.load(left)
    more = builder.icmp_signed(">", count, I64(0))
    value = builder.load(following)
    with builder.if_then(more):
        builder.store(builder.sub(count, I64(1), flags=("nsw",)), left)
        builder.store(builder.add(value, step), following)
    return frontend.struct(builder, context.get_value_type(sig.return_type), (value, more))


# ---------------------------------------------------------------- calls


class Callee(types.Callable, types.Dummy):
    """Type of a kernel or helper that another one calls; of a helper, as compiled for exact units or for others."""

    def __init__(self, function: Kernel | Helper, exact: bool) -> None:
        self.function = function
        self.exact = exact
        # a notebook may define another one of the same name
        super().__init__(f"{function!r} {id(function)} {exact}")

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        if kws:
            raise TypeError(f"{self.name}: call with positional arguments")
        from sim.jit import compiler

        if isinstance(self.function, Helper):
            return compiler.helper_signature(self.function, self.exact, tuple(map(_argument, args)))
        return kernel_signature(self.function)

    def get_call_signatures(self) -> Any:
        return [], True

    def get_impl_key(self, sig: Any) -> Any:
        return (self.function, self.exact, sig.args)


# a callee is a value if a conditional expression selects it
register_model(Callee)(models.OpaqueModel)


def _argument(typ: types.Type) -> types.Type:
    """The type an argument is passed as."""
    typ = types.unliteral(typ)
    return widened(typ) if isinstance(typ, types.Number) else typ


@typeof_impl.register(Kernel)
@typeof_impl.register(Helper)
def callee_type(function: Kernel | Helper, c: Any) -> Callee:
    return Callee(function, isinstance(function, Helper) and frontend.is_exact())


def argument_types(kernel: Kernel) -> tuple[types.Type, ...]:
    return tuple(StructPointer(p) if isinstance(p, Layout) else NATIVE[p] for p in kernel.params)


def kernel_signature(kernel: Kernel) -> Any:
    """The signature of a call through a kernel's cell; its lowering is registered on first use."""
    sig = signature(NATIVE[kernel.returns], *argument_types(kernel))
    define(
        (kernel, False, sig.args),
        sig,
        lambda context, builder, sig, args: _call_cell(kernel, context, builder, sig, args),
    )
    return sig


_defined: set[Any] = set()


def define(key: Any, sig: Any, implementation: Any) -> None:
    """Register the lowering of a call with numba; `key` is what the callee's `get_impl_key` returns."""
    if key not in _defined:
        _defined.add(key)
        frontend.target().insert_func_defn([(implementation, key, sig.args)])


def _call_cell(kernel: Kernel, context: Any, builder: ir.IRBuilder, sig: Any, args: Any) -> Any:
    """Call the address that the kernel's cell holds now."""
    function_type = context.call_conv.get_function_type(sig.return_type, sig.args)
    cell = builder.bitcast(_anchor(builder, kernel.cell_symbol), function_type.as_pointer().as_pointer())
    return call(context, builder, builder.load(cell), sig, args)


def call(context: Any, builder: ir.IRBuilder, function: Any, sig: Any, args: Any) -> Any:
    """Call a native function; return its status to the caller if it failed."""
    with builder.goto_entry_block():
        result = builder.alloca(context.call_conv.get_return_type(sig.return_type).pointee)
    passed = context.get_arg_packer(sig.args).as_arguments(builder, args)
    status = builder.call(function, [result, builder.function.args[1], *passed])
    with cgutils.if_unlikely(builder, builder.icmp_signed("!=", status, I32(abi.OK))):
        builder.ret(status)
    return context.get_returned_value(builder, sig.return_type, builder.load(result))
