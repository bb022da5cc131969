"""Element keys: a text for each element that finds it again after the file was edited elsewhere.

An element with a name is its name. One without has the key of its owner and its ordinal there, from 0, among those
without a name: `torso/geom 2`. The owner of a body is its parent; of a geom, joint, site, camera or light, its body; of
a tendon, pair, equality, actuator or sensor, what it acts on or measures. Keyframes and materials are only counted. A
tree has the key of its root body.

The parts are joined by a character that XML does not allow, so that a key with an ordinal is never a name:
see `sim/tree_edit.py`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Hashable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from app.model.source_tree import SourceTree
from app.model.views import ModelLike
from sim import enums
from sim.analysis.element_types import OBJECTS, OWNERS, TRANSMISSIONS
from sim.mjcf.identity import identities
from sim.tree_edit import SEPARATOR

Keys = dict[str, tuple[str, ...]]

# what a tendon passes -> type of element; a pulley is none
WRAPPED = {
    enums.WRAP_JOINT: "joint", enums.WRAP_SITE: "site", enums.WRAP_SPHERE: "geom", enums.WRAP_CYLINDER: "geom",
}  # fmt: skip
# equalities whose objects have no type in the model
EQUATED = {enums.EQ_JOINT: enums.OBJ_JOINT, enums.EQ_TENDON: enums.OBJ_TENDON}


def element_keys(model: ModelLike) -> Keys:
    """Type of element -> a key for each of its elements, unique within the type."""
    keys: Keys = {"body": _body_keys(model)}
    for kind, owners in OWNERS.items():
        keys[kind] = _keys(model, kind, (keys["body"][body] for body in getattr(model, owners).tolist()))
    for kind in ("key", "material"):
        keys[kind] = _keys(model, kind, [""] * len(model.names[kind]))
    # each after the types that it acts on
    keys["tendon"] = _keys(model, "tendon", _tendon_ends(model, keys))
    pairs = zip(model.pair_geom1.tolist(), model.pair_geom2.tolist(), strict=True)
    keys["pair"] = _keys(model, "pair", (f"{keys['geom'][a]}{SEPARATOR}{keys['geom'][b]}" for a, b in pairs))
    types = np.select([model.eq_type == type_ for type_ in EQUATED], list(EQUATED.values()), model.eq_objtype)
    ends = (_targets(keys, OBJECTS, types, ids) for ids in (model.eq_obj1id, model.eq_obj2id))
    keys["equality"] = _keys(model, "equality", map(SEPARATOR.join, zip(*ends, strict=True)))
    targets = _targets(keys, TRANSMISSIONS, model.actuator_trntype, model.actuator_trnid[:, 0])
    keys["actuator"] = _keys(model, "actuator", targets)
    measured = zip(
        model.sensor_type.tolist(), _targets(keys, OBJECTS, model.sensor_objtype, model.sensor_objid), strict=True
    )
    keys["sensor"] = _keys(model, "sensor", (f"{type_}{SEPARATOR}{target}" for type_, target in measured))
    keys["tree"] = tuple(keys["body"][body] for body in model.tree_bodyadr.tolist())
    return keys


def matched(before: Sequence[str], after: Sequence[str]) -> NDArray[np.intp]:
    """For each element after a change of the file, the index of the same one before, or -1.

    Equally many unknown elements after the same known one are the same: they were renamed.
    """
    found = {key: index for index, key in enumerate(before)}
    old, new = _unknown(before, set(after)), _unknown(after, found.keys())
    for known, indices in new.items():
        if len(indices) == len(old.get(known, ())):
            found |= {after[index]: renamed for index, renamed in zip(indices, old[known], strict=True)}
    return np.array([found.get(key, -1) for key in after], np.intp)


def same_elements(before: ModelLike, after: ModelLike) -> dict[str, NDArray[np.intp]]:
    """Type of element -> for each element after a change of the file, the index of the same one before, or -1."""
    old, new = element_keys(before), element_keys(after)
    found = {kind: matched(old[kind], new[kind]) for kind in new}
    known = _identities(before, after)
    for kind in new.keys() & known.keys():
        was, now = known[kind]
        index = {one: k for k, one in enumerate(was) if one is not None}
        found[kind] = np.array([found[kind][k] if one is None else index.get(one, -1) for k, one in enumerate(now)])
    if known:
        root = {int(body): tree for tree, body in enumerate(before.tree_bodyadr.tolist())}
        bodies = found["body"]
        found["tree"] = np.array([root.get(int(bodies[body]), -1) for body in after.tree_bodyadr.tolist()], np.intp)
    return found


def new_keys(before: ModelLike, after: ModelLike) -> dict[str, dict[str, str]]:
    """Type of element -> the keys that are others after elements of the file were changed, and these.

    An element that is gone, while another has its key now, has a key that no element can have, until it comes back.
    """
    found: dict[str, dict[str, str]] = {}
    known = _identities(before, after)
    old, new = (element_keys(model) if known else {} for model in (before, after))
    for kind in new.keys() & known.keys():
        was, now = (
            dict(zip(ones, keys[kind], strict=True)) for ones, keys in zip(known[kind], (old, new), strict=True)
        )
        there, changed = {*new[kind]}, dict[str, str]()
        for one, key in was.items():
            to = now.get(one) or (_gone(one) if key in there else key)
            if one is not None and to != key:
                changed[key] = to
        changed |= {_gone(one): key for one, key in now.items() if one is not None and one not in was}
        found[kind] = changed
    return found


def _gone(one: object) -> str:
    return f"{SEPARATOR}gone {one!r}"


def _identities(before: ModelLike, after: ModelLike) -> dict[str, tuple[list[Hashable], list[Hashable]]]:
    """Type of element -> what the elements of both models are; empty if their files on disk are not the same."""
    trees = [getattr(model, "tree", None) for model in (before, after)]
    models = zip(trees, (before, after), strict=True)
    old, new = (identities(tree.model if isinstance(tree, SourceTree) else model) for tree, model in models)
    if old is None or new is None or old[0] != new[0]:
        return {}
    return {kind: (old[1][kind], new[1][kind]) for kind in old[1].keys() & new[1].keys()}


def _unknown(keys: Sequence[str], known: Container[str]) -> dict[str | None, list[int]]:
    """The elements whose keys are not known, by the known key that they follow."""
    found: dict[str | None, list[int]] = {}
    last = None
    for index, key in enumerate(keys):
        if key in known:
            last = key
        else:
            found.setdefault(last, []).append(index)
    return found


def _body_keys(model: ModelLike) -> tuple[str, ...]:
    keys: list[str] = []
    nameless: defaultdict[int, int] = defaultdict(int)
    for name, parent in zip(model.names["body"], model.body_parentid.tolist(), strict=True):
        if not name:
            # parents come before their children
            name = f"{keys[parent]}{SEPARATOR}body {nameless[parent]}"
            nameless[parent] += 1
        keys.append(name)
    return tuple(keys)


def _keys(model: ModelLike, kind: str, owners: Iterable[str]) -> tuple[str, ...]:
    """The names of elements; for those without one, the owner and the ordinal there."""
    keys: list[str] = []
    nameless: defaultdict[str, int] = defaultdict(int)
    for name, owner in zip(model.names[kind], owners, strict=True):
        if not name:
            name = f"{owner}{SEPARATOR}{kind} {nameless[owner]}"
            nameless[owner] += 1
        keys.append(name)
    return tuple(keys)


def _targets(keys: Keys, kinds: dict[int, str], types: NDArray[np.int32], ids: NDArray[np.int32]) -> list[str]:
    """The keys of the elements that others act on; empty for those that are not listed in `kinds`."""
    return [
        keys[kinds[type_]][index] if type_ in kinds and index >= 0 else ""
        for type_, index in zip(types.tolist(), ids.tolist(), strict=True)
    ]


def _tendon_ends(model: ModelLike, keys: Keys) -> list[str]:
    """The first and the last element on the path of each tendon."""
    passed = _targets(keys, WRAPPED, model.wrap_type, model.wrap_objid)
    return [
        f"{passed[first]}{SEPARATOR}{passed[first + count - 1]}"
        for first, count in zip(model.tendon_adr.tolist(), model.tendon_num.tolist(), strict=True)
    ]
