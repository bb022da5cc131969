"""MuJoCo's functions by theme; importing a module adds its functions to `sim.mujoco.binding.FUNCTIONS`."""
