"""What a script draws into its viewer besides geoms and texts: ghosts, trails and images."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import sim
from app.run.passive import PassiveSimulation
from app.run.snapshot import view_state
from app.scene.decor.trails import Trail
from app.scene.ghost import Ghost
from app.view.script.images import checked_pixels, image_over
from app.view.script.layer import ScriptLayer

BLUE = (0.36, 0.66, 0.96)
AMBER = (0.95, 0.68, 0.26)
# what a trail can follow: type of element -> the field with its position
POSITIONS = {"body": "xpos", "site": "site_xpos", "geom": "geom_xpos"}


class ScriptDrawing:
    """The part of a handle that draws."""

    _script_layer: ScriptLayer
    _simulation: PassiveSimulation
    # for the poses of ghosts
    _ghost_data: Any = None

    def ghost(self, pose: Any, colour: Sequence[float] = BLUE, name: str = "ghost") -> None:
        """Draw the model once more, translucent, at another qpos or as another Data has it; None removes it.

        Ghosts have names: one of the same name takes the place of the one before. Parts that are where the model has
        them are not drawn.
        """
        ghosts = {**self._script_layer.ghosts}
        ghosts.pop(name, None)
        if pose is not None:
            ghosts[name] = Ghost(view_state(self._posed(pose)), (float(colour[0]), float(colour[1]), float(colour[2])))
        self._script_layer.ghosts = ghosts

    def _posed(self, pose: Any) -> Any:
        """Data at a pose."""
        model = self._simulation.model
        if isinstance(pose, sim.Data):
            pose.check_fit(model)
            return pose
        qpos = np.asarray(getattr(pose, "qpos", pose), float)
        if qpos.shape != (model.nq,):
            raise ValueError(f"a ghost needs a qpos of {model.nq} numbers, not of shape {qpos.shape}")
        if self._ghost_data is None or self._ghost_data[0] is not model:
            self._ghost_data = model, model.engine.Data(model)
        data = self._ghost_data[1]
        data.qpos[:] = qpos
        model.engine.forward(model, data)
        return data

    def trail(
        self,
        what: str | int | Callable[[], Sequence[float]],
        seconds: float = 2.0,
        colour: Sequence[float] = AMBER,
        name: str = "",
    ) -> None:
        """Draw the last positions of a body ("torso", "body torso" or its id), of a site or a geom ("site hand").

        A function returns the position itself. Positions are taken in `sync`, by d.time. A trail of the same name, or
        of the same element, takes the place of the one before.
        """
        self._script_layer.trails[name or str(what)] = Trail(seconds, colour), self._position(what)

    def clear_trails(self) -> None:
        """Remove all trails."""
        self._script_layer.trails.clear()

    def _position(self, what: str | int | Callable[[], Sequence[float]]) -> Callable[[], Sequence[float]]:
        """What returns the position of an element."""
        if callable(what):
            return what
        kind, _, rest = str(what).partition(" ")
        kind, element = (kind, rest) if rest and kind in POSITIONS else ("body", str(what))
        model = self._simulation.model
        index = int(element) if isinstance(what, int) else getattr(model, kind)(element).id
        return lambda: getattr(self._simulation.data, POSITIONS[kind])[index]

    def set_images(self, images: Any) -> None:
        """Images over the view: (rectangle, pixels), one or a list.

        A rectangle is left, bottom, width, height in pixels of the view (or MuJoCo's MjrRect), pixels are uint8 of
        shape (height, width, 3).
        """
        pairs = [images] if isinstance(images, tuple) and len(images) == 2 else images
        self._script_layer.images = tuple(image_over(*pair) for pair in pairs)

    def clear_images(self) -> None:
        """Remove the images over the view."""
        self._script_layer.images = ()

    def image(self, name: str, pixels: Any) -> None:
        """Show an image in a panel of this name; None removes it."""
        shown = {**self._script_layer.panel_images}
        shown.pop(name, None)
        if pixels is not None:
            shown[name] = checked_pixels(pixels)
        self._script_layer.panel_images = shown
