"""Where a camera stands that is given by words: one of the model, or the free camera with some of its numbers.

What is not given of the free camera is as when the model opens. One that tracks a body looks at its centre of mass.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from app.scene.camera import FREE_CAMERA, OrbitCamera, default_free_camera
from sim.user_error import UserError

# names that an error lists
MOST_NAMES = 30


class NoSuchElement(UserError, ValueError):
    """The model has no element of that name."""


@dataclass(frozen=True)
class FreeCamera:
    """Numbers of the free camera, in MuJoCo's terms (m, degrees), and the body that it tracks; None is not given."""

    lookat: tuple[float, float, float] | None = None
    distance: float | None = None
    azimuth: float | None = None
    elevation: float | None = None
    track: str | None = None

    @property
    def given(self) -> list[str]:
        """The names of what is given."""
        return [name for name, value in vars(self).items() if value is not None]

    def placed(self, model: Any) -> OrbitCamera:
        """The free camera of a model, with these numbers."""
        camera = default_free_camera(model)
        for name in self.given:
            if name != "track":
                setattr(camera, name, getattr(self, name))
        return camera


# the free camera as the model opens
MODELS_OWN = FreeCamera()


class ChosenCamera:
    """The camera of a model that was asked for, by the name or number of one in the model, or as a free one."""

    def __init__(self, model: Any, names: Any, name: str | None, free: FreeCamera) -> None:
        check_camera(name, free)
        free_one = name in (None, str(FREE_CAMERA))
        self.camera_id = FREE_CAMERA if free_one else element_id(names["camera"], str(name), "camera")
        self.tracked = -1 if free.track is None else element_id(names["body"], free.track, "body", "bodies")
        self._camera = free.placed(model) if free.given else None

    def at(self, data: Any) -> int | OrbitCamera:
        """The camera at a state: an id, or a pose."""
        if self._camera is None:
            return self.camera_id
        if self.tracked >= 0:
            self._camera.lookat = data.xipos[self.tracked]
        return self._camera


def check_camera(name: str | None, free: FreeCamera) -> None:
    """UserError if a camera of the model is moved, or one that tracks is told where to look."""
    if name is not None and free.given:
        one = free.given[0]
        raise UserError(
            f"--camera {name} is placed by the model: leave out --{one}, or leave out --camera to use the free camera"
        )
    if free.track is not None and free.lookat is not None:
        raise UserError("--track BODY already looks at the body: leave out --lookat")


def element_id(names: Sequence[str | None], text: str, kind: str, plural: str = "") -> int:
    """The id of an element, by its name or number; the error names the nearest one, and lists what there is."""
    if text in names:
        return list(names).index(text)
    if text.isdecimal() and int(text) < len(names):
        return int(text)
    known = [name for name in names if name]
    near = get_close_matches(text, known, 1, 0.5)
    listed = ", ".join(name or f"number {place}" for place, name in enumerate(names[:MOST_NAMES])) or "none"
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    meant = f": did you mean '{near[0]}'?" if near else "."
    raise NoSuchElement(f"the model has no {kind} '{text}'{meant} Its {plural or f'{kind}s'}: {listed}{more}")
