"""The text of an exported test or script: short functions first, the state and the model below them.

Both have the same body, written for MuJoCo's names: `kinetoscope.mujoco` and `mujoco` run it, each if it is installed.
"""

from __future__ import annotations

import base64
import textwrap
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from app.background.export import templates
from app.background.export.model_text import BINARY, ModelText
from app.background.export.moment import ExportMoment
from app.background.export.number_text import SHORT, literal, rounded_up, table, unusual, wrapped
from app.background.export.private import without_folders
from app.background.export.question import Answered, Question, answers, code, uses_contact_force, uses_measures

# bytes of files, packed, that are part of the source; more are beside it
MOST_EMBEDDED = 1 << 20
# a tolerance is this share of the relative one if all numbers are near 0, and so often what rounding errors do
NEAR_ZERO, ROUNDING = 1e-4, 10.0
# share of a number from which a tolerance is wide enough to be pointed out
WIDE = 1e-3
# the state after the steps that is compared
AFTER = ("time", "qpos", "qvel", "act")
RATE = 1e-6
STEPS = 10
WIDTH = 116


@dataclass(frozen=True, eq=False)
class Seen:
    """Numbers at the moment: what was asked, the acceleration, and the state some steps later."""

    answers: tuple[Answered, ...]
    qacc: tuple[Any, float]
    after: Mapping[str, tuple[Any, float]]


@dataclass(frozen=True)
class Wish:
    """What the user wants: which questions, how many steps, the relative tolerance, and a text about what is wrong.

    `ours` are expressions that only our engine has an answer to.
    """

    questions: tuple[Question, ...] = ()
    steps: int = STEPS
    tolerance: float = RATE
    text: str = ""
    ours: frozenset[str] = frozenset()
    # what came of running the file
    checked: str = ""


@dataclass(frozen=True, eq=False)
class Composed:
    """A source text, and the files that have to be in a folder beside it, by name."""

    source: str
    beside: Mapping[str, bytes] = field(default_factory=dict)
    # questions that rounding decides, which are left out
    left_out: tuple[str, ...] = ()


def see(moment: ExportMoment, wish: Wish) -> Seen:
    """Compute what the export holds to; where rounding errors matter, that is measured."""
    m, questions = moment.model, list(wish.questions)
    found = moment.spread(lambda d: [*answers(questions, m, d), np.array(d.qacc)])
    answered = tuple(
        Answered(question, value, "", spread) for question, (value, spread) in zip(questions, found, strict=False)
    )
    names = [name for name in AFTER if np.size(moment.state[name])]
    later = moment.spread(lambda d: [np.copy(d.read(name)) for name in names], wish.steps)
    return Seen(answered, found[-1], dict(zip(names, later, strict=True)))


def tolerance(value: Any, spread: float, wish: Wish) -> float:
    """How far a number may be from what was seen."""
    numbers = np.abs(np.ravel(np.asarray(value, float)))
    if np.asarray(value).dtype.kind in "biu" and not spread:
        return 0.0
    largest = float(numbers[np.isfinite(numbers)].max(initial=0.0))
    return rounded_up(max(wish.tolerance * max(largest, NEAR_ZERO), ROUNDING * spread))


def compose(
    moment: ExportMoment, model: ModelText, seen: Seen, wish: Wish, kind: str, name: str, folder: str = ""
) -> Composed:
    """A `test` or a `script` whose file is called `name`; `folder` has the model's files if they are large."""
    kept = [one for one in seen.answers if np.isfinite(one.spread)]
    left_out = tuple(one.question.expression for one in seen.answers if not np.isfinite(one.spread))
    packed = {path: zlib.compress(data, 9) for path, data in model.files.items()}
    inside = sum(map(len, packed.values())) <= MOST_EMBEDDED
    folder = folder or f"{name.removesuffix('.py')}_files"
    beside = {} if inside else {f"{folder}/{path}": data for path, data in model.files.items()}
    sleeps = bool(moment.sleep)
    parts = [
        _header(moment, model, wish, kind, name, left_out, "" if inside else folder),
        templates.imports(kind, bool(packed), not inside, bool(model.binary), sleeps),
        _settings(model, wish),
        templates.load(bool(model.xml), bool(model.fields), sleeps),
        _asked(kept, seen, wish),
        templates.TEST if kind == "test" else templates.SCRIPT,
        templates.REST,
        *([templates.UNPACK] if packed and inside else []),
        *([templates.CONTACT_FORCE] if any(uses_contact_force(one.question) for one in kept) else []),
        *([templates.MEASURE] if any(uses_measures(one.question) for one in kept) else []),
        _data(moment, model, seen, wish, packed if inside else None, folder),
        *([] if kind == "test" else [templates.CALL]),
    ]
    header, imports, *rest = (part.strip("\n") for part in parts)
    source = "\n\n".join([header, imports, "\n\n\n".join(rest)]) + "\n"
    return Composed(_with_numpy(source), beside, left_out)


