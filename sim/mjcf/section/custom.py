"""<custom>: numeric, text and tuple."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sim.attributes.keywords import OBJECT_NAMES, OBJECT_TYPES
from sim.mjcf.columns import starts
from sim.mjcf.read_element import begin_element, read_element
from sim.mjcf.records import Ids, Numeric, Parsed, Text, Tuple, TupleElement, Values, find
from sim.mjcf.schema import read_node
from sim.mjcf.source import Node

LARGEST_NUMERIC = 500


def read_tuple(parsed: Parsed, node: Node) -> Tuple:
    group = read_element(parsed, node, Tuple, "tuple")
    group.elements = tuple(_element(part) for part in node.children)
    if not group.elements:
        raise group.error("the tuple is empty", "add an <element>")
    return group


def read_numeric(parsed: Parsed, node: Node) -> Numeric:
    numeric, values = begin_element(parsed, node, Numeric, "numeric")
    numeric.name = values["name"]
    data = values.get("data", ())
    size = values.get("size", len(data))
    if not 1 <= size <= LARGEST_NUMERIC:
        raise numeric.error(f"size is {size}", f"it must be 1 to {LARGEST_NUMERIC}")
    if len(data) > size:
        raise numeric.error(f"data has {len(data)} values", f"size is {size}: increase it")
    numeric.data = data + (0.0,) * (size - len(data))
    return numeric


def _element(node: Node) -> TupleElement:
    values = read_node(node)
    return TupleElement(
        node, objtype=OBJECT_NAMES[values["objtype"]], objname=values["objname"], prm=values.get("prm", 0.0)
    )


def compile_tuples(tuples: Sequence[Tuple], ids: Ids) -> None:
    for group in tuples:
        for element in group.elements:
            element.objid = find(element, element.objtype, element.objname, ids)


def fill_custom(m: Values, numerics: Sequence[Numeric], texts: Sequence[Text], tuples: Sequence[Tuple]) -> None:
    _sized(m, "numeric", [len(numeric.data) for numeric in numerics])
    m["numeric_data"] = np.array([x for numeric in numerics for x in numeric.data], float)
    encoded = [text.data.encode() + b"\0" for text in texts]
    _sized(m, "text", [len(text) for text in encoded])
    m["text_data"] = np.frombuffer(b"".join(encoded), np.uint8).copy()
    elements = [element for group in tuples for element in group.elements]
    _sized(m, "tuple", [len(group.elements) for group in tuples])
    m["tuple_objtype"] = np.array([OBJECT_TYPES[element.objtype] for element in elements], np.int32)
    m["tuple_objid"] = np.array([element.objid for element in elements], np.int32)
    m["tuple_objprm"] = np.array([element.prm for element in elements], float)


def _sized(m: Values, name: str, sizes: list[int]) -> None:
    m[f"{name}_adr"], m[f"{name}_size"] = starts(sizes)
    m[f"n{name}data"] = sum(sizes)
