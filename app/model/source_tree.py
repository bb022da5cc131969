"""The elements of the file of the model that is shown, for panels that change them.

    tree = model.tree                                  # of a ModelView
    if not tree.why_not:
        leg = tree.element("body", 3)                  # or MjcfError: a sentence for the user
        send(cmd.EditTree(tuple(actions.duplicate([leg]))))

The spec is made when it is first asked for, and again after edits of numbers; nobody changes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sim import Model
from sim.script.model_edits import edits_of

if TYPE_CHECKING:
    from sim.edits import ModelEdits
    from sim.spec import Element, Spec
    from sim.spec.of_model import ModelSpec


class SourceTree:
    """The elements of a model, as they are in memory."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._made: tuple[ModelEdits, ModelSpec] | None = None

    @property
    def why_not(self) -> str:
        """Why elements cannot be changed, as a sentence; empty if they can."""
        from sim.spec.of_model import why_not

        return why_not(self._model)

    @property
    def spec(self) -> Spec:
        """The spec of the file, with the numbers that were edited."""
        return self._current().spec

    def element(self, kind: str, index: int) -> Element:
        """The element of the file that an element of the model is; MjcfError if it is not one of its own there."""
        return self._current().element(kind, index)

    @property
    def model(self) -> Model:
        """The model itself, to be read."""
        return self._model

    def number(self, field: str, row: int) -> float:
        """A number of a field of the model."""
        return float(self._model.read(field)[row])

    def _current(self) -> ModelSpec:
        # it takes a while to import, and few need it
        from sim.spec.of_model import ModelSpec

        edits = edits_of(self._model)
        if self._made is None or self._made[0] is not edits:
            self._made = edits, ModelSpec(self._model)
        return self._made[1]
