"""Doctor: collisions that are filtered away though they look meant: what falls through the floor, feet, odd twins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np

from app.instruments.doctor import structure
from app.instruments.doctor.collidable import Collidable
from app.instruments.doctor.finding import Finding, Fix, Place, Severity, elements
from app.instruments.doctor.subject import Subject
from app.model.selection import Selection
from app.run.commands import SetField, SetFlag
from sim.enums import DSBL_CONTACT, EQ_JOINT, EQ_TENDON, OBJ_GEOM, OBJ_SITE, WRAP_SITE

# words for what is shown and not touched
PHANTOMS = re.compile(r"target|goal|ghost|marker|visual|sensor|dummy|hint", re.IGNORECASE)
# left and right, in names
SIDES = re.compile(r"left|right|(?<![a-z])[lr](?![a-z])|^[lr](?=[A-Z])|\d+", re.IGNORECASE)
# share of a tree's bodies that collide, above which one that does not is odd
MOSTLY = 0.6
# share of a tree's height in which its feet are
LOW = 0.15


def check_filters(subject: Subject) -> Iterator[Finding]:
    """The ground, whole trees, and parts of trees."""
    collidable = subject.collidable
    if not collidable.falls:
        return
    if not collidable.enabled:
        yield from _switched_off(subject, collidable)
        return
    floor = list(_floor(subject, collidable))
    yield from floor
    if not floor:
        yield from _falling(subject, collidable)
        yield from _parts(subject, collidable)
    yield from _excluded(subject, collidable)
    yield from _twins(subject, collidable)


def _switched_off(subject: Subject, collidable: Collidable) -> Iterator[Finding]:
    trees = [tree for tree in collidable.standing if not _held(subject, tree)]
    floor = collidable.solid & collidable.ground
    if not trees or not int(subject.model.opt.disableflags) & DSBL_CONTACT or not floor.any():
        return
    body = int(subject.model.tree_bodyadr[trees[0]])
    yield Finding(
        "contacts-disabled",
        Severity.WARNING,
        Selection("option", 0),
        f"contacts are switched off, and {subject.name('body', body)} falls forever",
        "The contact flag is disabled, although there is a floor.",
        1.0,
        (Fix("switch contacts on", (SetFlag("opt.disableflags", DSBL_CONTACT, on=False),)),),
        attribute="contact",
    )


def _floor(subject: Subject, collidable: Collidable) -> Iterator[Finding]:
    """A floor that touches nothing, though things that collide are above it and there is no other."""
    m = subject.model
    hollow = [int(geom) for geom in np.flatnonzero(collidable.floors & ~collidable.touching)]
    trees = [tree for tree in collidable.standing if not _held(subject, tree)]
    falling = [tree for tree in trees if collidable.solid[collidable.geoms_of(tree)].any()]
    lost = [tree for tree in falling if not collidable.stopped[collidable.geoms_of(tree)].any()]
    if not hollow or (collidable.floors & collidable.touching).any():
        return
    # one body that does not match the floor is the odd one itself
    off = [geom for geom in hollow if not collidable.solid[geom]]
    if not off and len(lost) < 2:
        return
    geom = (off or hollow)[0]
    victims = lost or falling
    if not victims and not (collidable.solid & ~collidable.fixed).any():
        return
    title = f"{subject.name('geom', geom)} touches nothing"
    if victims:
        more = f" and {len(victims) - 1} more" if len(victims) > 1 else ""
        title += f": {subject.name('body', int(m.tree_bodyadr[victims[0]]))}{more} would fall through it"
    yield Finding(
        "floor-filtered",
        Severity.ERROR if victims else Severity.NOTE,
        Selection("geom", geom),
        title,
        "Two geoms touch if a bit of one's contype is in the other's conaffinity. Here contype is "
        f"{collidable.contype[geom]}, conaffinity {collidable.conaffinity[geom]}.",
        2.0 if victims else 0.3,
        (_touchable(subject, [geom], "let the floor touch everything"),),
        others=elements("body", (int(m.tree_bodyadr[tree]) for tree in victims)),
        attribute="contype",
    )


def _falling(subject: Subject, collidable: Collidable) -> Iterator[Finding]:
    """Trees with geoms that no geom of the world can stop, though there is one to fall on."""
    m = subject.model
    if not (collidable.solid & collidable.fixed).any():
        return
    stopped = collidable.stopped
    for tree in collidable.standing:
        geoms = [int(geom) for geom in collidable.geoms_of(tree)]
        if not geoms or stopped[geoms].any() or _held(subject, tree):
            continue
        # it may lie on something that is stopped
        if any(stopped[np.flatnonzero(collidable.matrix[geom])].any() for geom in geoms):
            continue
        body = int(m.tree_bodyadr[tree])
        phantom = _phantom(subject, collidable, geoms)
        yield Finding(
            "body-filtered",
            Severity.NOTE if phantom else Severity.ERROR,
            Selection("body", body),
            f"{subject.name('body', body)} falls forever: {_geoms(subject, geoms)} touch the ground",
            "Two geoms touch if a bit of one's contype is in the other's conaffinity, and their bodies are not "
            f"excluded. Here contype is {collidable.contype[geoms[0]]}, conaffinity {collidable.conaffinity[geoms[0]]}."
            + (" It looks like a marker, so this may be intended." if phantom else ""),
            1.5,
            (_let_touch(subject, collidable, geoms),),
            _exclude_place(subject, collidable, geoms),
            others=elements("geom", geoms),
        )


def _parts(subject: Subject, collidable: Collidable) -> Iterator[Finding]:
    """The lowest bodies of a tree that cannot touch the ground, while most of the tree can."""
    m, d = subject.model, subject.data
    stopped = collidable.grounded
    up = -np.asarray(m.opt.gravity) / np.linalg.norm(m.opt.gravity)
    heights = np.asarray(d.geom_xpos) @ up
    for tree in collidable.standing:
        geoms = collidable.geoms_of(tree)
        if not stopped[geoms].any():
            continue
        bodies = {int(body) for body in collidable.body[geoms]}
        can = {int(body) for body in collidable.body[geoms][stopped[geoms]]}
        lost = bodies - can
        if len(bodies) < 3 or len(can) < MOSTLY * len(bodies) or not lost:
            continue
        low, high = heights[geoms].min(), heights[geoms].max()
        feet = {int(collidable.body[geom]) for geom in geoms if heights[geom] <= low + LOW * (high - low)}
        excluded = {int(body) for body in collidable.body[(collidable.permitted & collidable.excluded).any(axis=1)]}
        odd = [
            body for body in sorted(lost - excluded) if _leaf(subject, body) and not _small(subject, collidable, body)
        ]
        if not feet & set(odd):
            continue
        first = min(feet & set(odd))
        hollow = [int(geom) for geom in geoms if collidable.body[geom] in odd]
        yield Finding(
            "foot-filtered",
            Severity.WARNING,
            Selection("body", first),
            f"{subject.name('body', first)} is as low as any body of its tree but cannot touch the ground; "
            f"{len(can)} of {len(bodies)} bodies can",
            "It looks like a foot. Either its geoms have contype and conaffinity 0, or none of their bits match those "
            "of the ground, or the bodies are excluded.",
            1.0,
            (_let_touch(subject, collidable, hollow),),
            _exclude_place(subject, collidable, hollow),
            others=elements("body", odd, first) + elements("geom", hollow),
        )


def _excluded(subject: Subject, collidable: Collidable) -> Iterator[Finding]:
    """Bodies that an <exclude> keeps from the floor, while others of their tree can touch it."""
    kept = collidable.permitted & collidable.excluded & collidable.floors[None, :]
    bodies = sorted({int(collidable.body[geom]) for geom in np.flatnonzero(kept.any(axis=1) & ~collidable.fixed)})
    for body in bodies:
        geoms = [int(geom) for geom in np.flatnonzero(collidable.body == body)]
        tree = collidable.geoms_of(collidable.tree_of(geoms[0]))
        if collidable.grounded[tree].any():
            yield Finding(
                "foot-filtered",
                Severity.WARNING,
                Selection("body", body),
                f"{subject.name('body', body)} cannot touch the floor, though the rest of its tree can: it is excluded",
                "An <exclude> removes all contacts between two bodies. Was it meant for a neighbouring body?",
                1.0,
                (_let_touch(subject, collidable, geoms),),
                _exclude_place(subject, collidable, geoms),
                others=elements("geom", geoms),
            )


def _twins(subject: Subject, collidable: Collidable) -> Iterator[Finding]:
    """Geoms that touch nothing while those of the same name on the other side, or with another number, do."""
    m = subject.model
    if not collidable.touching.any():
        return
    solid = collidable.solid
    groups: dict[tuple[str, int, bytes], list[int]] = {}
    names, bodies = {*m.names["geom"]}, {*m.names["body"]}
    for geom in range(int(m.ngeom)):
        name, body = m.names["geom"][geom], m.names["body"][int(collidable.body[geom])]
        label = f"{_sideless(body, bodies)}/{_sideless(name, names)}"
        if "#" in label and not PHANTOMS.search(label) and collidable.body[geom]:
            key = label, int(m.geom_type[geom]), np.round(np.asarray(m.geom_size[geom]), 6).tobytes()
            groups.setdefault(key, []).append(geom)
    for twins in groups.values():
        hollow = [geom for geom in twins if not solid[geom]]
        full = [geom for geom in twins if solid[geom]]
        if not hollow or len(hollow) > len(full) or {*collidable.body[hollow]} & {*collidable.body[full]}:
            continue
        yield Finding(
            "twin-filtered",
            Severity.WARNING,
            Selection("geom", hollow[0]),
            f"{subject.name('geom', hollow[0])} touches nothing, but its twin {subject.name('geom', full[0])} does",
            "They have the same type and size, and names that differ only in side or number, but one of them has "
            "contype and conaffinity 0.",
            0.7,
            (
                _touchable(
                    subject,
                    hollow,
                    f"filter it like its twin: contype {collidable.contype[full[0]]}, conaffinity "
                    f"{collidable.conaffinity[full[0]]}",
                    full[0],
                ),
            ),
            others=elements("geom", hollow[1:]),
            attribute="contype",
        )


def _sideless(name: str, names: set[str]) -> str:
    """A name without its side or number: left_foot, and rfoot if there is an lfoot."""
    other = {"l": "r", "r": "l", "L": "R", "R": "L"}.get(name[:1], "") + name[1:]
    return "#" + name[1:] if other in names and other != name[1:] else SIDES.sub("#", name)


def _let_touch(subject: Subject, collidable: Collidable, geoms: list[int]) -> Fix:
    """Give geoms other bits, or say which <exclude> has to go."""
    guilty = _exclusion(collidable, geoms)
    if guilty < 0:
        return _touchable(subject, geoms, "let its geoms touch everything")
    first, second = divmod(int(np.asarray(subject.model.exclude_signature).astype(np.uint32)[guilty]), 1 << 16)
    text = f"remove the <exclude> of {_body(subject, first)} and {_body(subject, second)}"
    return Fix(text, tree=structure.remove_exclude(subject, guilty))


def _exclude_place(subject: Subject, collidable: Collidable, geoms: list[int]) -> Place | None:
    """The line of the <exclude> that keeps geoms from what does not move."""
    guilty = _exclusion(collidable, geoms)
    found = subject.origins.line("exclude", guilty) if guilty >= 0 else None
    return Place(*found) if found else None


def _exclusion(collidable: Collidable, geoms: list[int]) -> int:
    """The <exclude> without which geoms could touch something that does not move, or -1."""
    kept = collidable.permitted & collidable.excluded & collidable.fixed[None, :]
    if not kept[geoms].any():
        return -1
    geom = next(geom for geom in geoms if kept[geom].any())
    pair = sorted((int(collidable.body[geom]), int(collidable.body[int(np.flatnonzero(kept[geom])[0])])))
    signatures: list[int] = np.asarray(collidable.model.exclude_signature).astype(np.uint32).tolist()
    return signatures.index((pair[0] << 16) + pair[1])


def _body(subject: Subject, body: int) -> str:
    return subject.name("body", body) if body else "the world"


def _touchable(subject: Subject, geoms: Iterable[int], text: str, like: int = -1) -> Fix:
    """Give geoms bits that touch everything that touches anything, or those of another geom."""
    rows = tuple(geoms)
    contype = int(subject.model.geom_contype[like]) if like >= 0 else 0x7FFF
    conaffinity = int(subject.model.geom_conaffinity[like]) if like >= 0 else 0x7FFF
    also = SetField("geom_conaffinity", float(conaffinity), rows)
    return Fix(text, (SetField("geom_contype", float(contype), rows, also=(also,)),))


def _held(subject: Subject, tree: int) -> bool:
    """Whether an equality or a tendon holds a tree to something else, or it has no weight."""
    m = subject.model
    bodies = np.flatnonzero(np.asarray(m.body_treeid) == tree)
    if float(np.asarray(m.body_mass)[bodies].sum()) == 0 or (np.asarray(m.body_gravcomp)[bodies] >= 1).all():
        return True
    return any(tree in ties and len(ties) > 1 for ties in _ties(subject))


def _ties(subject: Subject) -> Iterator[set[int]]:
    """For each equality and each tendon the trees that it connects; -1 is what does not move."""
    m = subject.model
    for equality in np.flatnonzero(m.eq_active0):
        owner = {OBJ_GEOM: m.geom_bodyid, OBJ_SITE: m.site_bodyid}.get(int(m.eq_objtype[equality]))
        if m.eq_type[equality] not in (EQ_JOINT, EQ_TENDON):
            ends = [max(int(end), 0) for end in (m.eq_obj1id[equality], m.eq_obj2id[equality])]
            yield {int(m.body_treeid[end if owner is None else owner[end]]) for end in ends}
    for tendon in range(int(m.ntendon)):
        first = int(m.tendon_adr[tendon])
        wraps = range(first, first + int(m.tendon_num[tendon]))
        sites = [int(m.wrap_objid[wrap]) for wrap in wraps if m.wrap_type[wrap] == WRAP_SITE]
        yield {int(m.body_treeid[m.site_bodyid[site]]) for site in sites}


def _geoms(subject: Subject, geoms: list[int]) -> str:
    return f"none of its {len(geoms)} geoms can" if len(geoms) > 1 else f"{subject.name('geom', geoms[0])} cannot"


def _phantom(subject: Subject, collidable: Collidable, geoms: list[int]) -> bool:
    """Whether geoms look like a mark: by their names, or because they are transparent."""
    m = subject.model
    names = [m.names["geom"][geom] for geom in geoms] + [m.names["body"][int(collidable.body[geoms[0]])]]
    materials = np.asarray(m.geom_matid)[geoms]
    alphas = [
        m.mat_rgba[mat][3] if mat >= 0 else m.geom_rgba[geom][3] for geom, mat in zip(geoms, materials, strict=True)
    ]
    return any(PHANTOMS.search(name) for name in names) or max(float(alpha) for alpha in alphas) < 0.8


def _leaf(subject: Subject, body: int) -> bool:
    """Whether a body has no child."""
    return body not in np.asarray(subject.model.body_parentid)


def _small(subject: Subject, collidable: Collidable, body: int) -> bool:
    """Whether a body is a trifle beside the others."""
    return float(subject.sizes[body]) < 0.2 * subject.size
