"""GLContext of mujoco.egl, mujoco.glfw and mujoco.osmesa: the renderer makes its own, so there is nothing to do."""

from __future__ import annotations


class GLContext:
    """A place to draw."""

    def __init__(self, max_width: int, max_height: int) -> None:
        self.size = max_width, max_height

    def make_current(self) -> None:
        """Draw there."""

    def free(self) -> None:
        """Nothing is held."""