def restricted(wish: Wish, expressions: frozenset[str]) -> Wish:
    """The wish, with questions that only our engine answers."""
    return replace(wish, ours=wish.ours | expressions)


# ---- the parts


def _header(
    moment: ExportMoment, model: ModelText, wish: Wish, kind: str, name: str, left_out: tuple[str, ...], beside: str
) -> str:
    """The docstring: what it is, what is wrong, how to run it, what it needs."""
    engine = moment.model.engine.ENGINE
    edits = len(moment.edits.cells) + len(moment.edits.keys)
    lines = [f"{moment.title} at {moment.time:.6g} s, as computed by {engine}.", ""]
    if wish.text.strip():
        lines += [*_filled(f"What is wrong: {wish.text.strip()}"), ""]
    lines += templates.usage(kind, name)
    lines += ["", *_filled(_origin(moment, edits))]
    needs = "kinetoscope or mujoco" if len(model.engines) > 1 else model.engines[0].partition(".")[0]
    lines += _filled(f"It needs numpy and {needs}{', and pytest' if kind == 'test' else ''}.")
    if model.alone:
        lines += _filled(f"It runs with one engine only: {model.alone}.")
    if model.binary:
        lines += _filled(f"The model is in the binary format of {engine}: other versions do not read it.")
    if beside:
        lines += _filled(
            f"The model's files, too large for a source file, are in the folder {beside} next to this file."
        )
    lines += [line for note in moment.notes for line in _filled(note)]
    if left_out:
        lines += _filled(f"Left out, because rounding errors dominate: {', '.join(left_out)}.")
    if wish.checked:
        lines += ["", *_filled(f"Checked when written: {wish.checked}.")]
    text = without_folders("\n".join(lines)).replace("\\", "\\\\").replace('"""', "'''")
    return f'"""{text}\n"""'


def _origin(moment: ExportMoment, edits: int) -> str:
    where = f"step {moment.step}" if moment.step >= 0 else ""
    branch = f"of branch {moment.branch}" if moment.branch else ""
    edited = f"with {edits} edited field{'s' if edits != 1 else ''}" if edits else ""
    said = " ".join(part for part in (where, branch, edited) if part)
    return f"The moment: {said}." if said else "The moment: the state below."


def _filled(text: str) -> list[str]:
    # a path that is broken into lines would not be found any more
    parts = without_folders(text).splitlines()
    return [line for part in parts for line in (textwrap.wrap(part, WIDTH) or [""])]


def _settings(model: ModelText, wish: Wish) -> str:
    engines = ", ".join(f'"{engine}"' for engine in model.engines)
    note = "# Kinetoscope's engine under MuJoCo's names, and MuJoCo\n" if len(model.engines) > 1 else ""
    return f"{note}ENGINES = [{engines}]\nSTEPS = {wish.steps}"


def _asked(kept: list[Answered], seen: Seen, wish: Wish) -> str:
    """The function that checks what was asked."""
    lines, about = [], ""
    for one in kept:
        question, value = one.question, one.value
        if question.about != about:
            about = question.about
            lines.append(f"    # {_comment(about)}")
        name = _constant(kept, one) if np.size(value) > SHORT else literal(value)
        margin = tolerance(value, one.spread, wish)
        call = f"check({question.expression!r}, {code(question)}, {name}, {_tolerance(margin)})"
        if question.expression in wish.ours:
            call = f'if mujoco.__name__ != "mujoco":\n        {call}'
        elif uses_measures(question):
            call = f"if MEASURES:\n        {call}"
        lines.append(f"    {call}{_wide(value, margin)}")
    if np.size(seen.qacc[0]) and np.isfinite(seen.qacc[1]):
        lines += ["    # everything", _whole(seen, wish)]
    return "\n".join([templates.ASKED.strip("\n"), *(lines or ['    check("d.time", d.time, STATE["time"], 0)'])])


def _whole(seen: Seen, wish: Wish) -> str:
    margin = tolerance(*seen.qacc, wish)
    return f'    check("d.qacc", d.qacc, QACC, {_tolerance(margin)}){_wide(seen.qacc[0], margin)}'


