"""What the command palette finds: every action, switch, option, element, field of the selection, and scene.

An entry is a line of words and what it does. A world of ten thousand names is written down once, not in every frame.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from pathlib import Path

from app.input import actions
from app.input.bindings import BINDINGS
from app.input.desk import Action
from app.model.editable import FLAGS, OPTIONS, VISUALS, of_kind, rows_of
from app.model.selection import COUNTS, element_name
from app.panels.simulation import scenes
from app.run.commands import Reset, ResetEdits, Send, SetFlag, open_command
from app.run.snapshot import ModelView, Snapshot
from app.scene.visual_flags import GROUP_FLAGS, VISUAL_FLAGS, toggle
from app.scene.visual_options import NGROUP
from app.view.view_state import ViewState

# panels with a search field: what is found there, and which fields of the view hold the text and show the side
SEARCHES = {"Physics": (OPTIONS, "search", "show_right"), "Visual": (VISUALS, "visual_search", "show_left")}
GESTURES = ("drag", "click", "Scroll", "file")


@dataclass(frozen=True)
class Entry:
    """Something that can be done."""

    words: str
    group: str
    hint: str
    do: Callable[[], None]
    # what it is about, where the words do not begin with that
    name: str = ""
    # a longer text, found after all that is called so
    caption: str = ""

    @property
    def line(self) -> str:
        """All its words."""
        return f"{self.words}: {self.caption}" if self.caption else self.words

    @cached_property
    def called(self) -> str:
        """Where typed words are looked for first; a new line is where one would begin to type."""
        return f"\n{self.words}\n{self.name} {self.group} {self.hint}".lower()

    @cached_property
    def text(self) -> str:
        """Where typed words are looked for at all."""
        return f"{self.called} {self.caption.lower()}"


def entries(snapshot: Snapshot, view: ViewState, send: Send, act: Callable[[Action], None]) -> list[Entry]:
    """Everything that can be done now."""
    result = [
        Entry(binding.help, binding.group, binding.trigger, partial(act, binding.action))
        for binding in BINDINGS
        if not binding.trigger.endswith(GESTURES) and binding.action is not actions.switch
    ]
    words = f"switch keyboard shortcuts {'off' if view.prefs.shortcuts else 'on'}"
    result.append(Entry(words, "Window", "", _switch_shortcuts(view)))
    for switch in VISUAL_FLAGS:
        words = f"{switch.label.lower()}: {switch.help}"
        result.append(Entry(words, "Picture", switch.key, _flip(view, switch.option)))
    for groups in GROUP_FLAGS:
        for group in range(NGROUP):
            words = f"show or hide {groups.label.lower()[:-1]} {group}"
            result.append(Entry(words, "Picture", groups.key(group), _flip(view, groups.option, group)))
    result += _fields(snapshot, view)
    for panel, (table, _, _) in SEARCHES.items():
        for row in table:
            words = _explained(f"edit {row.name}", row.name, row.meaning)
            result.append(Entry(words, panel, row.attribute, _find(view, panel, row.name), row.name))
    if snapshot.model is not None:
        for flag in FLAGS:
            on = flag.state(int(getattr(snapshot.model.opt, flag.path.removeprefix("opt."))))
            command = SetFlag(flag.path, flag.bit, (not on) != flag.inverted)
            words = _explained(f"{'disable' if on else 'enable'} {flag.name}", flag.name, flag.meaning)
            result.append(Entry(words, "Physics", f"option/flag/{flag.name}", partial(send, command), flag.name))
        result.append(Entry("reset all edits to the file", "Physics", "", lambda: send(ResetEdits())))
        for key in range(snapshot.model.nkey):
            name = element_name(snapshot.model, "key", key)
            result.append(Entry(f"keyframe {name}", "Time", "", partial(send, Reset(key)), name))
        for camera in range(snapshot.model.ncam):
            name = element_name(snapshot.model, "camera", camera)
            result.append(Entry(f"look through camera {name}", "Camera", "", _look_through(view, camera), name))
        result += _elements(snapshot.model, view.select)
    for scene in scenes():
        name = scene.name.replace("_", " ")
        result.append(Entry(f"open {name}", "File", "", _open(send, scene.path), name, scene.caption))
    return result


def _fields(snapshot: Snapshot, view: ViewState) -> list[Entry]:
    """What can be edited about the selection, in the inspector."""
    model, state, selection = snapshot.model, snapshot.state, view.selection
    if model is None or state is None or selection is None or not selection.exists(model, state):
        return []
    owner = selection.title(model, state)
    return [
        Entry(
            _explained(f"edit {row.name} of {owner}", row.name, row.meaning), "Inspector", row.attribute,
            _inspect(view), row.name,
        )
        for row in of_kind(selection.kind)
        if rows_of(row, model, selection.index)
    ]  # fmt: skip


@lru_cache(maxsize=1)
def _elements(model: ModelView, select: Callable[[str, int], None]) -> list[Entry]:
    """Everything in the model that has a name, to be selected."""
    return [
        Entry(f"select {kind} {name}", "Model tree", "", partial(select, kind, index), name)
        for kind in COUNTS
        for index, name in enumerate(model.names.get(kind, ()))
        if name
    ]


def search(all_entries: list[Entry], text: str) -> list[Entry]:
    """Entries that contain every word that was typed: those that begin with it, others, those that only mention it."""
    found, words, beginning = all_entries, text.lower().split(), f"\n{text.lower().strip()}"
    # word by word: ten thousand entries take 4 ms, and 16 ms with all words for one entry at a time
    for word in words:
        found = [entry for entry in found if word in entry.text]

    def rank(entry: Entry) -> int:
        if beginning in entry.called:
            return 0
        return 2 if entry.caption and not all(word in entry.called for word in words) else 1

    return sorted(found, key=rank) if words else found


def _explained(words: str, name: str, meaning: str) -> str:
    """What is done and what that means, unless the name says it all."""
    return words if meaning in (name, f"{name}s") else f"{words}: {meaning}"


def _flip(view: ViewState, option: str, group: int = -1) -> Callable[[], None]:
    def do() -> None:
        view.feedback.show_message(toggle(view.options, option, group))

    return do


def _switch_shortcuts(view: ViewState) -> Callable[[], None]:
    def do() -> None:
        view.prefs.shortcuts = not view.prefs.shortcuts
        view.feedback.show_message(f"keyboard shortcuts are {'on' if view.prefs.shortcuts else 'off'}")

    return do


def _look_through(view: ViewState, camera: int) -> Callable[[], None]:
    def do() -> None:
        view.camera_id = camera

    return do


def _find(view: ViewState, panel: str, name: str) -> Callable[[], None]:
    def do() -> None:
        _, text, side = SEARCHES[panel]
        setattr(view.ui, text, name)
        setattr(view.prefs, side, True)
        view.ui.reveal = panel

    return do


def _inspect(view: ViewState) -> Callable[[], None]:
    def do() -> None:
        view.prefs.show_right, view.ui.reveal = True, "Inspector"

    return do


def _open(send: Send, path: Path) -> Callable[[], None]:
    def do() -> None:
        send(open_command(path))

    return do
