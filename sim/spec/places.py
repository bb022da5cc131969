"""Elements of a spec by their place: see `sim/tree_edit.py`."""

from __future__ import annotations

from sim.spec.element import Element
from sim.spec.spec import IN_BODY, SECTIONS, Spec
from sim.tree_edit import SEPARATOR, Place

# sections of which there is one, however often they are written
SINGLE = ("compiler", "option", "size", "statistic", "visual")


def place_of(item: Element) -> Place:
    """The place of an element; MjcfError if it is none that an edit can name."""
    kind, spec = item.kind, item.spec
    if item.tag in SINGLE:
        return Place(item.tag, "")
    if item.tag == "worldbody":
        return Place("body", "world")
    if kind and item.name:
        return Place(kind, item.name)
    if kind in IN_BODY and item.body is not None:
        owner = item.parent.body if kind == "body" and item.parent is not None and item.parent.tag == "frame" else None
        holder = owner or (item.parent if kind == "body" and item.parent is not None else item.body)
        while holder.tag == "replicate" and holder.body is not None:
            holder = holder.body
        nameless = _nameless(holder.members(kind))
        if item in nameless:
            return Place(kind, f"{place_of(holder).key}{SEPARATOR}{kind} {nameless.index(item)}")
    if kind:
        return Place(kind, f"{SEPARATOR}{kind} {_nameless(spec.all(kind)).index(item)}")
    outer = item.parent
    if outer is None or outer.parent is None:
        raise item.error("it is no element that can be changed")
    of, alike = place_of(outer), [child for child in outer.children if child.tag == item.tag]
    number = alike.index(item)
    return Place(f"{of.kind}/{item.tag}{f' {number}' if number else ''}", of.key)


def find(spec: Spec, place: Place) -> Element:
    """The element at a place; MjcfError if there is none. A single section is added if it does not exist."""
    found = _found(spec, place)
    if found is None:
        raise spec.root.error(f"the file has no {place}")
    return found


def _found(spec: Spec, place: Place) -> Element | None:
    kind, _, part = place.kind.rpartition("/")
    if kind and place.kind not in SECTIONS:
        return _part(find(spec, Place(kind, place.key)), part)
    if place.kind in SINGLE:
        return spec.section(place.kind)
    owner, separator, last = place.key.rpartition(SEPARATOR)
    if not separator:
        return spec.find(place.kind, place.key)
    elements = find(spec, Place("body", owner)).members(place.kind) if owner else spec.all(place.kind)
    number = last.rpartition(" ")[2]
    nameless = _nameless(elements)
    return nameless[int(number)] if number.isdigit() and int(number) < len(nameless) else None


def _part(outer: Element, part: str) -> Element | None:
    """A child by its tag and its number among its like; of a single section or class it is added if need be."""
    tag, _, number = part.partition(" ")
    alike = [child for child in outer.children if child.tag == tag]
    at = int(number) if number.isdigit() else 0
    if at < len(alike):
        return alike[at]
    return outer.add(tag) if not alike and (outer.tag in SINGLE or outer.kind == "default") else None


def _nameless(elements: list[Element]) -> list[Element]:
    return [item for item in elements if not item.name]