def _wide(value: Any, margin: float) -> str:
    """A comment on a wide tolerance."""
    numbers = np.abs(np.ravel(np.asarray(value, float)))
    largest = float(numbers[np.isfinite(numbers)].max(initial=0.0))
    return "  # rounding errors matter here" if margin > max(WIDE * largest, WIDE * NEAR_ZERO) else ""


def _comment(text: str) -> str:
    return " ".join(text.split()) or "asked"


def _constant(kept: list[Answered], one: Answered) -> str:
    """The name of a list that is too long for its line."""
    return f"SEEN[{kept.index(one)}]"


def _tolerance(value: float) -> str:
    return f"{value:g}"


def _data(
    moment: ExportMoment, model: ModelText, seen: Seen, wish: Wish, packed: Mapping[str, bytes] | None, folder: str
) -> str:
    """State, what was seen, and the model."""
    kept = [one for one in seen.answers if np.isfinite(one.spread)]
    parts = ["# ---- the state", table("STATE", moment.state)]
    if moment.sleep:
        parts += ["# which trees sleep, and the results that they keep", table("SLEEP", moment.sleep)]
        parts += ["# what MuJoCo derives from it", table("AWAKE", moment.awake)]
    parts.append("# ---- what was seen")
    long = {place: one.value for place, one in enumerate(kept) if np.size(one.value) > SHORT}
    if long:
        parts.append("\n".join(["SEEN = {", *(f"    {place}: {wrapped(v, 8)}," for place, v in long.items()), "}"]))
    if np.size(seen.qacc[0]) and np.isfinite(seen.qacc[1]):
        parts.append(f"QACC = {wrapped(seen.qacc[0], 4)}")
    steady = {name: one for name, one in seen.after.items() if np.isfinite(one[1])}
    wide = any(_wide(one[0], tolerance(*one, wish)) for one in steady.values())
    warning = "; rounding errors grow in these steps" if wide else ""
    parts.append(f"# {wish.steps} steps later: values and tolerances{warning}")
    parts.append(table("LATER", {name: value for name, (value, _) in steady.items()}))
    parts.append(table("TOLERANCES", {name: tolerance(*one, wish) for name, one in steady.items()}))
    parts.append("# ---- the model")
    if model.fields:
        parts += ["# fields that differ from the MJCF", table("FIELDS", model.fields)]
    if packed is None:
        place = f'Path(__file__).resolve().parent / "{folder}"'
        named = "path.relative_to(FOLDER).as_posix(): path.read_bytes()"
        files = f'{{{named} for path in FOLDER.rglob("*") if path.is_file()}}'
        parts += [f"# its files are next to this one\nFOLDER = {place}\nASSETS = {files}"]
        parts += [f'BINARY = ASSETS["{BINARY}"]'] if model.binary else []
    else:
        inside = {path: data for path, data in packed.items() if path in model.assets}
        parts.append("\n".join(["ASSETS = {", *(f"    {p!r}: {_unpack(d, 8)}," for p, d in inside.items()), "}"]))
        parts += [f"BINARY = {_unpack(packed[BINARY], 4)}"] if model.binary else []
    parts += [f"MODEL = {_text(model.xml)}"] if model.xml else []
    return "\n\n".join(parts)


def _unpack(data: bytes, indent: int) -> str:
    """Packed bytes as source."""
    margin = " " * indent
    text = base64.b64encode(data).decode()
    lines = [f'{margin}"{text[k : k + 100]}"' for k in range(0, len(text), 100)]
    return "\n".join(["unpack(", *lines, f"{margin[4:]})"])


def _text(xml: str) -> str:
    """MJCF as a Python string that reads as MJCF."""
    raw = '"""' not in xml and not xml.endswith(('"', "\\")) and "\r" not in xml and "\0" not in xml
    return f'r"""{xml.strip()}\n"""' if raw else repr(xml)


def _with_numpy(source: str) -> str:
    """With the import of numpy's nan and inf if numbers need them."""
    names = unusual(source.partition("# ---- the state")[2].partition("\nASSETS = ")[0] + _checks(source))
    return (
        source.replace("import numpy as np\n", f"import numpy as np\nfrom numpy import {', '.join(names)}\n", 1)
        if (names)
        else source
    )


def _checks(source: str) -> str:
    return "\n".join(line for line in source.splitlines() if line.lstrip().startswith("check("))
