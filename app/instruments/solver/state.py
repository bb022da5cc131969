"""What the Solver instrument shows: which step, which island, which iteration, and the settings to compare."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from app.background.probe import Answer
from app.instruments.solver.questions import FreezeQuestion, MatrixQuestion, StudyQuestion
from app.instruments.solver.solver_step import Settings, SolverStep
from app.model.selection import Selection
from app.model.views import ModelView, StateView
from sim.analysis.solver.matrices import J, Matrix
from sim.analysis.solver.study import Place
from sim.analysis.solver.walk import Walk

# columns beside the model's own settings
MOST_COLUMNS = 2
# what the chart of all columns shows -> what that is
MEASURES = {
    "gradient": (
        "norm of the cost gradient at the acceleration, scaled like the tolerance: comparable between solvers, 0 at "
        "the solution"
    ),
    "improvement": "decrease of the solver's own cost in each iteration, scaled like the tolerance",
    "cost": "cost above this problem's minimum, scaled like the tolerance",
}


@dataclass(frozen=True, eq=False)
class Frozen:
    """A step that is kept, and when it was."""

    step: SolverStep
    branch: int
    number: int
    time: float
    identity: object


@dataclass
class SolverState:
    """The choices of the user."""

    frozen: Frozen | None = None
    # the request that is being answered, 0 if none
    freezing: int = 0
    # settings beside the model's own, and which column is walked: 0 is the model's own
    columns: list[Settings] = field(default_factory=list)
    walked: int = 0
    # the island is that of a tree, -1 for the largest; the contact in question
    tree: int = -1
    place: Place | None = None
    # iteration; None is the last
    iteration: int | None = None
    matrix: str = J
    measure: str = "gradient"
    arrow: bool = True
    # of parts of the panel, px
    heights: dict[str, float] = field(default_factory=dict)
    # images of cells by name, with what each was made of, and their textures
    images: dict[str, tuple[object, Any]] = field(default_factory=dict)
    textures: dict[object, Any] = field(default_factory=dict)
    _requests: int = 0
    _seen: Selection | None = None
    _clicked: bool = False
    _tones: tuple[Matrix, int, tuple[Any, int]] | None = None
    # newest answers by what they are for: shown until the next is there
    _kept: dict[object, tuple[object, Any]] = field(default_factory=dict)

    def begin(self, model: ModelView, state: StateView, selection: Selection | None) -> None:
        """A frame begins: forget what is about another model, follow the selection to its tree and contact."""
        if self.frozen is not None and self.frozen.identity is not model.identity:
            self.frozen = None
        if self._kept.get("model", (model.identity, None))[0] is not model.identity:
            self._kept.clear()
            self.tree, self.place, self.iteration, self.walked = -1, None, None, 0
        self._kept["model"] = model.identity, None
        clicked, self._clicked = self._clicked, False
        if selection == self._seen:
            return
        self._seen = selection
        if clicked:
            return
        if selection is None or not selection.exists(model, state):
            return
        if selection.kind == "contact":
            geoms, point = state.contact.geom[selection.index], state.contact.pos[selection.index]
            self.place = Place((int(geoms[0]), int(geoms[1])), (float(point[0]), float(point[1]), float(point[2])))
        if selection.kind == "island":
            trees = [tree for tree, island in enumerate(state.tree_island) if island == selection.index]
            self.tree = trees[0] if trees else self.tree
        elif (body := selection.body(model, state)) > 0 and model.body_treeid[body] >= 0:
            self.tree = int(model.body_treeid[body])

    def keep_place(self) -> None:
        """A click here selects something: stay on this island, with this contact."""
        self._clicked = True

    # ---- freezing

    def freeze(self) -> None:
        """Keep the step that is shown."""
        self._requests += 1
        self.freezing = self._requests

    def freeze_question(self) -> FreezeQuestion | None:
        """What is asked while a step is to be kept."""
        return FreezeQuestion(self.freezing) if self.freezing else None

    def take_frozen(self, answer: Answer, identity: object) -> None:
        """The step is kept; if that failed, nothing is."""
        self.freezing = 0
        if answer.value is not None:
            self.frozen = Frozen(answer.value, answer.branch, answer.step, answer.time, identity)

    # ---- questions and answers

    def settings(self, column: int) -> Settings:
        """The settings of a column."""
        return self.columns[column - 1] if 0 < column <= len(self.columns) else ()

    def question(self, column: int) -> StudyQuestion:
        """What is asked about a column."""
        step = self.frozen.step if self.frozen is not None else None
        return StudyQuestion(step, self.settings(column), self.tree, self.place)

    def known(self, question: StudyQuestion | MatrixQuestion) -> Any:
        """What is known about a frozen step without asking."""
        if isinstance(question, MatrixQuestion):
            study = question.study
            step = study.step
            return step and step.known_matrix(study.settings, study.tree, question.kind, question.at)
        return question.step and question.step.known(question.settings, question.tree, question.place)

    def keep(self, name: object, question: object, value: Any) -> Any:
        """The newest answer, or the last one until it is there."""
        if value is not None:
            self._kept[name] = question, value
        return self._kept.get(name, (None, None))[1]

    # ---- the walk

    def at(self, walk: Walk) -> int:
        """The place of the walk that is shown."""
        if self.iteration is None:
            return len(walk.iterations) - 1
        return max(k for k, made in enumerate(walk.iterations) if k == 0 or made <= self.iteration)

    def go(self, walk: Walk, place: int) -> None:
        """Show another place of the walk; at the last one it stays at the end, wherever that is."""
        place = min(max(place, 0), len(walk.iterations) - 1)
        self.iteration = None if place == len(walk.iterations) - 1 else walk.iterations[place]

    def tones(self, matrix: Matrix, most: int) -> tuple[Any, int]:
        """The picture of a matrix, made once."""
        if self._tones is None or self._tones[0] is not matrix or self._tones[1] != most:
            self._tones = matrix, most, matrix.picture(most)
        return self._tones[2]

    # ---- columns

    def change(self, column: int, path: str, value: float, own: float) -> None:
        """Set an option of a column; the model's own value is none."""
        chosen = {**dict(self.columns[column - 1]), path: value}
        if value == own:
            del chosen[path]
        self.columns[column - 1] = tuple(sorted(chosen.items()))

    def add_column(self, settings: Settings) -> None:
        """Another column."""
        if len(self.columns) < MOST_COLUMNS:
            self.columns.append(settings)

    def remove_column(self, column: int) -> None:
        """Remove a column; its walk is not shown any more."""
        del self.columns[column - 1]
        self.walked = 0 if self.walked == column else self.walked - (self.walked > column)
