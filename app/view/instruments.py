"""Instruments: what the open ones ask about the moment that is shown, and what they draw into the picture."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.insight.probe import Answer, Answers, Question
from app.model.views import ModelView
from app.scene.decor.user_geoms import UserGeom
from app.scene.ghost import Ghost
from app.scene.instances import Floats

# panels that are closed until they are asked for -> the question that each answers
INSTRUMENTS = {
    "Contact": "does this contact stick or slip, and what does it push?",
    "Softness": "how stiff is this contact, in newtons per metre?",
    "Forces": "where does this acceleration come from?",
    "Breakpoints": "when does this happen? Pause there",
    "Doctor": "what is wrong with this model?",
    "Cameras": "what do the cameras see? Colours, depth, segmentation",
    "Lockstep": "do both engines, ours and MuJoCo, compute the same here?",
    "Solver": "what does the solver do, iteration by iteration?",
    "Lens": "why is this tree awake, and what does its island cost?",
    "A/B": "what would another value do? A second simulation, as a ghost",
    "Sweep": "which of these values is the best?",
    "Energy": "where does energy come from and go to, and what is conserved?",
    "Code": "which kernel computes this, and how?",
}


@dataclass
class Instruments:
    """Questions of a frame, the answers to those of earlier frames, and arrows over the model."""

    answers: Answers = field(default_factory=Answers)
    geoms: tuple[UserGeom, ...] = ()
    # drawn instead of that of another branch
    ghost: Ghost | None = None
    # of bodies, (nbody, 3), instead of those of the model
    colours: Floats | None = None
    # to be opened, in the order of requests
    requested: list[str] = field(default_factory=list)
    _asked: dict[Question, None] = field(default_factory=dict)
    _drawn: list[UserGeom] = field(default_factory=list)
    _shown_ghost: Ghost | None = None
    _shown_colours: Floats | None = None
    _identity: object = None

    def begin(self, model: ModelView | None, answers: Answers) -> None:
        """A frame begins."""
        self._identity = None if model is None else model.identity
        self.answers = answers
        self._asked.clear()
        self._drawn.clear()
        self._shown_ghost = self._shown_colours = None

    def end(self) -> frozenset[Question]:
        """All panels are drawn: what they have asked."""
        self.geoms, self.ghost, self.colours = tuple(self._drawn), self._shown_ghost, self._shown_colours
        return frozenset(self._asked)

    def ask(self, question: Question) -> Answer | None:
        """Ask in this frame; returns the newest answer, None if there is none yet.

        Nothing is computed for a question that a frame does not ask.
        """
        self._asked[question] = None
        return self.answers.answers.get(question) if self.answers.identity is self._identity else None

    def draw(self, geom: UserGeom) -> None:
        """Draw a geom in this frame."""
        self._drawn.append(geom)

    def show_ghost(self, ghost: Ghost) -> None:
        """Show the model once more in this frame, at other poses."""
        self._shown_ghost = ghost

    def colour_bodies(self, colours: Floats) -> None:
        """Draw moving bodies in these sRGB colours in this frame, (nbody, 3)."""
        self._shown_colours = colours

    def open(self, name: str) -> None:
        """Open an instrument, or bring it to the front."""
        self.requested.append(name)
