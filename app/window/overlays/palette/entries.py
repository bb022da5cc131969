"""Entries of the command palette: actions, switches, options, elements, fields of the selection, scenes, the manual.

An entry is a line of text and a function. Entries of the model's elements are cached: there may be ten thousand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from app.background.field_choice import choices_of, elements_of, options_of
from app.background.plot_file import FORMATS
from app.instruments import instruments
from app.instruments.code.open import show_code
from app.instruments.code.state import CodeState, Subject
from app.instruments.offer import offered
from app.instruments.sweep.open import open_sweep
from app.manual.pages import Place, read_pages
from app.model.editable import ELEMENTS, FLAGS, OPTIONS, VISUALS, Editable, of_kind, rows_of
from app.model.parameters import VECTORS, Parameter, shown_parameters
from app.model.selection import COUNTS
from app.model.views import ModelView
from app.run.commands import AddKey, Reset, ResetEdits, Send, SetEngine, SetFlag, SetSpeed
from app.run.engine.installed import is_installed
from app.run.engine.names import NAMES, TITLES
from app.run.snapshot import Snapshot
from app.scene.camera import FREE_CAMERA
from app.scene.visual_flags import GROUP_FLAGS, VISUAL_FLAGS, toggle
from app.scene.visual_options import NGROUP
from app.view import building
from app.view.export_plots import begin_export, begin_sensor_export
from app.view.input import actions
from app.view.input.bindings import BINDINGS
from app.view.input.desk import Action
from app.view.input.film import from_camera
from app.view.preferences import LAYOUTS
from app.view.saving import Leaving, begin, leave
from app.view.view_state import ViewState
from app.window.build_menu import SHAPES
from app.window.overlays.palette import synonyms
from app.window.overlays.palette.ranking import Terms, nearest, ranked
from app.window.panel_list import PANELS
from app.window.panels.simulation import scenes
from sim.analysis.element_names import described, element_name
from sim.fields import DATA
from sim.script.profile import STEP

# panels with a search field: their table, and the field of `view.ui` with the query
SEARCHES = {"Physics": (OPTIONS, "search"), "Visual": (VISUALS, "visual_search")}
GESTURES = ("drag", "click", "Scroll", "file")
# what counts against the code of a field: there are hundreds
CODE_EXTRA = 1.5
# what counts against pages of the manual, and against headings in them: commands come first
PAGE_EXTRA, HEADING_EXTRA = 3.0, 4.0
# what counts against entries that are less wanted than others: colours and sizes of markers, gestures, elements, visual
# switches that are called like a type of element, flags of physics, fields of what is not selected, sweeps over fields
VISUAL_EXTRA, GESTURE_EXTRA, ELEMENT_EXTRA, SWITCH_EXTRA, FLAG_EXTRA, FIELD_EXTRA = 2.0, 0.6, 1.0, 1.0, 0.3, 0.1
SWEEP_EXTRA = 1.5
# share of real time, and part of the height of the view that a drag would take
SLOW, ZOOM = 0.25, 0.12


@dataclass(frozen=True)
class Entry:
    """A line of the palette and what it does."""

    title: str
    group: str
    hint: str
    do: Callable[[], object]
    # what it is about, if the title begins with a verb
    name: str = ""
    # a longer text; matches in it rank last
    caption: str = ""
    synonyms: str = ""
    # counts against it, see ranking.py
    extra: float = 0.0

    @property
    def line(self) -> str:
        """The line as shown."""
        return f"{self.title}: {self.caption}" if self.caption else self.title

    def begins(self, name: str) -> bool:
        """Whether it is about something that is called so, or begins so."""
        return self.name.lower().startswith(name.lower())

    @cached_property
    def terms(self) -> Terms:
        """What is searched."""
        return Terms(self.title, self.name, f"{self.group} {self.hint}", self.synonyms, self.caption, self.extra)


def entries(snapshot: Snapshot, view: ViewState, send: Send, act: Callable[[Action], None]) -> list[Entry]:
    """All entries for the current model and selection."""
    large = (entry for make, arguments in _large(snapshot, view) for entry in make(*arguments))
    return [*_others(snapshot, view, send, act), *large]


def found_entries(
    snapshot: Snapshot, view: ViewState, send: Send, act: Callable[[Action], None], text: str
) -> tuple[list[Entry], bool]:
    """The entries that a text means; if there are none, the nearest ones and False. What is large is searched once."""
    others = list(_others(snapshot, view, send, act))
    for forgiving in (False, True):
        found = ranked(others, text, forgiving)
        for make, arguments in _large(snapshot, view):
            found = [*found, *_found(make, arguments, text, forgiving)]
        if found or not text.strip():
            return [entry for _, entry in sorted(found, key=lambda pair: pair[0])], True
    return nearest(others, text), False


def _large(snapshot: Snapshot, view: ViewState) -> Iterator[tuple[Callable[..., list[Entry]], tuple[Any, ...]]]:
    """What makes the entries that are many, and stay for long."""
    if offered("Code"):
        yield _code, (view,)
    yield _manual, (view.ui.manual.show, view.ui.manual.folder)
    if snapshot.model is not None:
        yield _elements, (snapshot.model, view.select)


@lru_cache(maxsize=12)
def _found(
    make: Callable[..., list[Entry]], arguments: tuple[Any, ...], text: str, forgiving: bool
) -> list[tuple[float, Entry]]:
    return ranked(make(*arguments), text, forgiving)


def _others(snapshot: Snapshot, view: ViewState, send: Send, act: Callable[[Action], None]) -> Iterator[Entry]:
    """All but the elements."""
    yield from _bindings(view, act)
    yield from _view_entries(snapshot, view, send)
    yield from _fields(snapshot, view)
    yield from _options(view)
    if snapshot.model is not None:
        yield from _flags(snapshot.model, send)
        yield from _model_entries(snapshot, snapshot.model, view, send, act)
        yield from _building(snapshot, snapshot.model, view, send)
        yield from _other_fields(snapshot.model, view)
        if offered("Sweep"):
            yield from _sweeps(snapshot, snapshot.model, view)
    for scene in scenes():
        name = scene.name.replace("_", " ")
        yield Entry(
            f"open {name}",
            "File",
            "",
            partial(leave, view, send, Leaving(str(scene.path))),
            name,
            scene.caption,
            "scene example",
        )


def _bindings(view: ViewState, act: Callable[[Action], None]) -> Iterator[Entry]:
    """Actions with their keys, once each; a gesture is said."""
    seen: set[Action] = set()
    for binding in BINDINGS:
        if binding.action is actions.switch or binding.action is actions.open_dropped:
            continue
        if binding.trigger.endswith(GESTURES):
            do, extra = partial(view.feedback.show_message, f"{binding.help}: {binding.trigger}"), GESTURE_EXTRA
        elif binding.action in seen:
            continue
        else:
            do, extra = partial(act, binding.action), 0.0
        seen.add(binding.action)
        title, _, caption = binding.help.partition(": ")
        yield Entry(title, binding.group, binding.trigger, do, title, caption, binding.synonyms, extra)


def _view_entries(snapshot: Snapshot, view: ViewState, send: Send) -> Iterator[Entry]:
    """Panels, instruments, preferences, visual flags, speed and zoom: what every model has."""
    yield Entry("zoom in", "Camera", "Scroll", partial(_zoom, view, ZOOM), "", "", "closer magnify larger")
    yield Entry("zoom out", "Camera", "Scroll", partial(_zoom, view, -ZOOM), "", "", "farther smaller")
    if snapshot.run.paced:
        yield Entry("real-time speed", "Time", "", partial(send, SetSpeed(1.0)), "", "", "normal")
        yield Entry(
            "slow motion", "Time", "", partial(send, SetSpeed(SLOW)), "", "a quarter of real time", "slow-mo speed"
        )
    for panel in PANELS:
        yield Entry(f"open {panel.name}", "Panels", "", partial(_reveal, view, panel.name), panel.name, "", panel.words)
    for name, (_, what) in LAYOUTS.items():
        words = "reset windows panels tabs arrange docking close all instruments"
        yield Entry(f"layout: {name}", "Panels", "", partial(setattr, view.ui, "layout", name), name, what, words)
    for name, entry in instruments().items():
        opens = partial(view.instruments.open, name)
        yield Entry(f"open {name}", "Instruments", "", opens, name, entry.question, entry.words)
    for switch in VISUAL_FLAGS:
        words, extra = synonyms.VISUAL.get(switch.option, ""), SWITCH_EXTRA * (switch.option in COUNTS)
        name, do = switch.label.lower(), partial(_flip, view, switch.option)
        yield Entry(name, "Rendering", switch.key, do, name, switch.help, words, extra)
    for groups in GROUP_FLAGS:
        for group in range(NGROUP):
            words = synonyms.GROUPS.get((groups.option, group), "")
            title, do = f"show or hide {groups.label.lower()[:-1]} {group}", partial(_flip, view, groups.option, group)
            yield Entry(title, "Rendering", groups.key(group), do, "", "", words)
    for preference, (off, on, words) in synonyms.PREFERENCES.items():
        if hasattr(view.prefs, preference):
            title = off if getattr(view.prefs, preference) else on
            yield Entry(title, "Preferences", "", partial(_prefer, view, preference, title), "", "", words)
    for suffix in FORMATS:
        do = partial(_export, view, snapshot, send, suffix)
        yield Entry(f"export plots as {suffix}", "Plots", "", do, "curves", "", "data table numbers sensors file")
    do = partial(begin_sensor_export, view, snapshot, send)
    yield Entry("export all sensors as csv", "Plots", "", do, "sensors", "", "data table numbers readings file save")


@lru_cache(maxsize=1)
def _code(view: ViewState) -> list[Entry]:
    """The code of fields, stages and kernels of a step, and the debugger of a kernel."""
    found = []
    for row in DATA:
        do = partial(show_code, view, Subject(field=f"d.{row.name}"))
        found.append(Entry(f"code of {row.name}", "Code", "", do, row.name, row.doc, "kernel", CODE_EXTRA))
    for stage in dict.fromkeys(call.stage for call in STEP):
        do = partial(show_code, view, Subject(stage=stage))
        found.append(Entry(f"code of stage {stage}", "Code", "", do, stage, "", "kernel", CODE_EXTRA))
    for call in STEP:
        kernel, name = call.kernel.name, call.kernel.pyfunc.__name__
        do = partial(show_code, view, Subject(function=kernel))
        found.append(Entry(f"code of kernel {name}", "Code", "", do, name, "", "source", CODE_EXTRA))
        title, caption = f"debug {name}", "run it as Python under pdb, in the current state"
        found.append(Entry(title, "Code", "", partial(_debug, view, kernel), name, caption, "pdb step", CODE_EXTRA))
    return found


@lru_cache(maxsize=1)
def _manual(show: Callable[[Place], None], folder: Path) -> list[Entry]:
    """Pages of the manual, and headings in them."""
    found = []
    for page in read_pages(folder).values():
        for section in page.sections:
            do, words = partial(show, Place(page.topic, section.slug)), "help docs"
            title = f"{page.title} › {section.title}" if section.slug else page.title
            extra = HEADING_EXTRA if section.slug else PAGE_EXTRA
            found.append(Entry(f"manual: {title}", "Manual", "", do, section.title, "", words, extra))
    return found


def _options(view: ViewState) -> Iterator[Entry]:
    """Options of the model."""
    for panel, (table, _) in SEARCHES.items():
        for row in table:
            words, extra = synonyms.FIELDS.get(row.name, ""), VISUAL_EXTRA * (panel == "Visual")
            do = partial(_find, view, panel, row.name)
            yield Entry(f"edit {row.name}", panel, row.attribute, do, row.name, _meaning(row), words, extra)


def _flags(model: ModelView, send: Send) -> Iterator[Entry]:
    """Flags of the model."""
    for flag in FLAGS:
        on = flag.state(int(getattr(model.opt, flag.path.removeprefix("opt."))))
        command = SetFlag(flag.path, flag.bit, (not on) != flag.inverted)
        name, caption = flag.name, "" if flag.meaning in (flag.name, f"{flag.name}s") else flag.meaning
        title, words = f"{'disable' if on else 'enable'} {name}", synonyms.FIELDS.get(name, "")
        do = partial(send, command)
        yield Entry(title, "Physics", f"option/flag/{name}", do, name, caption, words, FLAG_EXTRA)


def _model_entries(
    snapshot: Snapshot, model: ModelView, view: ViewState, send: Send, act: Callable[[Action], None]
) -> Iterator[Entry]:
    """Edits, engines, keyframes, cameras."""
    yield Entry(
        "show what would be saved", "File", "", partial(begin, view, send, snapshot.run, ask=True), "", "", "diff"
    )
    yield Entry("reset all edits to the file", "Edits", "", lambda: send(ResetEdits()), "", "", "revert discard")
    if snapshot.run.path and is_installed():
        for engine in (name for name in NAMES if name != snapshot.run.engine):
            title = f"simulate with {TITLES[engine]}"
            yield Entry(title, "Physics", "engine", partial(send, SetEngine(engine)), "engine")
    title, words = "store the state as a new keyframe", "key save pose snapshot"
    yield Entry(title, "Time", "", partial(send, AddKey(_new_key(model))), "keyframe", "", words)
    for key in range(model.nkey):
        title = f"load {described(model, 'key', key)}"
        yield Entry(title, "Time", "", partial(send, Reset(key)), element_name(model, "key", key), "", "pose reset")
    if snapshot.state is not None and view.selection is not None and view.selection.exists(model, snapshot.state):
        body = view.selection.body(model, snapshot.state)
        if body > 0:
            title, name = "follow the selection with the camera", element_name(model, "body", body)
            yield Entry(title, "Camera", "", partial(_track, view, body), name, "", "track chase")
    for camera in range(model.ncam):
        name = element_name(model, "camera", camera)
        title = f"view through {described(model, 'camera', camera)}"
        yield Entry(title, "Camera", "", partial(setattr, view, "camera_id", camera), name)
        title = f"film the range from {described(model, 'camera', camera)}"
        yield Entry(title, "File", "", partial(act, from_camera(camera)), name)


def _building(snapshot: Snapshot, model: ModelView, view: ViewState, send: Send) -> Iterator[Entry]:
    """What can be added to the world, and to the selection."""
    if building.why_not(snapshot):
        return
    for shape in SHAPES:
        do = partial(building.add_shape, view, snapshot, send, shape)
        yield Entry(f"add {shape}", "Build", "", do, shape, "", "new create insert body geom shape")
    elements = building.selected(view)
    if elements:
        name = described(model, elements[0].kind, elements[0].index)
        of = name if len(elements) == 1 else f"{len(elements)} elements"
        for title, act in building.offers(elements, model):
            do, words = partial(act, view, snapshot, send), "new create insert actuator"
            yield Entry(f"add {title} to {of}", "Build", "", do, title, "", words, FIELD_EXTRA)
        do = partial(_reveal, view, "Inspector", "type the new name in the Inspector")
        yield Entry(f"rename {of}", "Build", "", do, "rename", "", "name call")


def _fields(snapshot: Snapshot, view: ViewState) -> Iterator[Entry]:
    """Editable fields of the selection; they open in the inspector."""
    model, state, selection = snapshot.model, snapshot.state, view.selection
    if model is None or state is None or selection is None or not selection.exists(model, state):
        return
    owner, kind, index = selection.title(model, state), selection.kind, selection.index
    rows: list[Parameter | Editable] = [*shown_parameters(model, kind, index, snapshot.file_values)]
    rows += [row for row in of_kind(kind) if rows_of(row, model, index)]
    for row in rows:
        words = synonyms.FIELDS.get(row.name, "")
        title, do = f"edit {row.name} of {owner}", partial(_reveal, view, "Inspector")
        yield Entry(title, "Inspector", row.attribute, do, row.name, _meaning(row), words)


def _other_fields(model: ModelView, view: ViewState) -> Iterator[Entry]:
    """Fields of elements that are not selected: they say what to select."""
    selected = view.selection.kind if view.selection is not None else ""
    kinds = [kind for kind, count in COUNTS.items() if getattr(model, count) and kind not in ("tree", selected)]
    rows: list[tuple[str, Parameter | Editable]]
    rows = [(row.section, row) for row in ELEMENTS if row.section in kinds and row.path not in VECTORS]
    if "actuator" in kinds:
        rows += [("actuator", row) for row in _actuator_parameters(model)]
    for section, row in rows:
        owner, words = f"{'an' if section[0] in 'aeiou' else 'a'} {section}", synonyms.FIELDS.get(row.name, "")
        do = partial(_reveal, view, "Model tree", f"select {owner}: its {row.name} is in the Inspector")
        title = f"edit {row.name} of {owner}"
        yield Entry(title, "Inspector", row.attribute, do, row.name, _meaning(row), words, FIELD_EXTRA)


def _sweeps(snapshot: Snapshot, model: ModelView, view: ViewState) -> Iterator[Entry]:
    """Numbers of the selection, and options, to sweep over."""
    elements = elements_of(view.selection, model, snapshot.state)
    choices = [choice for element in elements for choice in choices_of(model, element.kind, element.index)]
    for choice in (*choices, *options_of(model)):
        do = partial(open_sweep, choice, model, view)
        yield Entry(f"sweep {choice.label}", "Sweep", "", do, "", "", "try several values", SWEEP_EXTRA)


@lru_cache(maxsize=1)
def _actuator_parameters(model: ModelView) -> list[Parameter]:
    """The parameters that any actuator has: one of each force law is asked."""
    laws = np.array([model.actuator_gaintype, model.actuator_biastype, model.actuator_dyntype]).T
    first = np.unique(laws, axis=0, return_index=True)[1]
    found = (row for index in first for row in shown_parameters(model, "actuator", int(index)))
    return list({row.name: row for row in found}.values())


@lru_cache(maxsize=1)
def _elements(model: ModelView, select: Callable[[str, int], None]) -> list[Entry]:
    """Select any element of the model; one without a name is found by its number too."""
    return [
        Entry(
            f"select {described(model, kind, index)}", "Model tree", f"{kind}:{index}" if not name else "",
            partial(select, kind, index), element_name(model, kind, index), "", f"{kind} {index}", ELEMENT_EXTRA,
        )
        for kind in COUNTS
        if kind != "tree"
        for index, name in enumerate(model.names.get(kind, ()))
    ]  # fmt: skip


def _meaning(row: Parameter | Editable) -> str:
    """The meaning of a field, unless its name says it all; the name is not repeated."""
    return "" if row.meaning in (row.name, f"{row.name}s") else row.meaning.removeprefix(f"{row.name}: ")


def _new_key(model: ModelView) -> str:
    """A name that no keyframe has."""
    taken = set(model.names["key"])
    return next(name for k in range(len(taken) + 2) if (name := f"state {k + 1}") not in taken)


# ---- what entries do


def _flip(view: ViewState, option: str, group: int = -1) -> None:
    view.feedback.show_message(toggle(view.options, option, group))


def _prefer(view: ViewState, preference: str, title: str) -> None:
    setattr(view.prefs, preference, not getattr(view.prefs, preference))
    view.feedback.show_message(title)


def _zoom(view: ViewState, amount: float) -> None:
    if view.camera_id == FREE_CAMERA:
        view.camera.zoom(amount)


def _track(view: ViewState, body: int) -> None:
    view.camera_id, view.tracked = FREE_CAMERA, body
    view.feedback.show_message("the camera follows the selection; Escape stops it")


def _debug(view: ViewState, kernel: str) -> None:
    show_code(view, Subject(function=kernel))
    view.of(CodeState).debug(kernel)


def _export(view: ViewState, snapshot: Snapshot, send: Send, suffix: str) -> None:
    if view.plots.watches or view.plots.script:
        begin_export(view, snapshot, send, suffix)
    else:
        _reveal(view, "Plots", "nothing to export yet: type an expression in Plots")


def _find(view: ViewState, panel: str, name: str) -> None:
    setattr(view.ui, SEARCHES[panel][1], name)
    _reveal(view, panel)


def _reveal(view: ViewState, name: str, message: str = "") -> None:
    """Bring a panel to the front."""
    setattr(view.prefs, next(panel.preference for panel in PANELS if panel.name == name), True)
    view.ui.reveal = name
    if message:
        view.feedback.show_message(message)
