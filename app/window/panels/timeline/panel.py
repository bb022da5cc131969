"""The Timeline panel: transport buttons, the strip of recorded time, a lane for each branch, and what memory holds."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.run.commands import GoOn, GoTo, Send, SetLoop, StepOnce
from app.run.history.markers import MarkerType
from app.run.history.timeline import MemoryUse, Timeline
from app.run.run_state import RunState
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import caption, colour, elide, em, font, icon_button, tooltip
from app.view.branch_lanes import branch_name
from app.view.input import actions, time_actions
from app.view.input.bindings import hint
from app.view.time_axis import clock_text
from app.view.view_state import ViewState
from app.window.panels.timeline.lanes import branch_lanes
from app.window.panels.timeline.strip import mark_switches, strip

# the column of names and switches, and the width of the panel below which it is left out
GUTTER_EM, NARROW_EM = 12.5, 34.0
FOOTER = 0.9
GO_ON = "Continue from here"
TIME_DIGITS = 9


def timeline_panel(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """All of it, from top to bottom."""
    view.timeline.update(snapshot.run.history, imgui.get_time())
    transport(snapshot, view, send)
    # a list of many branches has a scroll bar, also next to the strip
    room = imgui.get_content_region_avail().x - imgui.get_style().scrollbar_size
    gutter = em(GUTTER_EM) if room > em(NARROW_EM) else 0.0
    if not gutter:
        mark_switches(view, send, snapshot, room, 1)
    left, top = imgui.get_cursor_screen_pos()
    if gutter:
        mark_switches(view, send, snapshot, gutter - em(0.5), 2)
    imgui.set_cursor_screen_pos((left + gutter, top))
    axis = strip(snapshot, view, send, left + gutter, room - gutter)
    if len(snapshot.run.history.branches) > 1:
        imgui.set_cursor_pos_y(imgui.get_cursor_pos_y() - em(0.2))
        below = em(FOOTER) + imgui.get_style().item_spacing.y + em(0.2)
        branch_lanes(snapshot, view, send, axis, gutter, imgui.get_content_region_avail().y - below)
    _footer(snapshot)


def _footer(snapshot: Snapshot) -> None:
    """Where we are, and what is kept."""
    where, explained = where_text(snapshot.run)
    kept = memory_text(snapshot.run.history)
    tint = theme.DIM if snapshot.run.history.at_head else theme.WARNING
    with font("sans", FOOTER):
        room = imgui.get_content_region_avail().x
        caption(elide(where, room), explained, tint)
        left = room - imgui.get_item_rect_size().x - em(1.5)
        if left > em(6):
            shown = elide(kept, left)
            imgui.same_line(imgui.get_cursor_pos_x() + room - imgui.calc_text_size(shown).x)
            caption(shown, f"{kept}\nyou can jump to any time: older states are recomputed, bit for bit")


def transport(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """One line of buttons, with the time in the middle."""
    run, timeline = snapshot.run, snapshot.run.history
    plays, back = not run.paused and run.direction > 0, not run.paused and run.direction < 0
    if icon_button(icons.ICON_FA_BACKWARD_FAST, "oldest", hint(time_actions.first_step)):
        send(GoTo(timeline.first))
    imgui.same_line(0, em(0.1))
    if icon_button(icons.ICON_FA_BACKWARD_STEP, "back", hint(actions.step_back)):
        send(StepOnce(-1))
    imgui.same_line(0, em(0.1))
    if icon_button(icons.ICON_FA_PAUSE if back else "", "backwards", hint(time_actions.play_backwards), active=back):
        time_actions.play(run, send, -1)
    if not back:
        _triangle_left()
    imgui.same_line(0, em(0.1))
    explained = "pause" if plays else "run" if timeline.at_head else "replay the recording, then continue simulating"
    if icon_button(icons.ICON_FA_PAUSE if plays else icons.ICON_FA_PLAY, "run", f"{explained}   Space", active=plays):
        time_actions.play(run, send, 1)
    imgui.same_line(0, em(0.1))
    if icon_button(icons.ICON_FA_FORWARD_STEP, "forward", hint(actions.step)):
        send(StepOnce(1))
    imgui.same_line(0, em(0.1))
    if icon_button(icons.ICON_FA_FORWARD_FAST, "newest", hint(time_actions.last_step)):
        send(GoTo(timeline.last))
    imgui.same_line(0, em(0.6))
    _time(snapshot, view)
    _loop(snapshot, view, send)
    if not timeline.at_head:
        _go_on(snapshot, send)
    imgui.new_line()


def _triangle_left() -> None:
    """The icon of playing backwards on the last item, which the font does not have."""
    low, high = imgui.get_item_rect_min(), imgui.get_item_rect_max()
    x, y, size = (low.x + high.x) / 2, (low.y + high.y) / 2, em(0.38)
    points = ((x - size, y), (x + 0.8 * size, y - size), (x + 0.8 * size, y + size))
    imgui.get_window_draw_list().add_triangle_filled(*points, imgui.get_color_u32(theme.TEXT))


def _time(snapshot: Snapshot, view: ViewState) -> None:
    """The time that is shown, and its step if there is room."""
    timeline = snapshot.run.history
    step = view.timeline.step(timeline)
    time = snapshot.run.time if step == timeline.now else timeline.time_of(step)
    where = f"step {step} of {timeline.last}"
    with font("mono", 1.1):
        imgui.align_text_to_frame_padding()
        # what comes after it does not move with its digits
        begin, text = imgui.get_cursor_pos_x(), f"{time:.3f} s"
        width = imgui.calc_text_size("0" * max(len(text), TIME_DIGITS)).x
        imgui.text(text)
    tooltip(where)
    imgui.same_line(begin + width + em(0.5))


def _loop(snapshot: Snapshot, view: ViewState, send: Send) -> None:
    """Repeat a range: switch, times, film or web page, clear."""
    timeline, drag = snapshot.run.history, view.timeline.drag
    loop = drag.range if drag is not None and drag.range is not None else timeline.loop
    explained = "repeat a range when replaying: Shift+drag on the strip to select it"
    if icon_button(
        icons.ICON_FA_REPEAT, "loop", f"{explained}\nor click this for the visible range", active=bool(loop)
    ):
        send(SetLoop(None if timeline.loop else _shown_range(snapshot, view)))
    imgui.same_line(0, em(0.1))
    if loop is None:
        return
    begin, end = timeline.time_of(loop[0]), timeline.time_of(loop[1])
    times = f"{clock_text(begin, 0.01)} – {clock_text(end, 0.01)}"
    with font("mono", 0.95):
        # buttons come first in a narrow panel
        if imgui.calc_text_size(times).x + em(10) < imgui.get_content_region_avail().x:
            imgui.align_text_to_frame_padding()
            imgui.text(times)
            tooltip(f"steps {loop[0]} to {loop[1]}, {end - begin:.3f} s; drag the ends on the strip   Ctrl+[   Ctrl+]")
            imgui.same_line(0, em(0.3))
    explained = f"{hint(actions.film_range)}\nfrom the chosen camera\nright-click: {hint(actions.export_page)}"
    if icon_button(icons.ICON_FA_FILM, "film", explained):
        view.ui.request = actions.film_range
    if imgui.is_item_clicked(imgui.MouseButton_.right):
        view.ui.request = actions.export_page
    imgui.same_line(0, em(0.1))
    if icon_button(icons.ICON_FA_XMARK, "no loop", hint(time_actions.clear_loop)):
        send(SetLoop(None))
    imgui.same_line(0, em(0.3))


def _shown_range(snapshot: Snapshot, view: ViewState) -> tuple[int, int]:
    """The steps of the line that the strip shows."""
    timeline, clocks = snapshot.run.history, view.timeline.clocks
    first, last = view.timeline.span or clocks.whole
    begin, end = (clocks.present.step_at(time, timeline.first, timeline.last) for time in (first, last))
    return begin, end


def _go_on(snapshot: Snapshot, send: Send) -> None:
    """The button that begins a branch, on the right."""
    label = f"{icons.ICON_FA_CODE_BRANCH}  {GO_ON}"
    style = imgui.get_style()
    room = imgui.get_content_region_avail().x
    if room < imgui.calc_text_size(label).x + 2 * style.frame_padding.x:
        label = icons.ICON_FA_CODE_BRANCH
    width = imgui.calc_text_size(label).x + 2 * style.frame_padding.x
    imgui.set_cursor_pos_x(imgui.get_cursor_pos_x() + max(room - width - style.scrollbar_size, 0.0))
    with (
        colour(imgui.Col_.button, (*theme.ACCENT[:3], 0.28)),
        colour(imgui.Col_.button_hovered, (*theme.ACCENT[:3], 0.5)),
    ):
        if imgui.button(f"{label}##go on"):
            send(GoOn())
    tooltip(lambda: f"{go_on_hint(snapshot.run.history)}   Ctrl+Enter")
    imgui.same_line()


def where_text(run: RunState) -> tuple[str, str]:
    """Where the current moment is, in short, and explained."""
    timeline = run.history
    name = f"'{branch_name(timeline.find(timeline.branch))}'"
    behind = timeline.last_time - run.time
    gap = clock_text(behind, 0.1 if behind >= 1 else 0.001)
    steps = f"step {timeline.now} of {timeline.last}"
    if run.replaying and not run.paused:
        way = "replaying" if run.direction > 0 else "replaying backwards"
        if timeline.loop is not None:
            way += " in a loop"
        return f"{way}: {gap} before the end of {name}", f"{steps}; at the end the simulation continues"
    if timeline.at_head:
        state = "paused at the end of" if run.paused else "live:"
        return f"{state} {name}", f"{steps}; the next step will be computed"
    return (
        f"paused {gap} before the end of {name}",
        f"{steps}; Space replays, and any change or pull starts a branch",
    )


def memory_text(timeline: Timeline) -> str:
    """How much is recorded, and what it takes."""
    memory = timeline.memory
    here = " on this branch" if len(timeline.branches) > 1 else ""
    parts = [f"{clock_text(timeline.last_time - timeline.first_time)} recorded{here}"]
    dense = min(memory.dense_steps, timeline.last - timeline.first)
    if 0 < dense < timeline.last - timeline.first:
        parts.append(
            f"every step of the last {clock_text(timeline.last_time - timeline.time_of(timeline.last - dense))}"
        )
    if size := _size_text(memory):
        parts.append(size)
    return "; ".join(parts)


def _size_text(memory: MemoryUse) -> str:
    kept = [(memory.tape + memory.checkpoints, ""), (memory.disk, " on disk")]
    return ", ".join(f"{byte_text(count)}{where}" for count, where in kept if count)


def byte_text(count: int) -> str:
    """A number of bytes: 12 MB."""
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= 0.9995 * size:
            return f"{count / size:.3g} {unit}"
    return f"{count} B"


def go_on_hint(timeline: Timeline) -> str:
    """What simulating from the current moment would do."""
    name, gap = f"'{branch_name(timeline.find(timeline.branch))}'", timeline.last_time - timeline.time_of(timeline.now)
    later = sum(
        marker.type is MarkerType.EDIT and marker.entry > 0 and marker.moment > timeline.now
        for marker in timeline.markers
    )
    edits = {0: "", 1: "\nAn edit made later will not apply."}.get(later, f"\n{later} edits made later will not apply.")
    return (
        f"start a branch here and continue simulating; the {clock_text(gap, 0.1)} after this point stay in "
        f"{name}{edits}"
    )
