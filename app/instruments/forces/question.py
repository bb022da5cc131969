"""The question of the Forces instrument: where does the acceleration of a joint or body come from?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import sim
from app.background.probe import Moment
from app.model.source_words import WORDS
from sim.analysis.body_forces import JOINTS, BodyForce, body_forces
from sim.analysis.contact_state import contact_bodies
from sim.analysis.element_names import described, element_name, placed_geom_name
from sim.analysis.force_shares import Shares, body_shares, joint_shares, step_acceleration
from sim.analysis.force_sources import Source, force_sources
from sim.analysis.push import source_text, subject_text
from sim.script.jacobian import jac_body_com


@dataclass(frozen=True, eq=False)
class ForceAnswer:
    """Shares with the names of their sources, as shown and as `push` reads them; forces on the body directly."""

    shares: Shares
    names: tuple[str, ...]
    texts: tuple[str, ...]
    # the acceleration that the integrator applies in the next step, for each column of the shares
    applied: np.ndarray
    # the joint or body as `push` reads it
    subject: str
    direct: tuple[BodyForce, ...] = ()
    direct_names: tuple[str, ...] = ()
    # the body's centre of mass
    centre: np.ndarray | None = None


@dataclass(frozen=True)
class ForceQuestion:
    """A joint or a body, by its type and index."""

    kind: str
    index: int

    def answer(self, moment: Moment) -> ForceAnswer:
        """Its acceleration by source."""
        m, d = moment.model, moment.data
        found = force_sources(m, d)
        shares = (joint_shares if self.kind == "joint" else body_shares)(m, d, found, self.index)
        scratch = moment.scratch()
        if self.kind == "body":
            m.engine.forward(*scratch)
            m.engine.rne_post_constraint(*scratch)
            direct = tuple(body_forces(*scratch, self.index))
        change = step_acceleration(*scratch) - found.qacc
        names = tuple(source_name(m, d, source) for source in shares.sources)
        texts = tuple(source_text(m, d, source) for source in shares.sources)
        subject = subject_text(m, self.kind, self.index)
        if self.kind == "joint":
            return ForceAnswer(shares, names, texts, shares.total + change[m.dof_jntid == self.index], subject)
        applied = shares.total + np.vstack(jac_body_com(m, d, self.index)) @ change
        direct_names = tuple(_direct_name(m, d, part.source, self.index) for part in direct)
        centre = d.xipos[self.index].copy()
        return ForceAnswer(shares, names, texts, applied, subject, direct, direct_names, centre)


def _direct_name(m: sim.Model, d: sim.Data, source: Source, body: int) -> str:
    """A force on a body: a contact is the geom that it touches."""
    if source.kind != "contact":
        return source_name(m, d, source)
    sides = zip(d.contact.geom[source.id].tolist(), contact_bodies(m, d)[source.id].tolist(), strict=True)
    return next(placed_geom_name(m, geom) for geom, other in sides if other != body)


def source_name(m: sim.Model, d: sim.Data, source: Source) -> str:
    """A source for people: "spring of knee", "foot / sole on floor"."""
    words = WORDS.get(source.kind, source.kind)
    if source.kind == JOINTS and source.id == 0:
        return "joints and tendons"
    return words.format(_element_name(m, d, source)) if source.element else words


def _element_name(m: sim.Model, d: sim.Data, source: Source) -> str:
    if source.kind == "contact":
        first, second = (placed_geom_name(m, int(geom)) for geom in d.contact.geom[source.id])
        return f"{second} on {first}"
    if source.element in ("joint", "body"):
        return element_name(m, source.element, source.id)
    return described(m, source.element, source.id)
