"""The panels Physics and Visual: every option and flag of the engine, and of the model's `visual` section."""

from __future__ import annotations

from imgui_bundle import imgui

from app.model.editable import FLAGS, OPTIONS, VISUALS
from app.run.commands import ResetEdits, Send, SetEngine, SetFlag
from app.run.engine.installed import is_installed
from app.run.engine.names import TITLES
from app.run.snapshot import Snapshot
from app.scene.visual_options import NGROUP
from app.ui import theme
from app.ui.widgets import button, caption, em, fold, matches, pick, text_field, toggle, tooltip
from app.view.view_state import ViewState
from app.window.panels.field import field_sections, flag_row
from sim import ENGINE

OPEN_AT_FIRST = ("Time", "Solver", "World")
# flags that switch what a section is about, and are in it
SWITCHES = {"sleep": "Sleep", "override": "Contact override"}
# width of a checkbox with the longest name
FLAG_EM = 8.0
VISUAL_AT_FIRST = ("Headlight", "Free camera", "Global", "Map")


def physics_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Sections of options, then flags and actuator groups."""
    if snapshot.model is None:
        caption("no model")
        return
    _engine(snapshot, send)
    _head(snapshot, view, send)
    wanted = view.ui.search.strip()
    switches = {SWITCHES[flag.name]: [flag] for flag in FLAGS if flag.name in SWITCHES}
    field_sections(OPTIONS, OPEN_AT_FIRST, wanted, snapshot, view, send, switches)
    flags = [flag for flag in FLAGS if flag.name not in SWITCHES and matches(wanted, flag.name, flag.meaning)]
    groups = bool(snapshot.model.nactuator) and matches(wanted, "actuator groups", "option/actuatorgroupdisable")
    content = [flag.name for flag in flags] + ["actuator groups"] * groups
    if content and fold("Flags", False, bool(wanted), ", ".join(content)):
        room = imgui.get_content_region_avail().x / 2
        half = imgui.get_cursor_pos_x() + room
        for n, flag in enumerate(flags):
            if n % 2 and room > em(FLAG_EM):
                imgui.same_line(half)
            flag_row(flag, snapshot, send)
        if groups:
            _actuator_groups(snapshot, send)


def _engine(snapshot: Snapshot, send: Send) -> None:
    """What simulates the model: a choice, where there is one and the model is a file."""
    assert snapshot.model is not None
    run = snapshot.run
    if not run.path or not is_installed():
        return
    named = [(name, title, "") for name, title in TITLES.items()]
    hint = run.engine_note or "the physics engine; switching keeps state, edits and timeline"
    picked = pick("##engine", f"Engine: {snapshot.model.engine or ENGINE}", lambda: named, run.engine, hint)
    if picked not in (None, run.engine):
        send(SetEngine(picked))


def _head(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """A search field, and a button that resets all edits."""
    count = len(snapshot.file_values)
    reset = em(7.5)
    below = imgui.get_content_region_avail().x < 2 * reset
    imgui.set_next_item_width(-1 if below else -reset - imgui.get_style().item_spacing.x)
    _, view.ui.search = imgui.input_text_with_hint("##search options", "search", view.ui.search)
    tooltip("filter options by name and description")
    if not below:
        imgui.same_line()
    if button(
        "Reset to file", f"restore the file's values in all edited fields; edited: {count}", count != 0, size=(-1, 0)
    ):
        send(ResetEdits())


def _actuator_groups(snapshot: Snapshot, send: Send) -> None:
    """A toggle for each actuator group."""
    assert snapshot.model is not None
    off = int(snapshot.model.opt.disableactuator)
    in_file = int(snapshot.file_values.get("opt.disableactuator", off))
    imgui.text_colored(theme.DIM if off == in_file else theme.ACCENT, "actuator groups")
    for group in range(NGROUP):
        on, original = (not bits >> group & 1 for bits in (off, in_file))
        if group:
            imgui.same_line(0, em(0.25))
        values = f"default enabled, in the file {'enabled' if original else 'disabled'}"
        hint = f"option/actuatorgroupdisable\nactuators of group {group}\n{values}\nright-click: the file's value"
        pressed = toggle(f"{group}##actuator group", on, hint, em(1.8), fill=0.32)
        if pressed or (imgui.is_item_clicked(imgui.MouseButton_.right) and on != original):
            send(SetFlag("opt.disableactuator", 1 << group, on))


def visual_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """A search field and sections of settings."""
    if snapshot.model is None:
        caption("no model")
        return
    view.ui.visual_search = text_field(
        "##search visuals", "search", view.ui.visual_search, "filter settings by name and description"
    )
    field_sections(VISUALS, VISUAL_AT_FIRST, view.ui.visual_search.strip(), snapshot, view, send)
