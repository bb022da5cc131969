"""Writes an export of a moment, runs it, and says in the file what came of that."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.background.export.bundle import MODEL, Extras, bundle
from app.background.export.check import Reproduced, reproduce, summary
from app.background.export.compose import Composed, Seen, Wish, compose, restricted, see
from app.background.export.last_seconds import plain_model, write_last_seconds
from app.background.export.model_text import THEIRS, ModelText, model_text
from app.background.export.moment import ExportMoment
from app.files.error_text import printable
from app.run.history.taken_rows import TakenRows
from sim.atomic_file import write_atomic
from sim.user_error import UserError

# kind -> how its file is called
KINDS = {"test": "test_moment_{}.py", "script": "moment_{}.py", "zip": "moment_{}.zip", "page": "run_{}.html"}
WORDS = {
    "test": "one file, for pytest",
    "script": "one file that prints the values",
    "zip": "everything, for a bug report",
    "page": "the run, for a browser",
}
# a check may leave something to one engine: the file is written again
MOST_TRIES = 8

Check = Callable[[Path], list[Reproduced]]


@dataclass(frozen=True, eq=False)
class Written:
    """What was written, and what came of running it; `unchecked` says why it could not be run."""

    path: Path
    found: tuple[Reproduced, ...] = ()
    unchecked: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Whether it reproduces what is seen, as a sentence."""
        if self.unchecked:
            return f"not checked: {self.unchecked}"
        return f"checked: {summary(list(self.found))}"

    @property
    def same(self) -> bool:
        """Whether every engine that is there shows what was seen."""
        return not self.unchecked and bool(self.found) and all(one.same for one in self.found)


def file_stem(title: str, time: float) -> str:
    """The part of a file name that says what moment it is."""
    name = re.sub(r"\W+", "_", Path(title).stem, flags=re.ASCII).strip("_").lower() or "model"
    return f"{name[:40]}_at_{re.sub(r'[^0-9]+', '_', f'{time:.3f}').strip('_')}s"


def kind_of(path: Path) -> str:
    """The kind of a file by its name: .zip, .html, test_*.py, *.py; UserError if it is none of these."""
    if path.suffix in (".zip", ".html"):
        return "zip" if path.suffix == ".zip" else "page"
    if path.suffix != ".py":
        raise UserError(f"'{path.name}' must end in .py, .zip or .html")
    return "test" if path.name.startswith("test_") else "script"


class ExportWriter:
    """One moment, one file: composes, writes, checks."""

    def __init__(
        self, moment: ExportMoment, wish: Wish, path: Path, extras: Extras | None = None,
        taken: Sequence[TakenRows] = (), view: str = "", check: Check = reproduce,
    ) -> None:  # fmt: skip
        self._moment, self._wish, self.path = moment, wish, path
        self._kind = kind_of(path)
        self._extras, self._taken, self._view = extras or Extras(), taken, view
        self._check = check
        self.warnings: list[str] = []

    def write(self, told: Callable[[str], None] = lambda _: None) -> Written:
        """Write and check; OSError, UserError. `told` hears what is under way."""
        told("reloading the model")
        model = model_text(self._moment.model)
        told("computing the values")
        seen = see(self._moment, self._wish)
        with tempfile.TemporaryDirectory(prefix="kinetoscope-") as folder:
            if self._kind == "zip":
                told("recording the last seconds")
                self._extras = replace(self._extras, recording=self._recorded(Path(folder)))
            return self._tried(model, seen, Path(folder), told)

    def _tried(self, model: ModelText, seen: Seen, folder: Path, told: Callable[[str], None]) -> Written:
        """Write, and run what was written; again if something in it is for one engine alone."""
        wish = self._wish
        for _ in range(MOST_TRIES):
            file = self._put(model, seen, wish, folder)
            told("running it with each engine")
            try:
                found = self._check(file)
            except (OSError, RuntimeError) as error:
                return Written(self.path, (), str(error), tuple(self.warnings))
            narrower = self._narrowed(model, wish, found)
            if narrower is None:
                break
            model, wish = narrower
            kept = {question.expression for question in wish.questions}
            seen = replace(seen, answers=tuple(a for a in seen.answers if a.question.expression in kept))
        self._put(model, seen, replace(wish, checked=summary(found)), folder)
        return Written(self.path, tuple(found), "", tuple(self.warnings))

    def _narrowed(self, model: ModelText, wish: Wish, found: list[Reproduced]) -> tuple[ModelText, Wish] | None:
        """What is left when the other engine lacks a field or does not load the model; None if all is well."""
        for one in found:
            if one.fault and one.engine != model.engines[0]:
                alone = f"{one.version} cannot run it: {one.fault.splitlines()[0]}"
                return replace(model, engines=model.engines[:1], alone=alone), wish
            lacking = [check.label for check in one.checks if check.fault]
            known = {q.expression for q in wish.questions if any(repr(q.expression) in line for line in lacking)}
            if known - wish.ours and one.engine != model.engines[0] and one.engine == THEIRS:
                return model, restricted(wish, frozenset(known))
            if known:
                self.warnings.append(f"left out, because MuJoCo does not support it: {', '.join(sorted(known))}")
                return model, replace(wish, questions=tuple(q for q in wish.questions if q.expression not in known))
        return None

    # ---- files

    def _put(self, model: ModelText, seen: Seen, wish: Wish, folder: Path) -> Path:
        """Write the file; returns one that can be run."""
        if self._kind != "zip":
            composed = compose(self._moment, model, seen, wish, self._kind, printable(self.path.name))
            self._beside(composed, self.path.parent)
            write_atomic(self.path, composed.source.encode())
            return self.path
        stem = printable(self.path.stem)
        names = {"script": KINDS["script"].format(stem), "test": KINDS["test"].format(stem)}
        if stem.startswith("moment_"):
            names = {"script": f"{stem}.py", "test": f"test_{stem}.py"}
        sources = {name: compose(self._moment, model, seen, wish, kind, name, MODEL) for kind, name in names.items()}
        content = bundle(self._moment, model, wish, seen.answers, sources, self._extras, stem)
        write_atomic(self.path, content)
        for name, composed in sources.items():
            self._beside(composed, folder)
            (folder / name).write_text(composed.source, encoding="utf-8")
        return folder / names["script"]

    def _beside(self, composed: Composed, folder: Path) -> None:
        for name, data in composed.beside.items():
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(place, data)

    def _recorded(self, folder: Path) -> bytes:
        """A recording of the steps before, if there are any."""
        if not self._taken:
            return b""
        file = folder / "run.ktr"
        try:
            made = write_last_seconds(
                plain_model(self._moment.model), self._taken, file, self._moment.title, self._view
            )
        except (OSError, ValueError) as error:
            self.warnings.append(f"the recording was left out: {error}")
            return b""
        return file.read_bytes() if made else b""
