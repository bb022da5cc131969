"""The live run of a script that steps its own Model and Data."""

from __future__ import annotations

from app.run.live_run import LiveRun
from sim import Data


class ScriptRun(LiveRun):
    """Shows the past in the script's own Data, and gives it back as the script left it."""

    # a script may do anything between two steps
    dense = True
    # the version of the model that the script has now, and its Data
    _own: tuple[int, Data]
    # the head of the branch and Data there, while the past is current
    _left: tuple[tuple[int, int], Data] | None = None

    def set_own(self, version: int, data: Data) -> None:
        """The script has this version of the model, and its state here."""
        self._own = version, data

    def _data_for(self, version: int) -> Data:
        return self._own[1] if version == self._own[0] else super()._data_for(version)

    def show(self, branch: int, step: int) -> bool:
        """Show a recorded state in the script's own Data; back at the head it is as the script left it."""
        history = self.history
        if history.at_head and self._left is None:
            self._left = (history.branch, history.now), self.data.copy()
        shown = super().show(branch, step)
        if shown and self._left is not None and self._left[0] == (branch, step):
            self.engine.copy_data(self.data, self.model, self._left[1])
            self._left = None
        return shown

    def begin_steps(self) -> None:
        """The script steps from here, with its newest model."""
        if self.history.version != self._own[0] and self._left is not None:
            self.show(*self._left[0])
            said = "the script has a new model and continues at the latest step"
            self._status.update(notification=said)
        self._left = None
        super().begin_steps()

    def show_results(self) -> None:
        """Data stays as the script's step left it."""
