"""Instruments: what the open ones ask about the moment that is shown, and what they draw into the picture."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.background.probe import Answer, Answers, Question
from app.model.views import ModelView
from app.scene.decor.user_geoms import UserGeom
from app.scene.ghost import Ghost
from app.scene.instances import Floats


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
    # what they are to show
    about: dict[str, str] = field(default_factory=dict)
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

    def open(self, name: str, about: str = "") -> None:
        """Open an instrument, or bring it to the front; about something that it understands, a field of Data say."""
        self.requested.append(name)
        if about:
            self.about[name] = about
