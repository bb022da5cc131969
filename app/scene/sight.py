"""Whether anything that moves is in the view: what nothing holds falls out of it, and leaves an empty floor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.model.views import ModelView, StateView
from app.scene.camera import View

# seconds between two looks, and from the last sight until it counts as lost
LOOK_SECONDS, LOST_SECONDS = 0.25, 1.0


def moving_geoms(model: ModelView) -> NDArray[np.intp]:
    """The geoms of bodies that can move; none if a flex moves too, which has other places."""
    if model.nflex:
        return np.zeros(0, np.intp)
    return np.flatnonzero(np.asarray(model.body_weldid)[np.asarray(model.geom_bodyid)] > 0)


@dataclass
class Sight:
    """What was seen at the last look; `lost` says that everything that moves has left the view by itself.

    A user who turns the camera away knows why nothing is there.
    """

    lost: bool = False
    _model: object = None
    _moving: NDArray[np.intp] | None = None
    _pose: tuple[float, ...] = ()
    _looked: float = -np.inf
    # when something was seen last; whether it was the camera that has turned away since
    _seen: float = 0.0
    _unseen: bool = False
    _away: bool = False

    def forget(self) -> None:
        """Begin again: another model or camera, or the user knows."""
        self.lost, self._model = False, None

    def look(
        self, model: ModelView, state: StateView, view: View, pose: tuple[float, ...], aspect: float, now: float
    ) -> None:
        """Look, a few times a second, and at once when the camera has another pose."""
        turned = pose != self._pose
        if self._model is not model.identity:
            self._model, self._moving, turned = model.identity, moving_geoms(model), False
            self.lost, self._unseen, self._away, self._seen = False, False, False, now
        elif not turned and now < self._looked + LOOK_SECONDS:
            return
        self._pose, self._looked = pose, now
        if self._moving is None or not len(self._moving) or self._sees(model, state, view, aspect):
            self.lost, self._unseen, self._away, self._seen = False, False, False, now
            return
        self._away |= turned and not self._unseen
        self._unseen = True
        self.lost = not self._away and now >= self._seen + LOST_SECONDS

    def _sees(self, model: ModelView, state: StateView, view: View, aspect: float) -> bool:
        """Whether the sphere around any of them is in the view."""
        places = np.asarray(state.geom_xpos)[self._moving]
        return view.sees_any(places, np.asarray(model.geom_rbound)[self._moving], aspect)
