"""`mujoco.Renderer`: the viewer's renderer without a window, see `app/capture/offscreen.py`."""

from __future__ import annotations

from app.capture.offscreen import Renderer

__all__ = ["Renderer"]
