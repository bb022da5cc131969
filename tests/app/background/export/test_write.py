"""Exported tests and scripts show what was seen: to the bit with our engine, to rounding with MuJoCo; or they fail.

Files: write.py, compose.py, templates.py, model_text.py, moment.py, check.py, number_text.py, exported.py.
"""

from __future__ import annotations

import ast
import errno
import runpy
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import sim
from app.background.export import check as check_module
from app.background.export import compose as compose_module
from app.background.export import write as write_module
from app.background.export.check import reproduce, summary
from app.background.export.compose import tolerance
from app.background.export.model_text import OURS, THEIRS, CannotExport, model_text
from app.background.export.moment import export_moment
from app.background.export.number_text import literal, rounded_up, wrapped
from app.background.export.templates import imports
from app.background.export.write import ExportWriter, file_stem, kind_of
from app.files.resources import START_KEY, find_scene
from sim.edits import CellValue, ModelEdits
from sim.script.model_edits import apply_edits, edits_of
from sim.user_error import UserError
from tests.app.background.export.exported import (
    BOTH,
    TINY,
    asking,
    engines_of,
    export,
    is_exact,
    moment_of,
    mujoco_model,
    run_clean,
    run_here,
    run_to,
    written_files,
)

QUESTIONS = ('d.body("rock").xpos', 'd.joint("elbow").qacc', "d.ncon", 'touching("rock", "ground")', "norm(d.qvel)")
# what each has: sleeping trees, delays, plastic springs, servos with dynamics, tendons, sensors
SCENES = {"sleepers": 900, "delay_and_lag": 150, "bent_wire": 60, "stiff_servos": 40, "instruments": 80}


def scene(name: str) -> tuple[sim.Model, int | None]:
    m = sim.load(find_scene(name))
    return m, m.name2id("key", START_KEY) if START_KEY in m.names["key"] else None


@pytest.fixture
def files(tmp_path: Path) -> sim.Model:
    """The model with files of every kind."""
    return sim.load(written_files(tmp_path / "project"))


# ---- whoever gets it can run it


