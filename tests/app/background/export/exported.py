"""Helpers for tests of exports: a model with files of every kind, moments of models, runs of exported files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import sim
from app.background.export.check import Checked, Reproduced, main
from app.background.export.compose import Wish
from app.background.export.model_text import OURS, THEIRS
from app.background.export.moment import ExportMoment, export_moment
from app.background.export.question import Question
from app.background.export.write import ExportWriter, Written
from app.run.engine.choice import engine_named
from sim.script.model_edits import edits_of

TETRAHEDRON = "v 0 0 0\nv .2 0 0\nv 0 .2 0\nv 0 0 .2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
# a mesh, a texture, a height field, an include, keyframes, a mocap body, a delay, a plastic spring, PID
FILES = {
    "main.xml": """<mujoco model="files">
  <compiler meshdir="{folder}/shapes" texturedir="{folder}/pictures"/>
  <option timestep="0.004" integrator="implicitfast"/>
  <asset>
    <mesh name="rock" file="rock.obj"/>
    <texture name="stripes" type="2d" file="stripes.png"/>
    <material name="stripes" texture="stripes"/>
    <hfield name="hills" file="hills.png" size="2 2 .1 .1"/>
  </asset>
  <worldbody>
    <geom name="ground" type="hfield" hfield="hills" material="stripes"/>
    <body name="rock" pos=".1 .1 .25"><freejoint name="rock"/><geom name="rock" type="mesh" mesh="rock"/></body>
    <body name="target" mocap="true" pos="1 0 .5"/>
    <include file="arm.xml"/>
  </worldbody>
  <actuator>
    <pid name="pid" joint="elbow" kp="8" kv="1" ki="3" delay=".012" nsample="6"/>
  </actuator>
  <keyframe><key name="start" ctrl=".4"/></keyframe>
</mujoco>
""",
    "arm.xml": """<mujocoinclude>
  <body name="arm" pos="-.5 0 1">
    <joint name="shoulder" axis="0 1 0" stiffness="20" springyield=".5" damping=".1"/>
    <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
    <body name="hand" pos=".3 0 0"><joint name="elbow" axis="0 1 0"/><geom size=".06"/></body>
  </body>
</mujocoinclude>
""",
}
TINY = """<mujoco><option timestep='.01'/><worldbody><geom name='floor' type='plane' size='1 1 1'/>
<body name='ball' pos='0 0 .2'><freejoint name='free'/><geom name='ball' size='.1'/></body></worldbody></mujoco>"""


def written_files(folder: Path) -> Path:
    """Write the model with files of every kind, which names its folders in full; returns its main file."""
    (folder / "shapes").mkdir(parents=True)
    (folder / "pictures").mkdir()
    (folder / "shapes/rock.obj").write_text(TETRAHEDRON)
    stripes = np.zeros((8, 8, 3), np.uint8)
    stripes[::2] = 200
    Image.fromarray(stripes).save(folder / "pictures/stripes.png")
    hills = np.add.outer(np.arange(8) * 20, np.arange(8) * 10).astype(np.uint8)
    Image.fromarray(hills).save(folder / "shapes/hills.png")
    for name, text in FILES.items():
        (folder / name).write_text(text.replace("{folder}", str(folder)))
    return folder / "main.xml"


def moment_of(m: sim.Model, d: sim.Data, title: str = "model.xml", step: int = 7) -> ExportMoment:
    """The moment of Data, in a model of its own."""
    own = m.copy()
    return export_moment(own, own.engine.Data(own), edits_of(m), m.engine.copy_state(m, d), title, "", step)


def run_to(m: sim.Model, steps: int, key: int | None = None) -> sim.Data:
    """Data some steps after the start."""
    d = m.engine.Data(m)
    m.engine.reset(m, d, key)
    m.engine.step(m, d, steps)
    return d


def asking(*expressions: str, **options: Any) -> Wish:
    """A wish with these questions."""
    return Wish(tuple(Question(text, "asked") for text in expressions), **options)


def run_here(path: Path) -> list[Reproduced]:
    """What `reproduce` finds, in this process: fast."""
    return [
        Reproduced(row["engine"], row["version"], tuple(Checked(*check) for check in row["checks"]), row["fault"])
        for row in main(str(path))
    ]


def export(moment: ExportMoment, wish: Wish, path: Path, **options: Any) -> Written:
    """Write an export, and run it in this process."""
    return ExportWriter(moment, wish, path, check=run_here, **options).write()


def is_exact(written: Written) -> bool:
    """Whether our engine reproduces every number to the bit."""
    ours = [one for one in written.found if one.engine == OURS]
    return len(ours) == 1 and bool(ours[0].checks) and all(c.apart == 0 and not c.fault for c in ours[0].checks)


def engines_of(written: Written) -> list[str]:
    """The engines that have run it."""
    return [one.engine for one in written.found]


BOTH = [OURS, THEIRS]


def run_clean(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder as a user with nothing set would; kernels that are compiled are found."""
    kept = ("PATH", "HOME", "XDG_CACHE_HOME", "KINETOSCOPE_CACHE", "TMPDIR")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def mujoco_model(xml: str, folder: Path) -> sim.Model:
    """A model of MuJoCo, from a file."""
    path = folder / "theirs.xml"
    path.write_text(xml)
    return engine_named("mujoco").load(str(path))
