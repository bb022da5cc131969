"""Faults of masses, inertias and lengths."""

from __future__ import annotations

from typing import Any

import numpy as np
from lxml import etree

from sim.enums import GEOM_HFIELD, GEOM_MESH, GEOM_PLANE, JNT_SLIDE
from tests.soak.faults.fault import (
    ANY,
    Case,
    Draft,
    Fault,
    NoElementError,
    collides,
    grown,
    moving,
    subtree,
    text,
    unlike,
)

OSMIUM = 25e3  # kg/m^3: nothing is denser
AIR = 2.0  # kg/m^3
THOUSAND = 1e3
FAR = 20.0  # times the extent of the healthy model


# ---- masses


def _scale_mass(draft: Draft, body: int, factor: float) -> None:
    """Mass and inertia of one body, where the file has them."""
    element = draft.element("body", body)
    inertial = element.find("inertial")
    if inertial is not None:
        changed = {"mass": factor * float(inertial.get("mass", "0"))}
        for name in ("diaginertia", "fullinertia"):
            if inertial.get(name):
                changed[name] = factor * _numbers(inertial.get(name))  # type: ignore[assignment]
        draft.write(inertial, **changed)
        return
    for geom in np.flatnonzero(draft.m.geom_bodyid == body):
        mass = draft.value("geom", int(geom), "mass")
        if mass:
            draft.set("geom", int(geom), mass=factor * float(mass))
        else:
            draft.set("geom", int(geom), density=factor * float(draft.value("geom", int(geom), "density", "1000")))


def _pick_body(draft: Draft, jointed: bool = False) -> int:
    m = draft.m
    return draft.pick(
        m.nbody, lambda b: b > 0 and moving(m, b) and m.body_mass[b] > 0 and (m.body_jntnum[b] or not jointed)
    )


def _mass(factor: float) -> Any:
    def plant(draft: Draft) -> None:
        body = _pick_body(draft, factor < 1)
        _scale_mass(draft, body, factor)
        draft.blame_body(body)
        draft.facts["body"] = body

    return plant


def _least_density(case: Case, body: int) -> float:
    """Mass over the volume of the spheres around its geoms: at most its density."""
    m = case.after
    radii = m.geom_rbound[(m.geom_bodyid == body) & (m.geom_type != GEOM_PLANE)]
    return float(m.body_mass[body] / max((4 / 3 * np.pi * radii**3).sum(), 1e-12))


def _too_heavy(case: Case) -> bool:
    body = case.draft.facts["body"]
    rest = case.after.body_mass[1:].sum() - case.after.body_mass[body]
    return case.after.body_mass[body] > 5 * rest > 0 or _least_density(case, body) > OSMIUM


def _too_light(case: Case) -> bool:
    """Beside what it carries or hangs on; or lighter than air, if it is alone."""
    body, m = case.draft.facts["body"], case.after
    mass = m.body_mass[body]
    near = m.body_mass[subtree(m, body)].sum() - mass
    own = case.before.dof_bodyid == body
    lighter = grown(m.dof_M0[own], case.before.dof_M0[own]) > 10
    parent = m.body_parentid[body]
    alone = parent == 0 and near == 0
    return bool(lighter and (_dense(case, body) < AIR if alone else max(near, m.body_mass[parent]) > 300 * mass))


def _dense(case: Case, body: int) -> float:
    """Mass over the largest volume that its geoms can have inside of their boxes: at least half of its density."""
    m = case.after
    sizes = m.geom_aabb[(m.geom_bodyid == body) & (m.geom_type != GEOM_PLANE)][:, 3:]
    return float(m.body_mass[body] / max(np.prod(2 * sizes, axis=1).sum(), 1e-12)) * 2


# ---- inertias and centres of mass


def _inertial(draft: Draft, body: int, inertia: float, shift: np.ndarray | None = None) -> None:
    """Give a body an explicit inertial like the one it has, but for this."""
    m, element = draft.m, draft.element("body", body)
    if draft.subject.compiler("inertiafromgeom", "auto") == "true":
        raise NoElementError
    for old in element.findall("inertial"):
        element.remove(old)
    position = m.body_ipos[body] + (0 if shift is None else shift)
    inertial = etree.Element("inertial")
    element.insert(0, inertial)
    values = {
        "pos": position, "quat": m.body_iquat[body], "mass": m.body_mass[body],
        "diaginertia": inertia * m.body_inertia[body],
    }  # fmt: skip
    for name, value in values.items():
        inertial.set(name, text(value))
    draft.blame("body", body)
    draft.note = f"{draft.name('body', body)}: inertia x {inertia:g}, centre of mass at {position}"
    draft.facts["body"] = body


