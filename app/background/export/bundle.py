"""A zip for a bug report to others: script, test, model, the last seconds, a picture, versions and a text."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from app.background.export.compose import Composed, Wish
from app.background.export.environment import versions_text
from app.background.export.model_text import ModelText
from app.background.export.moment import ExportMoment
from app.background.export.number_text import literal
from app.background.export.private import without_folders
from app.background.export.question import Answered

# the folder of the model, and the files of the archive
MODEL, README, VERSIONS, PICTURE, RECORDING = "model", "README.txt", "versions.txt", "view.png", "last_seconds.ktr"


@dataclass(frozen=True, eq=False)
class Extras:
    """What an archive has besides: a PNG of the view, a recording, versions by name, what was selected."""

    picture: bytes = b""
    recording: bytes = b""
    versions: Mapping[str, str] = field(default_factory=dict)
    selected: str = ""


def bundle(
    moment: ExportMoment, model: ModelText, wish: Wish, answered: tuple[Answered, ...],
    sources: Mapping[str, Composed], extras: Extras, folder: str,
) -> bytes:  # fmt: skip
    """The content of the archive; everything in it is in one folder."""
    contents: dict[str, bytes] = {
        README: _readme(moment, model, wish, answered, sources, extras).encode(),
        **{name: composed.source.encode() for name, composed in sources.items()},
        **({f"{MODEL}/model.xml": model.xml.encode()} if model.xml else {}),
        **{f"{MODEL}/{name}": data for name, data in model.files.items()},
        VERSIONS: without_folders(versions_text(dict(extras.versions))).encode(),
        PICTURE: extras.picture,
        RECORDING: extras.recording,
    }
    archive = io.BytesIO()
    with ZipFile(archive, "w") as packed:
        for name, data in contents.items():
            if data:
                # without a date: the same moment gives the same bytes
                packed.writestr(ZipInfo(f"{folder}/{name}"), data, ZIP_DEFLATED)
    return archive.getvalue()


def _readme(
    moment: ExportMoment, model: ModelText, wish: Wish, answered: tuple[Answered, ...],
    sources: Mapping[str, Composed], extras: Extras,
) -> str:  # fmt: skip
    """What was seen, what is in the archive, and how to run it."""
    script, test = sources
    lines = [f"{moment.title} at {moment.time:.6g} s, as computed by {moment.model.engine.ENGINE}", ""]
    lines += ["What is wrong", "", textwrap.indent(wish.text.strip() or "(no description)", "    "), ""]
    lines += ["Observed values", ""]
    lines += [f"    selected: {extras.selected}"] if extras.selected else []
    lines += [f"    {one.question.expression} = {literal(one.value)}" for one in answered if not one.fault]
    lines += [f"    acceleration at that time, and the state {wish.steps} steps later: in the test and the script"]
    lines += ["", "Contents", "", f"    {script}: prints the requested values; --view opens the state"]
    lines.append(f"    {test}: the same for pytest")
    lines.append(f"    {MODEL}/: the model as MJCF, with its edits at that time, and its files")
    if extras.recording:
        lines.append(f"    {RECORDING}: the steps before it; `kinetoscope {RECORDING}` opens them for scrubbing")
    lines += [f"    {PICTURE}: the view"] if extras.picture else []
    lines.append(f"    {VERSIONS}: program versions")
    lines += ["", *([f"Runs with one engine only: {model.alone}."] if model.alone else [])]
    lines += [f"Checked when written: {wish.checked}."] if wish.checked else []
    return without_folders("\n".join(lines)) + "\n"