def test_a_test_and_a_script_run_in_an_empty_folder(files: sim.Model, tmp_path: Path) -> None:
    """With pytest and with Python alone, both engines; the original files are gone."""
    moment, empty = moment_of(files, run_to(files, 60, 0)), tmp_path / "empty"
    empty.mkdir()
    wish = asking(*QUESTIONS, text="It rolls.")
    written = ExportWriter(moment, wish, empty / "test_moment.py").write()
    assert written.same, written.text
    assert export(moment, wish, empty / "moment.py").same
    (tmp_path / "project").rename(tmp_path / "gone")
    tested = run_clean(empty, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_moment.py")
    assert "4 passed" in tested.stdout, tested.stdout + tested.stderr
    printed = run_clean(empty, "moment.py")
    assert printed.returncode == 0, printed.stdout + printed.stderr
    assert printed.stdout.splitlines()[-1] == "reproduced"
    assert {"sim.mujoco", "mujoco"} <= set(printed.stdout.splitlines())


def test_a_planted_difference_makes_it_fail(tmp_path: Path) -> None:
    """Another number in the state is found by test and script, with each engine."""
    m = sim.loads(TINY)
    moment = moment_of(m, run_to(m, 30))
    export(moment, asking("d.qpos[2]"), tmp_path / "test_moment.py")
    export(moment, asking("d.qpos[2]"), tmp_path / "moment.py")
    height = repr(float(moment.state["qpos"][2]))
    for name in ("test_moment.py", "moment.py"):
        source = (tmp_path / name).read_text()
        state = source.index("STATE = {")
        place = source.index(height, state)
        (tmp_path / name).write_text(source[:place] + repr(float(height) + 1e-4) + source[place + len(height) :])
        found = run_here(tmp_path / name)
        assert engines_of_found(found) == BOTH
        assert not any(one.same for one in found)
        assert "d.qpos[2] differs by 0.0001" in summary(found)
    tested = run_clean(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_moment.py")
    assert "4 failed" in tested.stdout
    assert "0.0001 away" in tested.stdout
    printed = run_clean(tmp_path, "moment.py")
    assert printed.returncode == 1
    assert "NOT reproduced" in printed.stdout


def engines_of_found(found: list[Any]) -> list[str]:
    return [one.engine for one in found]


def test_the_check_runs_in_another_process(tmp_path: Path) -> None:
    """Its answer is that of this process; a file that cannot be read gives a sentence."""
    m = sim.loads(TINY)
    export(moment_of(m, run_to(m, 30)), asking("d.ncon"), tmp_path / "moment.py")
    assert reproduce(tmp_path / "moment.py") == run_here(tmp_path / "moment.py")
    (tmp_path / "broken.py").write_text("def :")
    with pytest.raises(RuntimeError, match="SyntaxError"):
        reproduce(tmp_path / "broken.py")


# ---- what is seen


def test_values_are_the_bits_that_were_seen(files: sim.Model, tmp_path: Path) -> None:
    d = run_to(files, 60, 0)
    written = export(moment_of(files, d), asking(*QUESTIONS), tmp_path / "moment.py")
    assert is_exact(written)
    assert written.same, written.text
    # the numbers in the file are those of the run that goes on
    module = runpy.run_path(str(tmp_path / "moment.py"))
    sim.step(files, d, 10)
    assert np.array_equal(module["LATER"]["qpos"], d.qpos)
    assert np.array_equal(module["LATER"]["qvel"], d.qvel)


@pytest.mark.parametrize("name", SCENES)
def test_scenes(name: str, tmp_path: Path) -> None:
    """A slice of tests/soak/exports.py."""
    m, key = scene(name)
    moment = moment_of(m, run_to(m, SCENES[name], key), f"{name}.xml")
    written = export(moment, asking("norm(d.qvel)", "energy()", "d.nefc"), tmp_path / "test_moment.py")
    assert is_exact(written), written.text
    assert written.same, written.text
    assert engines_of(written) == BOTH


def test_sleeping_trees_stay_asleep(tmp_path: Path) -> None:
    m, key = scene("sleepers")
    d = run_to(m, SCENES["sleepers"], key)
    asleep = int((d.tree_asleep >= 0).sum())
    assert asleep > 5
    written = export(moment_of(m, d), asking("d.ntree_awake", "d.tree_asleep"), tmp_path / "moment.py")
    assert written.same, written.text
    assert is_exact(written)
    source = (tmp_path / "moment.py").read_text()
    assert f"check('d.ntree_awake', d.ntree_awake, {m.ntree - asleep}, 0)" in source


def test_edits_are_in_it(files: sim.Model, tmp_path: Path) -> None:
    """As MJCF where it has an attribute; by field where it has none, and where rounding would change a bit."""
    apply_edits(
        files,
        ModelEdits({"dof_damping": (CellValue(files.nv - 1, 0, 0.7),), "opt.gravity": (CellValue(2, 0, -3.0),)}),
    )
    files.dof_invweight0[0] *= 1.5
    moment = moment_of(files, run_to(files, 40, 0))
    moment.model.dof_invweight0[:] = files.dof_invweight0
    text = model_text(moment.model)
    assert 'gravity="0 0 -3"' in text.xml
    assert 'damping="0.7"' in text.xml
    assert set(text.fields) == {"dof_invweight0"}
    written = export(moment, asking("d.qacc[2]"), tmp_path / "test_moment.py")
    assert written.same, written.text
    assert is_exact(written)
    assert "with 2 edited fields" in (tmp_path / "test_moment.py").read_text()


def test_a_diverged_moment(tmp_path: Path) -> None:
    """NaN stays NaN, and says so in the source."""
    m = sim.loads(TINY)
    d = run_to(m, 5)
    d.qvel[1], d.qpos[0] = np.nan, np.inf
    written = export(moment_of(m, d), asking("d.qvel[1]", "d.xpos[1]"), tmp_path / "test_moment.py")
    assert is_exact(written)
    source = (tmp_path / "test_moment.py").read_text()
    assert "from numpy import inf, nan" in source
    assert "check('d.qvel[1]', d.qvel[1], nan, " in source


def test_the_pull_of_the_mouse_becomes_an_applied_force(tmp_path: Path) -> None:
    m = sim.loads(TINY)
    d = run_to(m, 5)
    d.perturb.select, d.perturb.active = 1, 1
    d.perturb.refselpos = (0.5, 0.0, 1.0)
    sim.forward(m, d)
    seen = d.qacc.copy()
    moment = moment_of(m, d)
    assert np.array_equal(moment.forwarded().qacc, seen)
    assert np.abs(moment.state["xfrc_applied"][1]).max() > 0
    written = export(moment, asking("d.qacc"), tmp_path / "moment.py")
    assert written.same, written.text
    assert "The mouse was pulling" in (tmp_path / "moment.py").read_text()


# ---- one engine alone


def test_what_mujoco_does_not_know_is_for_our_engine_alone(tmp_path: Path) -> None:
    m, key = scene("bow")
    written = export(moment_of(m, run_to(m, 20, key)), asking("norm(d.qvel)"), tmp_path / "test_moment.py")
    assert is_exact(written)
    assert engines_of(written) == [OURS]
    source = (tmp_path / "test_moment.py").read_text()
    assert 'ENGINES = ["kinetoscope.mujoco"]' in source
    assert "It runs with one engine only: MuJoCo does not have" in source


def test_a_model_that_mujoco_refuses_is_for_our_engine_alone(tmp_path: Path) -> None:
    """What is found out by running it."""
    m = sim.loads(TINY)
    tries = []

    def check(path: Path) -> Any:
        tries.append(path.read_text())
        found = run_here(path)
        return [
            write_module.Reproduced(one.engine, one.version, (), "ValueError: XML Error: no\nElement 'body'")
            if one.engine == THEIRS
            else one
            for one in found
        ]

    written = ExportWriter(moment_of(m, run_to(m, 5)), asking("d.ncon"), tmp_path / "moment.py", check=check).write()
    assert (len(tries), engines_of(written)) == (2, [OURS])
    assert "cannot run it: ValueError: XML Error: no." in (tmp_path / "moment.py").read_text()


def test_a_field_that_only_our_engine_has_is_not_asked_of_mujoco(tmp_path: Path) -> None:
    m = sim.loads(TINY)
    wish = asking("d.qpos[2]", "d.tree_restless[0]", "d.solver.nonzero[0]", "d.ncon")
    written = export(moment_of(m, run_to(m, 30)), wish, tmp_path / "test_moment.py")
    assert engines_of(written) == BOTH
    assert written.same, written.text
    assert [len(one.checks) for one in written.found] == [7, 6]
    assert written.warnings == ("left out, because MuJoCo does not support it: d.solver.nonzero[0]",)
    assert "if mujoco.__name__ != \"mujoco\":\n        check('d.tree_restless[0]'" in written.path.read_text()


def test_moments_of_mujoco(tmp_path: Path) -> None:
    """The engine that was used comes first, and reproduces to the bit."""
    m = mujoco_model(TINY, tmp_path)
    written = export(moment_of(m, run_to(m, 30)), asking("d.qpos[2]", "contact_force(0)"), tmp_path / "moment.py")
    assert engines_of(written) == [THEIRS, OURS]
    assert written.same, written.text
    assert all(check.apart == 0 for check in written.found[0].checks)


FLEX = """<mujoco><worldbody><geom type='box' size='.3 .3 .1'/>
<flexcomp name='cloth' type='grid' count='4 4 1' spacing='.1 .1 .1' pos='0 0 .13' dim='2' radius='.02' mass='1'>
  <edge equality='true'/></flexcomp></worldbody></mujoco>"""


def test_flexes_are_for_mujoco_alone(tmp_path: Path) -> None:
    m = mujoco_model(FLEX, tmp_path)
    written = export(moment_of(m, run_to(m, 20)), asking("norm(d.qvel)", "d.ncon"), tmp_path / "test_moment.py")
    assert engines_of(written) == [THEIRS]
    assert written.same, written.text
    source = (tmp_path / "test_moment.py").read_text()
    assert "Kinetoscope's engine does not support flexes" in source
    assert "<flex" in source


def test_a_model_without_a_file_is_binary(tmp_path: Path) -> None:
    m = mujoco_model(FLEX, tmp_path)
    (tmp_path / "theirs.xml").unlink()
    written = export(moment_of(m, run_to(m, 20)), asking("norm(d.qvel)"), tmp_path / "moment.py")
    assert written.same, written.text
    source = (tmp_path / "moment.py").read_text()
    assert "BINARY = unpack(" in source
    assert "other versions do not read it" in source


def test_a_model_without_a_source_is_refused() -> None:
    made = sim.loads(TINY)
    m = sim.Model(made.values(), made.names)
    with pytest.raises(CannotExport, match="this model has no source"):
        model_text(m)


# ---- files


def test_large_files_are_beside_it(files: sim.Model, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compose_module, "MOST_EMBEDDED", 10)
    place = tmp_path / "out"
    place.mkdir()
    written = export(moment_of(files, run_to(files, 5, 0)), asking(), place / "test_moment.py")
    assert written.same, written.text
    names = {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()}
    folder = "test_moment_files/assets"
    assert names - {"MUJOCO_LOG.TXT"} == {
        "test_moment.py", f"{folder}/rock.obj", f"{folder}/stripes.png", f"{folder}/hills.png"
    }  # fmt: skip
    assert "in the folder test_moment_files next to this file" in (place / "test_moment.py").read_text()


def test_a_full_disk_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Any, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(write_module, "write_atomic", full)
    m = sim.loads(TINY)
    with pytest.raises(OSError, match="No space left"):
        export(moment_of(m, run_to(m, 5)), asking(), tmp_path / "moment.py")
    assert list(tmp_path.iterdir()) == []


def test_the_source_is_in_the_style_of_the_house(files: sim.Model, tmp_path: Path) -> None:
    """Data comes last, words of the user are safe, and what came of it is said."""
    words = 'It says """no""" \\ and C:\\new'
    written = export(moment_of(files, run_to(files, 5, 0)), asking("d.ncon", text=words), tmp_path / "moment.py")
    source = (tmp_path / "moment.py").read_text()
    tree = ast.parse(source)
    functions = [node.lineno for node in tree.body if isinstance(node, ast.FunctionDef)]
    tables = [node.lineno for node in tree.body if isinstance(node, ast.Assign) and node.lineno > 30]
    assert max(functions) < min(tables)
    header = ast.get_docstring(tree) or ""
    assert "What is wrong: It says '''no''' \\ and " in header
    assert summary(list(written.found)).split(";")[0] in " ".join(header.split())
    assert source.splitlines()[0] == '"""model.xml at 0.02 s, as computed by Kinetoscope.'


def test_names_of_files() -> None:
    assert file_stem("robot arm.v2.xml", 1.2345) == "robot_arm_v2_at_1_234s"
    assert file_stem("", 0.0) == "model_at_0_000s"
    kinds = {name: kind_of(Path(name)) for name in ("test_a.py", "a.py", "a.zip")}
    assert kinds == {"test_a.py": "test", "a.py": "script", "a.zip": "zip"}
    with pytest.raises(UserError, match="must end in"):
        kind_of(Path("a.txt"))


# ---- numbers


def test_numbers_keep_their_bits() -> None:
    values = np.random.default_rng(0).standard_normal(50) * 10.0 ** np.arange(-25, 25)
    assert np.array_equal(ast.literal_eval(literal(values)), values)
    assert np.array_equal(ast.literal_eval(wrapped(values, 4).replace("\n", " ")), values)
    assert literal(np.array([True, False])) == "[1, 0]"
    assert literal(np.int32(4)) == "4"
    assert (literal(np.nan), literal(-np.inf)) == ("nan", "-inf")


def test_tolerances() -> None:
    """Relative to the largest number, never below what rounding errors do; counts are exact."""
    wish = asking()
    assert tolerance(np.array([3.0, -200.0]), 0.0, wish) == 2e-4
    assert tolerance(0.0, 0.0, wish) == 1e-10
    assert tolerance(2.0, 1e-3, wish) == 0.01
    assert tolerance(12, 0.0, wish) == 0.0
    assert (rounded_up(2.0e-7), rounded_up(2.1e-7), rounded_up(9.7e-7)) == (2e-7, 3e-7, 1e-6)


def test_imports_are_those_that_are_needed() -> None:
    assert imports("test", False, False, False, False) == "import numpy as np\nimport pytest"
    assert "tempfile" in imports("script", True, False, True, False)


def test_moment_takes_the_edits_of_then() -> None:
    """The export's model is at the edits of the moment, whatever the model has now."""
    m = sim.loads(TINY)
    d = run_to(m, 5)
    then = ModelEdits({"opt.gravity": (CellValue(2, 0, -1.0),)})
    own = m.copy()
    moment = export_moment(own, sim.Data(own), then, sim.copy_state(m, d), "a")
    assert moment.model.opt.gravity[2] == -1.0
    assert edits_of(m) == ModelEdits()


def test_the_check_of_a_test_needs_no_pytest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    m = sim.loads(TINY)
    export(moment_of(m, run_to(m, 5)), asking("d.ncon"), tmp_path / "test_moment.py")
    monkeypatch.setitem(sys.modules, "pytest", pytest)
    monkeypatch.setattr(check_module, "find_spec", lambda name: None)
    found = run_here(tmp_path / "test_moment.py")
    assert not hasattr(sys.modules["pytest"], "raises")
    assert [one.same for one in found] == [True, True]


def test_what_mujoco_rounds_in_its_mjcf_is_set_by_field(tmp_path: Path) -> None:
    """MuJoCo writes six digits: of flexes too every number is as it was."""
    third = FLEX.replace("mass='1'", "mass='.333333333333'").replace("pos='0 0 .13'", "pos='.1234567891 0 .13'")
    m = mujoco_model(third, tmp_path)
    text = model_text(m)
    assert text.xml
    assert {"body_mass", "body_pos"} <= set(text.fields)
    written = export(moment_of(m, run_to(m, 20)), asking("norm(d.qvel)"), tmp_path / "test_moment.py")
    assert [check.apart for check in written.found[0].checks] == [0.0] * len(written.found[0].checks)


def test_what_came_of_it_in_words() -> None:
    good = check_module.Reproduced(OURS, "A 1", (check_module.Checked("x", 0.0, 0.0),))
    near = check_module.Reproduced(THEIRS, "B 2", (check_module.Checked("x", 1e-14, 1e-9),))
    wide = check_module.Reproduced(THEIRS, "B 2", (check_module.Checked("x", 0.1, 0.5),))
    bad = check_module.Reproduced(THEIRS, "B 2", (check_module.Checked("x", 2.0, 1e-9),))
    assert summary([good, near]) == "reproduced with A 1: to the bit; with B 2: x differs by 1e-14"
    assert summary([wide]) == "reproduced with B 2: x differs by 0.1 where rounding errors allow 0.5"
    assert summary([good, bad]) == "reproduced with A 1: to the bit; NOT with B 2: x differs by 2"
    assert summary([bad]) == "not reproduced: NOT with B 2: x differs by 2"
    assert "no engine" in summary([])


def test_a_script_opens_the_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the viewer of the first engine that is installed."""
    m = sim.loads(TINY)
    moment = moment_of(m, run_to(m, 5))
    export(moment, asking(), tmp_path / "moment.py")
    opened: list[Any] = []
    viewer = SimpleNamespace(launch=lambda model, data: opened.append(data.qpos.copy()))
    monkeypatch.setitem(sys.modules, "sim.mujoco.viewer", viewer)
    monkeypatch.setattr(sys, "argv", ["moment.py", "--view"])
    assert runpy.run_path(str(tmp_path / "moment.py"))["main"]() == 0
    assert np.array_equal(opened[0], moment.state["qpos"])


def test_fields_that_are_not_finite_are_python() -> None:
    m = sim.loads(TINY)
    moment = moment_of(m, run_to(m, 5))
    text, wish = replace(model_text(moment.model), fields={"qpos_spring": np.array([np.inf])}), asking()
    source = compose_module.compose(moment, text, compose_module.see(moment, wish), wish, "script", "a.py").source
    assert "from numpy import inf\n" in source
    assert "'qpos_spring': [inf]," in source
