"""Building: what the user does to the elements of the file, from menus, keys, the palette and the model tree.

Each function plans changes (`sim.spec.actions`, `sim.spec.new`) and sends them as one edit; what cannot be done is a
sentence on a card. What others refer to is asked about first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from app.model.selection import COUNTS, PLACES, Selection
from app.model.source_tree import SourceTree
from app.model.views import ModelView
from app.run.commands import EditTree, Report, Send
from app.run.snapshot import Snapshot
from app.view.build_state import Building, Point, Question
from app.view.view_state import ViewState
from sim import MjcfError
from sim.analysis.element_names import described
from sim.tree_edit import TreeEdit

if TYPE_CHECKING:
    from sim.spec import Element

NO_CHANGE = "That change cannot be made"
# types of elements that are in the file as such
OF_FILE = (*PLACES, "tendon", "actuator", "sensor", "equality", "pair", "key")
# how many elements a question names
NAMED = 4
Plan = Callable[[SourceTree], Sequence[TreeEdit]]


def selected(view: ViewState) -> list[Selection]:
    """All that is selected and can be in a file: what was chosen last is first."""
    chosen = sorted(view.of(Building).chosen, key=lambda one: (one.kind, one.index))
    return [one for one in dict.fromkeys((view.selection, *chosen)) if one is not None and one.kind in OF_FILE]


def toggle_chosen(view: ViewState, kind: str, index: int) -> None:
    """Add an element to those that are chosen, or take it out of them."""
    building, one = view.of(Building), Selection(kind, index)
    if view.selection is not None:
        building.chosen.add(view.selection)
    building.chosen ^= {one}
    view.selection = one if one in building.chosen else next(iter(building.chosen), None)
    view.feedback.show_message(f"{len(building.chosen)} selected")


def choose(view: ViewState, kind: str, index: int) -> None:
    """Select one element, and no other."""
    view.of(Building).chosen.clear()
    view.select(kind, index)


def why_not(snapshot: Snapshot) -> str:
    """Why elements cannot be changed; empty if they can."""
    model, run = snapshot.model, snapshot.run
    if model is None or not run.path:
        return "only a model that was opened from a file can have its elements changed"
    return model.tree.why_not


def make(view: ViewState, snapshot: Snapshot, send: Send, plan: Plan, text: str = "") -> None:
    """Plan changes and send them; an error is shown."""
    edits = _planned(snapshot, send, plan)
    if edits:
        _send(view, send, edits, text)


def _planned(snapshot: Snapshot, send: Send, plan: Plan) -> tuple[TreeEdit, ...]:
    why = why_not(snapshot)
    try:
        if not why and snapshot.model is not None:
            return tuple(plan(snapshot.model.tree))
    except MjcfError as error:
        why = sentence(error)
    send(Report(NO_CHANGE, why))
    return ()


def sentence(error: MjcfError) -> str:
    """What an error says, without the place in the file."""
    return f"{error.message}; {error.cure}" if error.cure else error.message


def _send(view: ViewState, send: Send, edits: tuple[TreeEdit, ...], text: str = "") -> None:
    view.of(Building).awaited = tuple(_added(edits))
    send(EditTree(edits, text))


def _added(edits: Sequence[TreeEdit]) -> list[tuple[str, str]]:
    """Types and names of what edits add."""
    from sim.mjcf.attach.references import TREE_TAGS, kind_of
    from sim.spec.spec import SECTIONS

    found = []
    for edit in edits:
        name = dict(edit.attributes).get("name")
        if edit.action == "add" and name:
            kind = TREE_TAGS.get(edit.tag) or kind_of(SECTIONS.get(edit.tag, ""), edit.tag.rpartition("/")[2])
            found.append((kind, name))
    return found


def follow(view: ViewState, snapshot: Snapshot) -> None:
    """Select what was added, once the model has it."""
    building, model = view.of(Building), snapshot.model
    if model is None or not building.awaited:
        return
    found = [(kind, list(model.names.get(kind, ())).index(name)) for kind, name in building.awaited
             if kind in COUNTS and name in model.names.get(kind, ())]  # fmt: skip
    if found:
        building.awaited = ()
        view.select(*found[0])
        building.chosen = {Selection(*one) for one in found if one[0] == found[0][0]} if len(found) > 1 else set()


# ---- what menus, keys and the palette do


def delete(view: ViewState, snapshot: Snapshot, send: Send, elements: Sequence[Selection]) -> None:
    """Delete elements; if others go with them or lose something, ask first."""
    from sim.spec.actions import consequences
    from sim.spec.actions import delete as plan_delete

    model = snapshot.model
    edits = _planned(snapshot, send, lambda tree: plan_delete(_all(tree, elements)))
    if not edits or model is None:
        return
    found = consequences(_all(model.tree, elements))
    view.deselect()
    view.of(Building).chosen.clear()
    if not found:
        _send(view, send, edits, _text("deleted", model, elements))
        return
    lines = []
    if found.deleted:
        lines.append(f"{_listed(found.deleted)} cannot be without it.")
    if found.lost:
        others = list(dict.fromkeys(item for item, _ in found.lost))
        lines.append(f"{_listed(others)} lose{'s' if len(others) == 1 else ''} what refers to it.")
    title = f"Delete {_names(model, elements)}?"
    view.of(Building).question = Question(title, "\n".join(lines), edits, _text("deleted", model, elements))


def answer(view: ViewState, send: Send, yes: bool) -> None:
    """The user has answered the question."""
    building = view.of(Building)
    question, building.question = building.question, None
    if yes and question is not None:
        send(EditTree(question.edits, question.said))


def duplicate(view: ViewState, snapshot: Snapshot, send: Send, elements: Sequence[Selection]) -> None:
    """Copies of elements, next to them."""
    from sim.spec.actions import duplicate as plan_duplicate

    model = snapshot.model
    if model is None:
        return
    aside = _size(snapshot, elements) if any(one.kind in PLACES for one in elements) else 0.0
    pos = (0.0, aside, 0.0) if aside else None
    make(view, snapshot, send, lambda tree: plan_duplicate(_all(tree, elements), pos), _text("copied", model, elements))


def rename(view: ViewState, snapshot: Snapshot, send: Send, element: Selection, name: str) -> None:
    """Give an element another name."""
    from sim.spec.actions import rename as plan_rename

    make(view, snapshot, send, lambda tree: plan_rename(tree.element(element.kind, element.index), name))


def move(
    view: ViewState, snapshot: Snapshot, send: Send, elements: Sequence[Selection], into: int,
    before: Selection | None = None,
) -> None:  # fmt: skip
    """Move elements to another body, where they are in the world."""
    from sim.spec.actions import reparent

    def plan(tree: SourceTree) -> Sequence[TreeEdit]:
        first = None if before is None else tree.element(before.kind, before.index)
        return reparent(_all(tree, elements), tree.element("body", into), first)

    make(view, snapshot, send, plan)


def reorder(view: ViewState, snapshot: Snapshot, send: Send, element: Selection, step: int) -> None:
    """Move an element before the one in front of it, or behind the next one, of its type."""
    from sim.spec.actions import reorder as plan_reorder

    def plan(tree: SourceTree) -> Sequence[TreeEdit]:
        item = tree.element(element.kind, element.index)
        alike = [one for one in (item.parent.children if item.parent is not None else ()) if one.kind == item.kind]
        at = alike.index(item)
        if not 0 <= at + step < len(alike):
            return []
        if step < 0:
            return plan_reorder(item, alike[at - 1])
        return plan_reorder(alike[at + 1], item)

    make(view, snapshot, send, plan)


def add_shape(
    view: ViewState, snapshot: Snapshot, send: Send, kind: str, at: Point | None = None, into: int = 0
) -> None:
    """A shape: free to move in the world, or a part of a body; where the pointer was, or in the middle of the view."""
    from sim.spec.new import half_size, new_shape

    model = snapshot.model
    if model is None:
        return
    extent = float(model.stat.extent)
    place = at if at is not None else tuple(map(float, view.camera.lookat))
    lifted = (place[0], place[1], place[2] + (1.5 * half_size(extent) if kind != "plane" else 0.0))
    pos = (0.0, 0.0, 0.0) if into else tuple(round(x, 3) for x in lifted)
    make(view, snapshot, send, lambda tree: new_shape(
        tree.spec, kind, extent, tree.element("body", into) if into else None, pos))  # fmt: skip


def add_member(view: ViewState, snapshot: Snapshot, send: Send, body: int, tag: str) -> None:
    """A site, camera, light or body in a body, at its origin."""
    from sim.spec.new import new_body, new_member

    model = snapshot.model
    if model is None:
        return
    extent, origin = float(model.stat.extent), (0.0, 0.0, 0.0)

    def plan(tree: SourceTree) -> Sequence[TreeEdit]:
        holder = tree.element("body", body)
        return new_body(holder, extent, origin) if tag == "body" else new_member(holder, tag, extent, origin)

    make(view, snapshot, send, plan)


def add_joint(view: ViewState, snapshot: Snapshot, send: Send, body: int, kind: str) -> None:
    """A joint in a body."""
    from sim.spec.new import new_joint

    make(view, snapshot, send, lambda tree: new_joint(tree.element("body", body), kind))


def add_actuators(view: ViewState, snapshot: Snapshot, send: Send, elements: Sequence[Selection], kind: str) -> None:
    """An actuator for each joint that is meant: that of a joint, those of a body and of what is in it."""
    from sim.spec.new import new_actuators

    model = snapshot.model
    if model is None:
        return
    joints = joints_of(model, elements)
    inertia = [model.tree.number("dof_M0", int(model.jnt_dofadr[joint])) for joint in joints]
    make(view, snapshot, send, lambda tree: new_actuators([tree.element("joint", j) for j in joints], kind, inertia))


def joints_of(model: ModelView, elements: Sequence[Selection]) -> list[int]:
    """The joints that elements are, or that move bodies and what is in them."""
    found = [one.index for one in elements if one.kind == "joint"]
    bodies = {one.index for one in elements if one.kind == "body"}
    for body in range(1, int(model.nbody)):
        # parents come before their children
        if int(model.body_parentid[body]) in bodies:
            bodies.add(body)
    found += [joint for joint in range(int(model.njnt)) if int(model.jnt_bodyid[joint]) in bodies]
    return list(dict.fromkeys(found))


def add_sensor(view: ViewState, snapshot: Snapshot, send: Send, element: Selection, tag: str) -> None:
    """A sensor of an element."""
    from sim.spec.new import new_sensor

    make(view, snapshot, send, lambda tree: new_sensor(tree.element(element.kind, element.index), f"{tag}"))


def add_between(view: ViewState, snapshot: Snapshot, send: Send, elements: Sequence[Selection], tag: str) -> None:
    """A constraint, pair, exclude or tendon between two elements."""
    from sim.spec.new import new_between

    first, second = elements[:2]
    make(view, snapshot, send, lambda tree: new_between(
        tree.element(second.kind, second.index), tree.element(first.kind, first.index), tag))  # fmt: skip


def offers(elements: Sequence[Selection], model: ModelView) -> list[tuple[str, Callable[..., None]]]:
    """What can be added to elements: a title, and what takes the view, the snapshot and `send`."""
    found: list[tuple[str, Callable[..., None]]] = []
    if not elements:
        return found
    first = elements[0]
    kinds = {one.kind for one in elements}
    if kinds == {"body"} and len(elements) == 1:
        body = first.index
        found += [(shape, partial(_shape, shape, body)) for shape in ("sphere", "box", "capsule", "cylinder")]
        if body:
            found += [(f"{joint} joint", partial(_joint, joint, body)) for joint in ("hinge", "slide", "ball", "free")]
        found += [(tag, partial(_member, tag, body)) for tag in ("body", "site", "camera", "light")]
    if kinds <= {"body", "joint"} and joints_of(model, elements):
        which = "" if kinds == {"joint"} and len(elements) == 1 else " for every joint"
        titles = {"position": "position servo", "velocity": "velocity servo", "motor": "motor"}
        found += [(f"{title}{which}", partial(_actuators, kind, elements)) for kind, title in titles.items()]
    sensors = {
        "joint": ("jointpos", "jointvel"), "site": ("accelerometer", "gyro", "force", "torque", "framepos"),
        "body": ("framepos", "framelinvel", "subtreecom"), "actuator": ("actuatorfrc",), "tendon": ("tendonpos",),
    }  # fmt: skip
    if len(elements) == 1 and (first.kind, first.index) != ("body", 0):
        found += [(f"sensor {tag}", partial(_sensor, tag, first)) for tag in sensors.get(first.kind, ())]
    if len(elements) == 2 and len(kinds) == 1:
        between = {"body": ("connect", "weld", "exclude"), "geom": ("pair",), "site": ("spatial",),
                   "joint": ("equality/joint",)}  # fmt: skip
        words = {"spatial": "tendon between them", "equality/joint": "equality of both joints"}
        found += [(words.get(tag, f"{tag} of both"), partial(_between, tag, elements))
                  for tag in between.get(first.kind, ())]  # fmt: skip
    return found


def _shape(shape: str, body: int, view: ViewState, snapshot: Snapshot, send: Send) -> None:
    add_shape(view, snapshot, send, shape, into=body)


def _joint(kind: str, body: int, view: ViewState, snapshot: Snapshot, send: Send) -> None:
    add_joint(view, snapshot, send, body, kind)


def _member(tag: str, body: int, view: ViewState, snapshot: Snapshot, send: Send) -> None:
    add_member(view, snapshot, send, body, tag)


def _actuators(kind: str, elements: Sequence[Selection], view: ViewState, snapshot: Snapshot, send: Send) -> None:
    add_actuators(view, snapshot, send, elements, kind)


def _sensor(tag: str, element: Selection, view: ViewState, snapshot: Snapshot, send: Send) -> None:
    add_sensor(view, snapshot, send, element, tag)


def _between(tag: str, elements: Sequence[Selection], view: ViewState, snapshot: Snapshot, send: Send) -> None:
    add_between(view, snapshot, send, elements, tag)


def _all(tree: SourceTree, elements: Sequence[Selection]) -> list[Element]:
    return [tree.element(one.kind, one.index) for one in elements]


def _size(snapshot: Snapshot, elements: Sequence[Selection]) -> float:
    """How wide elements are together."""
    model, state = snapshot.model, snapshot.state
    if model is None or state is None:
        return 0.0
    radii = [one.radius(model, state) for one in elements]
    widest = max((radius for radius in radii if np.isfinite(radius)), default=0.0)
    return round(2.2 * widest, 3)


def _names(model: ModelView, elements: Sequence[Selection]) -> str:
    names = [described(model, one.kind, one.index) for one in elements[:NAMED]]
    return ", ".join(names) + (f" and {len(elements) - NAMED} more" if len(elements) > NAMED else "")


def _text(done: str, model: ModelView, elements: Sequence[Selection]) -> str:
    return f"{done}: {_names(model, elements)}"


def _listed(items: Sequence[Element]) -> str:
    names = [f"{item.tag} {item.name}".strip() for item in items[:NAMED]]
    return ", ".join(names) + (f" and {len(items) - NAMED} more" if len(items) > NAMED else "")
