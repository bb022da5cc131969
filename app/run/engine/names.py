"""The names of engines, as people type them."""

KINETOSCOPE, MUJOCO = "kinetoscope", "mujoco"
NAMES = (KINETOSCOPE, MUJOCO)
# as panels show them
TITLES = {KINETOSCOPE: "Kinetoscope's engine", MUJOCO: "MuJoCo"}
