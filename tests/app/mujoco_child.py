"""A script on MuJoCo's model with a passive viewer, for tests with a real window.

Each line on standard input is a Python expression about `v`, the handle, `m`, `d` and `seen`; its value after the next
turn of the viewer's loop and a sync of the script is printed as JSON. `close` closes the viewer.
"""

from __future__ import annotations

import json
import queue
import sys
import threading
import time

import mujoco
import numpy as np

from app import viewer
from app.run import commands as cmd
from tests.app.script_child import Noted, plain, turns

XML = """<mujoco><option gravity='0 0 0'/><statistic center='0 0 0' extent='1'/>
<visual><global azimuth='90' elevation='0'/></visual><worldbody><light pos='0 -2 2' dir='0 1 -1'/>
<camera name='side' pos='0 -3 0' xyaxes='1 0 0 0 0 1' fovy='30'/>
<body name='ball'><freejoint/><geom size='.2'/></body>
<body name='target' mocap='true' pos='1 0 0'><geom size='.05' contype='0' conaffinity='0'/></body>
</worldbody></mujoco>"""
FLAGS, TYPES = mujoco.mjtVisFlag, mujoco.mjtGeom
RED = np.array([1, 0, 0, 1], np.float32)


class Seen:
    """What the script notices."""

    def __init__(self) -> None:
        self.keys: list[int] = []
        self.steps = 0
        self.synced = threading.Event()


class Shots:
    """Takes pictures of the screen, panels and all, at the end of a frame."""

    pixels: list[list[list[int]]] | None = None

    def take(self, v: viewer.Handle, box: list[int]) -> None:
        """Of the next frame that is drawn."""
        application = v._application
        assert application is not None
        flip, self.pixels = application.window.flip, None

        def flip_later() -> None:
            application.window.flip = flip
            self.pixels = application.read_frame(tuple(box)).tolist()
            flip()

        application.window.flip = flip_later
        application._trailing = 20


shots = Shots()


def figure() -> mujoco.MjvFigure:
    """A line that goes up."""
    made = mujoco.MjvFigure()
    mujoco.mjv_defaultFigure(made)
    made.title, made.xlabel, made.gridsize[:], made.flg_extend = "a title", "time", (3, 3), 1
    made.figurergba[:], made.panergba[:] = (0, 0, 0.3, 1), (0, 0, 0.3, 1)
    made.linergb[0], made.linename[0], made.linepnt[0] = (1, 1, 0), "up", 50
    made.linedata[0][:100:2], made.linedata[0][1:100:2] = np.arange(50), np.arange(50) ** 2
    return made


def sphere(v: viewer.Handle, k: int, x: float) -> None:
    """Put a sphere in the scene."""
    scn = v.user_scn
    mujoco.mjv_initGeom(scn.geoms[k], TYPES.mjGEOM_SPHERE, [0.1, 0, 0], [x, 0, 0.5], np.eye(3).ravel(), RED)
    scn.ngeom = k + 1


def start_over(v: viewer.Handle, seen: Seen) -> None:
    """As the script was when it began."""
    seen.keys.clear()
    mujoco.mjv_defaultFreeCamera(v.m, v.cam)
    v.cam.distance = 2.5
    v.opt.flags[:], v.opt.frame = mujoco.MjvOption().flags, 0
    v.perturb.select, v.perturb.active = 0, 0
    v.user_scn.ngeom = 0
    v.clear_figures()
    v.clear_texts()
    for command in (cmd.Perturb(), cmd.DismissProblem(), cmd.Reset(), cmd.SetPaused(False)):
        v._simulation.send(command)


def later(v: viewer.Handle, m: mujoco.MjModel, d: mujoco.MjData) -> None:
    """Have another model after the next sync, on the script's thread."""
    plan["model"] = m, d


def other(v: viewer.Handle) -> None:
    """A model with one more body."""
    m = mujoco.MjModel.from_xml_string(
        XML.replace("</worldbody>", "<body pos='0 0 1'><geom size='.1'/></body></worldbody>")
    )
    later(v, m, mujoco.MjData(m))


back = later
plan: dict[str, tuple[mujoco.MjModel, mujoco.MjData]] = {}


def main() -> None:
    """Step until told to stop."""
    m = mujoco.MjModel.from_xml_string(XML)
    d = mujoco.MjData(m)
    seen, questions = Seen(), queue.SimpleQueue[str]()

    def listen() -> None:
        for line in sys.stdin:
            questions.put(line.strip())

    def answer() -> None:
        while (question := questions.get()) != "close":
            turns(1)
            value = eval(question, {**globals(), "v": v, "m": m, "d": d, "seen": seen})
            print(json.dumps(plain(value)), flush=True)
        v.close()

    viewer.Application = Noted
    with viewer.launch_passive(m, d, key_callback=seen.keys.append) as v:
        threading.Thread(target=listen, daemon=True).start()
        threading.Thread(target=answer, daemon=True).start()
        v.cam.distance = 2.5
        while v.is_running():
            mujoco.mj_step(v.m, v.d)
            seen.steps += 1
            v.sync()
            if "model" in plan:
                v.set_model(*plan.pop("model"))
            time.sleep(0.001)
    print("closed", v.is_running(), bool(np.isfinite(d.qpos).all()), flush=True)


if __name__ == "__main__":
    main()
