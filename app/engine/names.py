"""The names of engines, as people type them."""

KINETOSCOPE, MUJOCO = "kinetoscope", "mujoco"
NAMES = (KINETOSCOPE, MUJOCO)