def _inertia(factor: float) -> Any:
    def plant(draft: Draft) -> None:
        _inertial(draft, _pick_body(draft, jointed=True), factor)

    return plant


def _inertia_matters(case: Case) -> bool:
    """A dof of the body is ten times as light or heavy as before."""
    own = case.before.dof_bodyid == case.draft.facts["body"]
    before, after = case.before.dof_M0[own], case.after.dof_M0[own]
    return bool(own.any()) and max(grown(before, after), grown(after, before)) > 10


def _com(draft: Draft) -> None:
    body = _pick_body(draft)
    m = draft.m
    position = m.body_ipos[body]
    radius = m.geom_rbound[(m.geom_bodyid == body) & (m.geom_type != GEOM_PLANE)].max(initial=0)
    if np.linalg.norm(position) < max(0.01 * radius, 1e-4):
        position = np.array([0.0, 0.0, max(radius, 0.01)])
    _inertial(draft, body, 1.0, (THOUSAND - 1) * position)


def _com_matters(case: Case) -> bool:
    """It is farther from all geoms of the body than twenty times the size of these, or of the model."""
    body, m = case.draft.facts["body"], case.after
    moved = np.linalg.norm(m.body_ipos[body] - case.before.body_ipos[body])
    radius = m.geom_rbound[(m.geom_bodyid == body) & (m.geom_type != GEOM_PLANE)].max(initial=0)
    return bool(moved > FAR * (radius or case.draft.subject.extent))


# ---- lengths


def _mesh(factor: float) -> Any:
    def plant(draft: Draft) -> None:
        m = draft.m
        used = set(m.geom_dataid[m.geom_type == GEOM_MESH].tolist())
        mesh = draft.pick(m.nmesh, lambda k: k in used)
        name = draft.name("mesh", mesh)
        found = [e for e in draft.root.xpath("./asset/mesh") if _mesh_name(e) == name]
        if not found:
            raise NoElementError
        draft.write(found[0], scale=factor * _numbers(draft.subject.effective(found[0], "scale", "1 1 1")))
        geoms = np.flatnonzero((m.geom_dataid == mesh) & (m.geom_type == GEOM_MESH))
        draft.right.add(("mesh", name))
        draft.blame("geom", *geoms)
        draft.blame("body", *m.geom_bodyid[geoms])
        draft.facts["geoms"] = geoms

    return plant


def _mesh_name(element: etree._Element) -> str:
    stem = (element.get("file") or "").rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return str(element.get("name") or stem)


def _large(case: Case) -> bool:
    """Twenty times as large as the whole model was."""
    return bool(case.after.geom_rbound[case.draft.facts["geoms"]].max() > FAR * case.draft.subject.extent)


def _small(case: Case) -> bool:
    """It touches things, and it is the largest geom of a body that moves."""
    m, geoms = case.before, case.draft.facts["geoms"]
    for geom in geoms:
        body = m.geom_bodyid[geom]
        largest = m.geom_rbound[geom] >= m.geom_rbound[m.geom_bodyid == body].max()
        if collides(m, geom) and moving(m, body) and largest:
            return bool(case.after.geom_rbound[geom] < 0.01 * m.geom_rbound[geom])
    return False


def _size(factor: float) -> Any:
    def plant(draft: Draft) -> None:
        m = draft.m
        # the size of a geom with fromto is its radius alone
        geom = draft.pick(
            m.ngeom,
            lambda g: (
                m.geom_type[g] not in (GEOM_PLANE, GEOM_HFIELD, GEOM_MESH)
                and not draft.value("geom", g, "mesh")
                and (factor > 1 or not draft.value("geom", g, "fromto"))
            ),
        )
        sizes = len(_numbers(draft.value("geom", geom, "size", "0 0 0")))
        draft.set("geom", geom, size=factor * m.geom_size[geom][:sizes])
        draft.blame("geom", geom)
        draft.blame("body", int(m.geom_bodyid[geom]))
        draft.facts["geoms"] = np.array([geom])

    return plant


