"""How a model opens that is named on the command line: in which keyframe, and seen by which camera."""

from __future__ import annotations

from dataclasses import dataclass

from app.model.views import ModelView
from app.render.capture.free_camera import MODELS_OWN, ChosenCamera, FreeCamera, element_id
from app.run.commands import Reset
from app.scene.camera import FREE_CAMERA
from app.view.input.desk import Desk
from sim.user_error import UserError


@dataclass(frozen=True)
class Opening:
    """Keyframe and camera, by name or number; the numbers of the free camera."""

    key: str | None = None
    camera: str | None = None
    free: FreeCamera = MODELS_OWN

    def check(self, model: ModelView) -> tuple[int | None, ChosenCamera]:
        """The keyframe and the camera in a model; UserError if it has no such thing."""
        key = None if self.key is None else element_id(model.names["key"], self.key, "keyframe")
        return key, ChosenCamera(model, model.names, self.camera, self.free)

    def begin(self, desk: Desk) -> None:
        """Show the first model so, now or once it is there."""
        desk.view.opening = self.apply
        if desk.snapshot.model is not None:
            apply_opening(desk, desk.snapshot.model)

    def apply(self, desk: Desk, model: ModelView) -> None:
        """Show the model so; what it does not have is reported."""
        try:
            key, chosen = self.check(model)
        except UserError as error:
            desk.report("The model was opened with its own settings", str(error))
            return
        if key is not None and model.names["key"][key] != self.key:
            # by its name, it was opened in it
            desk.send(Reset(key))
        if self.camera is not None:
            desk.view.camera_id = chosen.camera_id
        elif self.free.given:
            desk.view.camera_id, desk.view.tracked = FREE_CAMERA, chosen.tracked
            desk.view.camera = self.free.placed(model)


def apply_opening(desk: Desk, model: ModelView) -> None:
    """Show the first model as the command line says."""
    opening, desk.view.opening = desk.view.opening, None
    if opening is not None:
        opening(desk, model)
