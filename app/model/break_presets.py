"""Presets of breakpoints: expressions for what one often waits for, with the element that is selected."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from app.model.selection import COUNTS, Selection
from app.model.views import ModelView, StateView
from sim.analysis.element_names import described
from sim.analysis.elements import reference
from sim.enums import JNT_BALL, JNT_FREE


class Preset(NamedTuple):
    """What is waited for, of which types of elements (none: of the whole), and the expression of one of them."""

    label: str
    kinds: tuple[str, ...]
    expression: Callable[[ModelView, StateView, Selection], str]


class Offer(NamedTuple):
    """A preset for an element, ready to be watched."""

    label: str
    element: str
    expression: str


def sides(model: ModelView, state: StateView, chosen: Selection) -> str:
    """The names of a contact's two sides, or of a body or geom, as arguments of a measure."""
    if chosen.kind != "contact":
        return f'"{reference(model.names, chosen.kind, chosen.index)}"'
    # a flex has no name in expressions
    geoms = [int(geom) for geom in state.contact.geom[chosen.index] if geom >= 0]
    bodies = [int(model.geom_bodyid[geom]) for geom in geoms]
    # the floor and its like are known by their geoms, what moves by its body
    sides = [("geom", geom) if body == 0 else ("body", body) for geom, body in zip(geoms, bodies, strict=True)]
    return ", ".join(f'"{reference(model.names, *side)}"' for side in sides)


def _limit(model: ModelView, _state: StateView, chosen: Selection) -> str:
    limited = model.jnt_limited if chosen.kind == "joint" else model.tendon_limited
    if not limited[chosen.index]:
        return ""
    return f'limit_distance("{reference(model.names, chosen.kind, chosen.index)}") <= 0'


def _saturates(model: ModelView, _state: StateView, chosen: Selection) -> str:
    first = int(model.actuator_ctrladr[chosen.index])
    controls = range(first, first + int(model.actuator_ctrlnum[chosen.index]))
    if not (model.actuator_forcelimited[chosen.index] or any(model.actuator_ctrllimited[c] for c in controls)):
        return ""
    return f'saturation("{reference(model.names, "actuator", chosen.index)}") >= 1'


def _wakes(model: ModelView, state: StateView, chosen: Selection) -> str:
    body = chosen.body(model, state)
    return f'awake("{reference(model.names, "body", body)}")' if body >= 0 and model.body_treeid[body] >= 0 else ""


def _speed(model: ModelView, _state: StateView, chosen: Selection) -> str:
    name = model.names[chosen.kind][chosen.index]
    if chosen.kind == "body":
        rows = f'd.body("{name}").cvel[3:]' if name else f"d.cvel[{chosen.index}, 3:]"
        return f"norm({rows}) > 5"
    dof, type_ = int(model.jnt_dofadr[chosen.index]), int(model.jnt_type[chosen.index])
    if type_ in (JNT_FREE, JNT_BALL):
        return f"norm(d.qvel[{dof}:{dof + 3}]) > 5"
    return f'abs(d.joint("{name}").qvel[0]) > 10' if name else f"abs(d.qvel[{dof}]) > 10"


TOUCHING = ("contact", "body", "geom")
ANY = ("",)
PRESETS = (
    Preset("contact begins", TOUCHING, lambda m, s, e: f"touching({sides(m, s, e)})"),
    Preset("contact ends", TOUCHING, lambda m, s, e: f"not touching({sides(m, s, e)})"),
    Preset("force above", TOUCHING, lambda m, s, e: f"normal_force({sides(m, s, e)}) > 100"),
    Preset("depth above", TOUCHING, lambda m, s, e: f"depth({sides(m, s, e)}) > 0.005"),
    Preset("slips", TOUCHING, lambda m, s, e: f"slip_speed({sides(m, s, e)}) > 0.05"),
    Preset("reaches its limit", ("joint", "tendon"), _limit),
    Preset("saturates", ("actuator",), _saturates),
    Preset("speed above", ("joint", "body"), _speed),
    Preset("wakes", ("body", "tree"), _wakes),
    Preset("any contact begins", ANY, lambda m, s, e: "touching()"),
    Preset("any depth above", ANY, lambda m, s, e: "depth() > 0.005"),
    Preset("energy rises", ANY, lambda m, s, e: "rises(energy()) > 0.01"),
    Preset("solver does not converge", ANY, lambda m, s, e: "not converged()"),
    Preset("time reached", ANY, lambda m, s, e: f"d.time >= {float(s.time) + 1:.4g}"),
)  # fmt: skip
# elements of a type that a menu lists
MOST_LISTED = 200


def offers(model: ModelView, state: StateView, selection: Selection | None) -> list[Offer]:
    """The presets that fit the selection, or those of the whole if there is none."""
    chosen = selection if selection is not None and selection.exists(model, state) else None
    kind = chosen.kind if chosen is not None else ""
    found = [(preset, chosen or Selection("", 0)) for preset in PRESETS if kind in preset.kinds]
    made = [(preset, element, preset.expression(model, state, element)) for preset, element in found]
    return [Offer(preset.label, element.kind, text) for preset, element, text in made if text]


def elements(model: ModelView, state: StateView, preset: Preset) -> list[Offer]:
    """What a preset can be about: a line for each element, named."""
    found = []
    for kind in preset.kinds:
        if kind in COUNTS and kind != "tree":
            for index in range(min(int(getattr(model, COUNTS[kind])), MOST_LISTED)):
                text = preset.expression(model, state, Selection(kind, index))
                if text and (kind, index) != ("body", 0):
                    found.append(Offer(described(model, kind, index), kind, text))
    return found
