"""The texts of the files of a spec before and after changes that are only looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sim.mjcf.attach.key_node import KeyNode
from sim.spec.delete import keep_keys
from sim.spec.source_files import SourceFiles
from sim.spec.spec import Spec
from sim.spec.tree_edits import planning
from sim.tree_edit import TreeEdit


class TextChange(NamedTuple):
    """A file, its text, and the text with changes."""

    file: str
    before: str
    after: str


def text_changes(spec: Spec, edits: Sequence[TreeEdit]) -> list[TextChange]:
    """The files that changes of elements would change; MjcfError if they cannot be made. The spec stays as it is."""
    files = SourceFiles(spec)
    with planning(spec) as plan:
        keep_keys(spec)
        for edit in edits:
            plan.make(edit)
        if any(isinstance(node, KeyNode) for node in spec.nodes("key")):
            spec.compile()
        texts = files.texts()
        return [TextChange(doc.file, doc.text, edit.result) for doc, edit in texts.items() if edit.edited]
