"""Finds a number of a model by what one types: `geom:foot.friction`, `actuator:knee.kp`, `timestep`, `gravity.z`."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from app.background.field_choice import PHYSICAL, FieldChoice, choices_of, options_of
from app.model.views import ModelView
from sim import Model
from sim.analysis.elements import BadElement, find, nearest
from sim.user_error import UserError

AXES = (" x", " y", " z")


class BadField(UserError, ValueError):
    """There is no such number; the message says what there is."""


def field_named(text: str, model: Model, view: ModelView) -> FieldChoice:
    """The number that a text means: an option, or an element, a dot and an attribute with or without its component.

    Of a vector the first number is meant, unless its components are axes.
    """
    options = options_of(view)
    option = _chosen(text.removeprefix("opt."), options)
    if option is not None:
        return option
    parts = text.split(".")
    # an element's name may have dots
    for count in (1, 2):
        if len(parts) > count:
            element, name = ".".join(parts[:-count]), ".".join(parts[-count:])
            try:
                kind, index = find(model, element, sorted(PHYSICAL))
            except BadElement as error:
                names = [choice.name.replace(" ", ".") for choice in options]
                meant = get_close_matches(text, names, 1)
                reason = f"no option is named {text!r}{nearest(text, names)}" if meant else str(error)
                continue
            known = choices_of(view, kind, index)
            chosen = _chosen(name, known)
            if chosen is not None:
                return chosen
            reason = f"{element} has no {name!r}{nearest(name, [choice.name for choice in known])}"
    if len(parts) == 1:
        reason = f"no option is named {text!r}{nearest(text, [choice.name for choice in options])}"
    raise BadField(f"{reason.rstrip('?')}; write it as geom:foot.friction, actuator:knee.kp, timestep or gravity.z")


def _chosen(name: str, choices: Sequence[FieldChoice]) -> FieldChoice | None:
    """The choice of a name, or the first of a vector."""
    words = name.replace(".", " ").strip()
    for choice in choices:
        if choice.name == words:
            return choice
    parts = [choice for choice in choices if choice.name.startswith(f"{words} ")]
    if parts and parts[0].name.endswith(AXES):
        raise BadField(f"specify one of {', '.join(part.name for part in parts)}")
    return parts[0] if parts and words else None
