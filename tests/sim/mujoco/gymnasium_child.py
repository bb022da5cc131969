"""Steps gymnasium's environments and prints their observations: python gymnasium_child.py [--ours] [--eps E] NAME..."""

from __future__ import annotations

import argparse
import json
import warnings
from typing import Any

import numpy as np

STEPS = 30


def observations(name: str, eps: float) -> list[list[float]]:
    """What an environment observes in the first steps; `eps` moves where it starts."""
    import gymnasium

    env: Any = gymnasium.make(name, disable_env_checker=True).unwrapped
    env.reset(seed=3)
    if eps:
        env.data.qpos[:] *= 1.0 + eps
        env.data.qvel[:] *= 1.0 + eps
    actions = np.random.default_rng(0)
    space = env.action_space
    found = [env.step(actions.uniform(space.low, space.high))[0].tolist() for _ in range(STEPS)]
    env.close()
    return found


def image() -> dict[str, Any]:
    """A picture and its depths."""
    import gymnasium

    found: dict[str, Any] = {}
    for mode in ("rgb_array", "depth_array"):
        env = gymnasium.make("Hopper-v5", render_mode=mode, width=160, height=120)
        env.reset(seed=1)
        pixels: Any = env.render()
        found[mode] = {"shape": pixels.shape, "mean": float(pixels.mean()), "middle": pixels[60, 80].tolist()}
        found[mode]["corner"] = pixels[0, 0].tolist()
        env.close()
    return found


def main() -> None:
    """Run them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--ours", action="store_true")
    parser.add_argument("--eps", type=float, default=0.0)
    parser.add_argument("--image", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if options.ours:
        from sim.mujoco.stand_in import stand_in

        stand_in()
    found: dict[str, Any] = {name: observations(name, options.eps) for name in options.names}
    print(json.dumps(image() if options.image else found))


if __name__ == "__main__":
    main()
