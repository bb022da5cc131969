"""Fields are typed: mypy finds a misspelt one in app, in sim and in a user's script.

The types are `sim/typed_fields.pyi` and `app/model/typed_views.pyi`; `.venv/bin/python -m tests.typed_fields` writes
them. mypy runs once, on two scripts and on files of the project in which one field is misspelt.
"""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.typed_fields import FILES, ROOT

RIGHT = '''"""A script as users write them."""

import numpy as np

import sim

m = sim.load("scene.xml")
d = sim.Data(m)
assert m.nq == len(m.qpos0) and m.opt.disableflags | 1 and m.names["body"]

# assignment copies: from lists, tuples, arrays and numbers
d.qpos = [0.0] * m.nq
d.qvel = 0
d.qpos += 0.5
d.qpos[2:5] = (1, 2, 3)
d.ctrl[0] = 1
d.eq_active = True
d.xfrc_applied = np.zeros((m.nbody, 6))
d.time = 0
m.opt.timestep = 0.01
m.opt.gravity = (0, 0, -1)
m.opt.gravity[2] = -9.81
m.vis.global_.azimuth = 30
m.vis.rgba.haze = [1, 1, 1, 1]
m.geom_rgba[:, 3] *= 0.5

# what is read has the type of the table
position: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = m.body_pos
colour: np.ndarray[tuple[int, ...], np.dtype[np.float32]] = m.geom_rgba
parent: np.ndarray[tuple[int, ...], np.dtype[np.int32]] = m.body_parentid
active: np.ndarray[tuple[int, ...], np.dtype[np.bool_]] = d.eq_active
timestep: float = m.opt.timestep
count: int = d.ncon

# elements by name
m.body("torso").mass = 7
m.jnt(0).range = (-1, 1)
m.joint(np.int32(0)).dof_solref[0] = 0.1
d.joint("knee").qpos[0] += d.joint("knee").qvel[0] * timestep
print(m.body("torso").name, m.geom(0).id, d.sensor("touch").data, d.actuator("motor").ctrl, m.tex("wood").data.shape)

# rows of groups
for contact in d.contact:
    print(contact.dist, contact.pos[2], contact.geom)
print(len(d.contact), d.contact[0].frame.reshape(3, 3), d.contact[1:].dist.min(), d.warning[0].number)

sim.step(m, d, nstep=10)
A, B, C, D = sim.transition_fd(m, d)
sim.jac_body(m, d, 1)[0].sum()
sim.mul_quat(d.xquat[1], d.body("torso").xquat)
d.copy().qpos.tobytes()
m.copy().save_xml("copy.xml")


def control(m: sim.Model, d: sim.Data) -> None:
    """A callback."""
    d.qfrc_applied[0] = -0.1 * d.qvel[0] * m.opt.timestep


sim.callbacks.control = control
sim.callbacks.collision["sphere", "box"] = None
'''

WRONG = '''"""Every line after the second has a mistake."""
import sim; m = sim.load("scene.xml"); d = sim.Data(m)
m.bdoy_pos
m.bdoy_pos = 1
d.qpso
d.qpso = [1]
d.qpso[0] = 1
m.opt.timstep
m.opt.timstep = 0.01
m.vis.rgba.haez
m.body("torso").pso
m.body("torso").pso = 1
d.joint("knee").qpos0
m.bodi("torso")
d.contact.dits
d.contact[0].dits
d.contact[0:2].dits
m.opt = 1
m.opt.timestep = "0.01"
m.opt.timestep.shape
sim.stpe(m, d)
sim.step(d, m)
sim.callbacks.contrl = None
'''

# file of the project, what it says, and the same misspelt; qacc is a field, but not of snapshots
MISSPELT = (
    ("app/window/panels/joints.py", "model.jnt_type", "model.jnt_tpye"),
    ("app/scene/lights.py", "state.light_xpos", "state.ligth_xpos"),
    ("app/scene/contacts.py", "state.contact.pos", "state.contact.psos"),
    ("app/window/overlays/info.py", "state.energy", "state.enegry"),
    ("app/run/mouse_pull.py", "live.model.nbody", "live.model.nobdy"),
    ("app/model/components.py", "model.eq_type", "model.eq_typ"),
    ("sim/script/inertia.py", "m.nv", "m.mv"),
    ("sim/callback.py", "lambda m: (m.sensor_type", "lambda m: (m.senor_type"),
)


class Findings:
    """The errors of mypy: file -> lines."""

    def __init__(self, output: str) -> None:
        self.output = output
        self.lines: dict[str, set[int]] = {}
        for path, line in re.findall(r"^(.*?):(\d+): error:", output, re.MULTILINE):
            self.lines.setdefault(path, set()).add(int(line))


@pytest.fixture(scope="module")
def findings(tmp_path_factory: pytest.TempPathFactory) -> Findings:
    """What mypy says of the scripts and of the misspelt files, in one run."""
    folder = tmp_path_factory.mktemp("types")
    scripts = {folder / "right.py": RIGHT, folder / "wrong.py": WRONG}
    shadows: list[str] = []
    for number, (path, text, misspelt) in enumerate(MISSPELT):
        shadow = folder / f"shadow_{number}.py"
        scripts[shadow] = (ROOT / path).read_text(encoding="utf-8").replace(text, misspelt)
        shadows += ["--shadow-file", path, str(shadow)]
    for script, text in scripts.items():
        script.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(folder / "cache"), "--follow-imports", "silent"]
    command += [*shadows, *(path for path, _, _ in MISSPELT), str(folder / "right.py"), str(folder / "wrong.py")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and not done.stderr, done.stdout + done.stderr
    return Findings(done.stdout.replace(f"{folder}/", ""))


def lines_with(text: str, part: str) -> set[int]:
    """The numbers of the lines that have a part."""
    return {number for number, line in enumerate(text.splitlines(), 1) if part in line}


def test_a_script_is_typed(findings: Findings) -> None:
    """What users write passes strict mypy."""
    assert "right.py" not in findings.lines, findings.output


def test_misspelt_fields_of_a_script_are_found(findings: Findings) -> None:
    """Every one of them, and nothing else."""
    assert findings.lines["wrong.py"] == {*range(3, len(WRONG.splitlines()) + 1)}, findings.output


@pytest.mark.parametrize(("path", "text", "misspelt"), MISSPELT)
def test_misspelt_field_of_the_project_is_found(findings: Findings, path: str, text: str, misspelt: str) -> None:
    """In panels, in the scene, in the simulation and in the engine."""
    wanted = lines_with((ROOT / path).read_text(encoding="utf-8"), text)
    assert wanted, f"{path} does not mention {text}"
    assert findings.lines.get(path) == wanted, findings.output


@pytest.mark.parametrize("path", FILES)
def test_types_are_current(path: str) -> None:
    """`python -m tests.typed_fields` writes them."""
    assert (ROOT / path).read_text(encoding="utf-8") == FILES[path]()


@pytest.mark.parametrize("package", ["app", "sim"])
def test_types_are_shipped(package: str) -> None:
    """Type checkers read the types of an installed package only if it says so."""
    assert (ROOT / package / "py.typed").is_file()
