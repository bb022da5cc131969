"""Labels of elements: position in the world and text; the overlays draw them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.model.flex_bodies import touching_flexes
from app.model.views import ModelView, StateView
from app.scene.decor.equalities import equality_ends
from app.scene.decor.frames import GROUPED, in_visible_groups
from app.scene.decor.user_geoms import UserGeom
from app.scene.visual_options import VisualOptions
from sim.analysis.element_names import element_name
from sim.enums import OBJ_BODY, OBJ_SITE, TRN_BODY, TRN_JOINT, TRN_JOINTINPARENT, TRN_SITE, TRN_SLIDERCRANK, TRN_TENDON
from sim.script.contact_force import contact_forces

Array = NDArray[np.float64]
# position and text
Label = tuple[Array, str]


def labels(
    model: ModelView, state: StateView, options: VisualOptions, selected: int = -1, user_geoms: Iterable[UserGeom] = ()
) -> list[Label]:
    """Labels of the elements that the user chose, and of user geoms."""
    made = MAKERS[options.label](model, state, selected) if options.label in MAKERS else []
    if options.label in GROUPED and made:
        made = [made[i] for i in np.flatnonzero(in_visible_groups(model, options.label, options)).tolist()]
    made += [(np.asarray(geom.pos, float), geom.label) for geom in user_geoms if geom.label]
    return [(position, text) for position, text in made if np.isfinite(position).all()]


def _named(kind: str, positions: Callable[[ModelView, StateView], Any], first: int = 0) -> Callable[..., list[Label]]:
    """Labels with the names of elements, or their ids."""

    def make(model: ModelView, state: StateView, _: int) -> list[Label]:
        found = enumerate(positions(model, state))
        return [(position, element_name(model, kind, i)) for i, position in found if i >= first]

    return make


def _tendon_positions(model: ModelView, state: StateView) -> list[Array]:
    """The middle point of each tendon path."""
    points = np.asarray(state.wrap_xpos).reshape(-1, 3)
    middle = [int(a) + int(n) // 2 for a, n in zip(state.ten_wrapadr, state.ten_wrapnum, strict=True)]
    return [points[m] if n else np.full(3, np.nan) for m, n in zip(middle, state.ten_wrapnum, strict=True)]


def _actuator_positions(model: ModelView, state: StateView) -> list[Array]:
    """Where each actuator acts."""
    positions = []
    tendons = _tendon_positions(model, state) if model.ntendon else []
    for kind, (target, _) in zip(model.actuator_trntype, model.actuator_trnid, strict=True):
        if kind in (TRN_JOINT, TRN_JOINTINPARENT):
            positions.append(state.xanchor[target])
        elif kind in (TRN_SITE, TRN_SLIDERCRANK):
            positions.append(state.site_xpos[target])
        elif kind == TRN_TENDON:
            positions.append(tendons[target])
        else:
            positions.append(state.xipos[target] if kind == TRN_BODY else np.full(3, np.nan))
    return positions


def _skin_positions(model: ModelView, state: StateView) -> list[Array]:
    """The first bone of each skin."""
    return [state.xpos[model.skin_bonebodyid[int(first)]] for first in model.skin_boneadr]


def _flex_positions(model: ModelView, state: StateView) -> list[Array]:
    """The middle of the vertices of each flex."""
    spans = zip(model.flex_vertadr, model.flex_vertnum, strict=True) if model.nflex else ()
    return [state.flexvert_xpos[int(first) : int(first) + int(count)].mean(axis=0) for first, count in spans]


def _equality_positions(model: ModelView, state: StateView) -> list[Array]:
    """The first body or site, or the first end of an equality of joints, tendons or geoms."""
    position_of = {OBJ_BODY: state.xpos, OBJ_SITE: state.site_xpos}
    return [
        position_of[int(kind)][int(first)] if int(kind) in position_of else equality_ends(model, state, e)[0]
        for e, (kind, first) in enumerate(zip(model.eq_objtype, model.eq_obj1id, strict=True))
    ]


def _selection(model: ModelView, state: StateView, selected: int) -> list[Label]:
    return [(state.xpos[selected], element_name(model, "body", selected))] if selected > 0 else []


def _contacts(model: ModelView, state: StateView, _: int) -> list[Label]:
    """The two geoms or flexes, and the distance."""
    names = [" – ".join(_touching(model, state, i)) for i in range(len(state.contact.dim))]
    texts = (f"{pair}  {1e3 * depth:.2f} mm" for pair, depth in zip(names, state.contact.dist, strict=True))
    return list(zip(state.contact.pos, texts, strict=True))


def _touching(model: ModelView, state: StateView, contact: int) -> Iterator[str]:
    """The names of the geoms or flexes of a contact."""
    for geom, flex in zip(state.contact.geom[contact].tolist(), touching_flexes(state, contact), strict=True):
        yield element_name(model, "geom", geom) if flex < 0 else element_name(model, "flex", flex)


def _contact_forces(model: ModelView, state: StateView, _: int) -> list[Label]:
    force = np.linalg.norm(contact_forces(state)[:, :3], axis=1)
    return [(position, f"{f:.3g} N") for position, f in zip(state.contact.pos, force, strict=True) if f > 0]


def _islands(model: ModelView, state: StateView, _: int) -> list[Label]:
    """At the root of each tree: its island, or that it is asleep."""
    made = []
    asleep = getattr(state, "tree_asleep", None)
    for body in np.flatnonzero(np.asarray(model.body_rootid) == np.arange(model.nbody))[1:].tolist():
        tree = int(model.body_treeid[body])
        if tree >= 0:
            island = int(state.tree_island[tree])
            text = f"island {island}" if 0 <= island < int(state.nisland) else "alone"
            made.append((state.xpos[body], "asleep" if asleep is not None and asleep[tree] >= 0 else text))
    return made


MAKERS: dict[str, Callable[[ModelView, StateView, int], list[Label]]] = {
    "body": _named("body", lambda model, state: state.xpos, first=1),
    "joint": _named("joint", lambda model, state: state.xanchor),
    "geom": _named("geom", lambda model, state: state.geom_xpos),
    "site": _named("site", lambda model, state: state.site_xpos),
    "camera": _named("camera", lambda model, state: state.cam_xpos),
    "light": _named("light", lambda model, state: state.light_xpos),
    "tendon": _named("tendon", _tendon_positions),
    "actuator": _named("actuator", _actuator_positions),
    "constraint": _named("equality", _equality_positions),
    "flex": _named("flex", _flex_positions),
    "skin": _named("skin", _skin_positions),
    "selection": _selection,
    "contact": _contacts,
    "contact force": _contact_forces,
    "island": _islands,
}