def _body_position(draft: Draft) -> None:
    m = draft.m
    body = draft.pick(
        m.nbody,
        lambda b: (
            b > 0 and not draft.in_frame("body", b) and np.linalg.norm(m.body_pos[b]) > 0.03 * draft.subject.extent
        ),
    )
    draft.set("body", body, pos=THOUSAND * m.body_pos[body])
    draft.blame_body(body)
    draft.facts["body"] = body


def _far_away(case: Case) -> bool:
    body = case.draft.facts["body"]
    moved = np.linalg.norm(case.data.xpos[body] - case.draft.d.xpos[body])
    return bool(moved > FAR * case.draft.subject.extent)


# attributes that are lengths, everywhere in a file
LENGTHS = {
    "body": ("pos",), "geom": ("pos", "size", "fromto"), "site": ("pos", "size", "fromto"), "joint": ("pos",),
    "camera": ("pos",), "light": ("pos",), "frame": ("pos",), "inertial": ("pos",), "mesh": ("scale",),
    "hfield": ("size",), "connect": ("anchor",), "spatial": ("range", "springlength"),
}  # fmt: skip


def _all_lengths(draft: Draft) -> None:
    """The whole model in millimetres; masses that are given stay, and the rest by its density or as it was."""
    m, keep = draft.m, draft.rng.random() < 0.5
    for joint in np.flatnonzero((m.jnt_type == JNT_SLIDE) & (m.jnt_limited > 0)):
        draft.set("joint", int(joint), range=THOUSAND * m.jnt_range[joint])
    for geom in range(m.ngeom if keep else 0):
        if not draft.value("geom", geom, "mass"):
            draft.set("geom", geom, density=1e-9 * float(draft.value("geom", geom, "density", "1000")))
    with_scale = {id(e) for e in draft.root.iter("mesh") if e.get("scale")}
    for element in draft.root.iter():
        for name in LENGTHS.get(element.tag, ()) if isinstance(element.tag, str) else ():
            if element.get(name):
                element.set(name, text(THOUSAND * _numbers(element.get(name))))
    for element in draft.root.xpath("./asset/mesh"):
        if id(element) not in with_scale and not draft.subject.effective(element, "scale"):
            element.set("scale", text([THOUSAND] * 3))
    draft.note = f"all lengths x 1000, densities {'/ 1e9' if keep else 'as they were'}"
    draft.right.add(ANY)


def _large_everywhere(case: Case) -> bool:
    return 0.05 < case.draft.subject.extent < 100 and case.extent > 300 * case.draft.subject.extent


def _numbers(value: Any) -> np.ndarray:
    return np.array(str(value).split(), float)


HEAVY = ("density", "mass-unit", "mass-chain", *unlike("mass"))
SMALL = ("inertia-small", "mass-chain", *unlike("inertia"))
LARGE = ("inertia-large", "mass-chain", *unlike("inertia"))
# a mass that does not fit a size any more is as telling as the size
SIZE = ("size-unit", "length-unit", "density", "mesh-scale", *unlike("size"))
SHRUNK = (*SIZE, "inertia-large")
FAULTS = (
    Fault("mass-grams", "mass and inertia of a body x 1000", HEAVY, _mass(1e3), _too_heavy),
    Fault("mass-tiny", "mass and inertia of a body / 1000: density in g/cm^3", HEAVY, _mass(1e-3), _too_light),
    Fault("inertia-tiny", "inertia of a body x 1e-5", SMALL, _inertia(1e-5), _inertia_matters),
    Fault("inertia-huge", "inertia of a body x 1e5", LARGE, _inertia(1e5), _inertia_matters),
    Fault("com-far", "centre of mass of a body in mm", ("com-outside",), _com, _com_matters),
    Fault("mesh-up", "scale of a mesh x 1000", SIZE, _mesh(1e3), _large),
    Fault("mesh-down", "scale of a mesh / 1000", SHRUNK, _mesh(1e-3), _small),
    Fault("size-up", "size of a geom in mm", SIZE, _size(1e3), _large),
    Fault("size-down", "size of a geom / 1000", SHRUNK, _size(1e-3), _small),
    Fault("body-mm", "position of a body in mm", ("position-unit",), _body_position, _far_away),
    Fault("all-mm", "all lengths in mm", ("length-unit",), _all_lengths, _large_everywhere),
)
