"""Random edits of real models, each saved in the source text: the diff shows that edit alone, and it loads to the same.

    python -m tests.soak.save_edits [--edits 5] [--seed 0] [--every STEP] [MODEL ...]

Without models: our scenes, and those in the wheels of dm_control and gymnasium. Each field that can be edited is taken
in turn, of a random element. The saved model must be equal to the edited one, to the bit; in MuJoCo only the edited
field, and what follows from it, differs from the file, and has the same values. Of the text at most the lines of the
edited element change.

With --every, each STEP-th number of the rich model of the tests and of all models is edited by itself, not only those
that panels edit: it comes back from the saved file, here and in MuJoCo, or is named before; else it is lost in silence.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import re
import shutil
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

import sim
from app.files.resources import bundled_scenes
from app.model.editable import ELEMENTS, FLAGS, OPTIONS, VISUALS, Editable, rows_of
from app.model.selection import COUNTS
from app.run import commands as cmd
from app.run.linked_edits import set_alone, set_number
from sim.fields import MODEL_LAYOUT
from sim.save_plan import LEAVE_OUT, SavePlan
from tests.app.model.test_editable import edits_of
from tests.app.model.test_number_drag import dragged
from tests.sim.mjcf.compare import fields
from tests.sim.mjcf.pip_models import pip_models, short_name
from tests.sim.mjcf.save.every_edit import RICH, Edit, edits, lost_numbers

ROWS = (*OPTIONS, *VISUALS, *ELEMENTS)
# computed when a file is loaded, and not by an edit of a running model
LOADED = (
    "stat.meanmass", "stat.meaninertia", "stat.meansize", "stat.extent", "stat.center", "body_subtreemass",
    "cam_intrinsic", "body_simple", "nbvh", "nbvhstatic", "body_bvhadr", "body_bvhnum", "bvh_depth", "bvh_child",
    "bvh_nodeid", "bvh_aabb", "actuator_lengthrange", "tree_sleep_policy",
    "tendon_lengthspring",
)  # fmt: skip
# an edit of a running model can make one that no file can say
EXCUSED = ("has no limit", "no lengthrange")
# names, which MuJoCo keeps in one text, and its own sizes
NOT_COMPARED = ("signature", "nbuffer")


def copied(path: Path, folder: Path) -> Path:
    """A copy of a model, with all files that it was read from in the same places relative to each other."""
    for file, seen in sim.load(path).files.items():
        if seen is not None:
            target = folder / file.relative_to("/")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
    return folder / path.absolute().relative_to("/")


def places(row: Editable, model: Any) -> list[tuple[int, ...]]:
    """The rows of each element that has a field; options have none."""
    if not row.counted_by:
        return [()]
    found = (rows_of(row, model, index) for index in range(int(getattr(model, COUNTS[row.section]))))
    return [rows for rows in found if rows]


def commands(model: Any, choose: random.Random) -> Iterator[tuple[str, Any]]:
    """A random edit of each field in turn, and of some flags."""
    rows = [row for row in ROWS if places(row, model)]
    choose.shuffle(rows)
    flags = list(FLAGS)
    choose.shuffle(flags)
    while True:
        for number, row in enumerate(rows):
            yield row.path, command(row, choose.choice(places(row, model)), model, choose)
            if number % 8 == 0:
                flag = flags[number // 8 % len(flags)]
                yield flag.name, cmd.SetFlag(flag.path, flag.bit, not model.read(flag.path) & flag.bit)


def command(row: Editable, rows: tuple[int, ...], model: Any, choose: random.Random) -> Any:
    """A random edit of a field of an element."""
    vector = row.vector(model, rows)
    if row.choices:
        return set_alone(row, rows, 0, float(choose.choice([number for _, number in row.choices])))
    if row.widget == "switch":
        return set_alone(row, rows, 0, float(not vector[0]))
    if row.widget == "colour":
        return set_alone(row, rows, choose.randrange(len(vector)), choose.random())
    part = choose.choice(row.numbers(model, rows))
    new = dragged(row, vector, part, choose.choice((-200, -7, -1, 1, 3, 40, 300)))
    return set_number(row, rows, model, part.at, new, tuple(vector.tolist()))


def different(a: Any, b: Any) -> list[str]:
    """Fields in which two models differ in a bit, or only one has a NaN."""
    return [
        name
        for name in MODEL_LAYOUT.places
        if not np.array_equal(np.asarray(a.read(name)), np.asarray(b.read(name)), equal_nan=_real(a.read(name)))
    ]


def _real(value: Any) -> bool:
    return np.asarray(value).dtype.kind == "f"


def mujoco_fields(path: Path) -> dict[str, Any]:
    """All fields of a model in MuJoCo."""
    return {name: np.array(value) for name, value in fields(mujoco.MjModel.from_xml_path(str(path)))}


def check_text(plan: SavePlan) -> str:
    """What is wrong with the diff of one edit: it changes a line outside of the start tags that the plan names."""
    for change in plan.files:
        assert change.before is not None
        old, new = change.before.split("\n"), change.after.split("\n")
        first = next((k for k, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
        tail = zip(reversed(old[first:]), reversed(new[first:]), strict=False)
        last = next((k for k, (a, b) in enumerate(tail) if a != b), min(len(old), len(new)) - first)
        inside = old[first : len(old) - last], new[first : len(new) - last]
        edits = [edit for edit in plan.edits if edit.file == change.path]
        allowed = {line for edit in edits for line in tag_lines(old, edit.line)}
        added = 0
        for what, start, end, at, to in SequenceMatcher(None, *inside, autojunk=False).get_opcodes():
            lines = {*range(first + start + 1, first + end + 1)} if what != "equal" else set()
            if lines - allowed:
                return f"line {min(lines - allowed)} changes: {old[min(lines - allowed) - 1]}"
            added += to - at - (end - start)
        if added > 4 * len(edits):
            return f"{added} lines are added"
    return ""


def tag_lines(text: list[str], line: int) -> range:
    """The lines of the start tag that starts on a line."""
    found = re.compile(r"""(?:[^"'>]|"[^"]*"|'[^']*')*>""").search("\n".join(text[line - 1 :]))
    return range(line, line + 1 + (found[0].count("\n") if found else 0))


class Soak:
    """The edits of one model; each is undone again."""

    def __init__(self, path: Path, folder: Path, seed: int) -> None:
        self.choose = random.Random(f"{path.name} {seed}")
        self.path = copied(path, folder)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.start = sim.load(self.path)
        self.theirs: dict[str, Any] | None = None
        # what only we read is not compared
        with contextlib.suppress(ValueError):
            self.theirs = mujoco_fields(self.path)
        self.commands = commands(self.start, self.choose)
        self.unsaved: list[str] = []

    def one(self) -> str:
        """Make one edit, save it, and load it again; what is wrong, or nothing."""
        name, edit = next(self.commands)
        model = self.start.copy()
        edits_of(model).apply(edit)
        if not different(model, self.start):
            return ""
        plan = model.plan_save()
        plan = model.plan_save(ways={one.key: one.ways[0] for one in plan.undecided})
        old = {change.path: change.path.read_bytes() for change in plan.files}
        try:
            wrong = self._saved(name, model, plan)
        finally:
            for path, data in old.items():
                path.write_bytes(data)
                Path(f"{path}~").unlink(missing_ok=True)
        return f"{self.path.name}: {name} {edit}: {wrong}\n{plan.diff()}" if wrong else ""

    def _saved(self, name: str, model: Any, plan: SavePlan) -> str:
        if plan.unsaved:
            self.unsaved.append(f"{self.path.name}: {', '.join(plan.unsaved)}")
            return ""
        if not plan.edits:
            return "nothing to save"
        try:
            plan.write(overwrite=True)
            again = sim.load(self.path)
        except ValueError as error:
            return "" if any(reason in str(error) for reason in EXCUSED) else f"does not load: {error}"
        for one in (model, again):
            # loading computes some constants in another order of operations
            sim.set_const(one)
        if any(edit.way in ("all copies", "leave out") for edit in plan.edits):
            return check_text(plan)
        wrong = [field for field in different(model, again) if field not in LOADED or field == name]
        # the hull of a mesh is made if it can collide
        wrong = [field for field in wrong if not field.startswith(("mesh_", "nmesh", "npolygon"))]
        if wrong:
            return f"loads with other {', '.join(wrong)}: " + "; ".join(
                f"{np.ravel(model.read(f))[np.ravel(model.read(f) != again.read(f))][:3]} -> "
                f"{np.ravel(again.read(f))[np.ravel(model.read(f) != again.read(f))][:3]}"
                for f in wrong[:3]
                if np.shape(model.read(f)) == np.shape(again.read(f))
            )
        return check_text(plan) or self._mujoco(again)

    def _mujoco(self, model: Any) -> str:
        """What MuJoCo reads otherwise."""
        if self.theirs is None:
            return ""
        try:
            saved = mujoco_fields(self.path)
        except ValueError as error:
            # of newer versions
            newer = ("castshadow", "implicitspringdamper")
            return "" if any(word in str(error) for word in newer) else f"MuJoCo does not load it: {error}"
        edited = {*different(model, self.start), *LOADED}
        for name, value in saved.items():
            old = self.theirs[name]
            same = np.array_equal(value, old)
            if not same and _real(value) and value.shape == old.shape:
                same = np.allclose(value, old, rtol=1e-9, atol=0)
            if same or name in NOT_COMPARED or name not in MODEL_LAYOUT.places:
                continue
            if name not in edited and not name.startswith(("mesh_", "nmesh", "bvh_", "nbvh")):
                return f"{name} differs in MuJoCo only"
            if {np.size(one.read(name)) for one in (model, self.start)} != {value.size}:
                continue
            near = np.allclose(value, np.reshape(model.read(name), value.shape), rtol=1e-7, atol=1e-10)
            was = np.allclose(self.theirs[name], np.reshape(self.start.read(name), value.shape), rtol=1e-7, atol=1e-10)
            if was and not near:
                return f"{name} has other values in MuJoCo"
        return ""


def every_edit(path: Path, folder: Path, step: int, counts: Counter[str]) -> None:
    """Edit each `step`-th number of a model by itself; what becomes of it is counted, and what is lost printed."""
    file = copied(path, folder)
    m = sim.load(file)
    with contextlib.suppress(ValueError):
        mujoco_fields(file)
        for edit in [*edits(m)][::step]:
            fate = _fate(m, edit, file)
            counts[fate.partition(":")[0]] += 1
            if fate.startswith("silent"):
                print(f"{short_name(path)}: {edit}: {fate}", flush=True)


def _fate(m: Any, edit: Edit, file: Path) -> str:
    """What becomes of an edit."""
    model = m.copy()
    edit.make(model)
    plan = model.plan_save()
    if plan.undecided:
        plan = model.plan_save(ways={one.key: one.ways[0] for one in plan.undecided})
    if plan.unsaved or any(one.way == LEAVE_OUT for one in plan.edits):
        return "named"
    old = {change.path: change.path.read_bytes() for change in plan.files}
    try:
        plan.write(overwrite=True)
        again, theirs = sim.load(file), mujoco_fields(file)
    except ValueError as error:
        return f"refused: {error}" if "not saved" in str(error) else f"silent: {error}"
    finally:
        for path, data in old.items():
            path.write_bytes(data)
    field = edit.field
    lost = [*lost_numbers(field, model, again.read(field), theirs.get(field, again.read(field)))]
    # a text that several elements come from gives all of them the number
    return f"silent: {lost}" if lost and not any(one.way == "all copies" for one in plan.edits) else "returned"


def models() -> list[Path]:
    """Our scenes, and real models that both engines load."""
    found = [Path(scene.path) for scene in bundled_scenes() if scene.path.suffix == ".xml"]
    for path in pip_models():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                sim.load(path)
        except ValueError:
            continue
        found.append(path)
    return found


def every(chosen: list[Path], step: int, rich: bool) -> int:
    """Edit every number of some models, and of the rich one."""
    counts = Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        if rich:
            text = Path(folder, "rich.xml")
            text.write_text(RICH % "")
            chosen = [text, *chosen]
        for number, path in enumerate(chosen):
            every_edit(path, Path(folder, str(number)), step, counts)
    print(f"{counts.total()} edits: " + ", ".join(f"{count} {fate}" for fate, count in sorted(counts.items())))
    return counts["silent"] > 0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--edits", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--every", type=int, default=0, metavar="STEP")
    parser.add_argument("models", nargs="*", type=Path)
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    failures = count = 0
    unsaved: list[str] = []
    chosen = options.models or models()
    if options.every:
        return every(chosen, options.every, rich=not options.models)
    for path in chosen:
        with tempfile.TemporaryDirectory() as folder:
            soak = Soak(path, Path(folder), options.seed)
            for _ in range(options.edits):
                wrong = soak.one()
                count += 1
                if wrong:
                    failures += 1
                    print(f"{short_name(path)}: {wrong}", flush=True)
            unsaved += soak.unsaved
    for line in sorted(set(unsaved)):
        print("not saved:", line)
    print(f"{count} edits of {len(chosen)} models: {failures} failures, {len(unsaved)} not saved")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
