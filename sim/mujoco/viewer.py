"""`mujoco.viewer`: Kinetoscope's viewer under its names, see `app/viewer.py`."""

from __future__ import annotations

from app.viewer import Handle, launch, launch_from_path, launch_passive

__all__ = ["Handle", "launch", "launch_from_path", "launch_passive"]
