"""Cameras: what the cameras of the model see."""
