"""Lanes of branches below the strip: a bar from fork to head on the same axis, and what can be done with a branch."""

from __future__ import annotations

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.ab.open import compare
from app.instruments.ab.subject import OtherBranch
from app.instruments.offer import offered
from app.run.commands import GoTo, RemoveBranch, RenameBranch, Send, SetGhost, SwitchBranch
from app.run.history.branch_colours import branch_colour
from app.run.history.timeline import BranchView, Timeline
from app.run.snapshot import Snapshot
from app.ui import theme
from app.ui.widgets import button, colour, disabled, elide, em, icon_button, menu_item, tooltip
from app.view.branch_lanes import Lane, branch_name, descendants, lanes
from app.view.time_axis import TimeAxis, clock_text
from app.view.timeline_view import BranchTask, TimelineView
from app.view.view_state import ViewState
from app.window.panels.timeline.strip import BUTTONS, LEFT, PAD_EM, RIGHT, pan, playhead, zoom_or_pan

ROW_EM, BAR_EM, LEAST_ROWS, INDENT_EM, MOST_INDENT = 1.4, 0.55, 2, 0.5, 4
BUTTON_EM, NAME_EM = 1.5, 10.0
QUESTION = "remove a branch"


def branch_lanes(snapshot: Snapshot, view: ViewState, send: Send, axis: TimeAxis, gutter: float, height: float) -> None:
    """All branches, in a list that scrolls if they are many."""
    timeline, rows = snapshot.run.history, lanes(snapshot.run.history)
    high = em(ROW_EM)
    most = max(height, LEAST_ROWS * high)
    overflows = len(rows) * high > most
    flags = imgui.WindowFlags_.no_nav_inputs
    if not overflows or imgui.get_io().key_ctrl:
        flags |= imgui.WindowFlags_.no_scroll_with_mouse
    imgui.begin_child("branches", (0, min(most, len(rows) * high)), window_flags=flags)
    left, top = imgui.get_cursor_screen_pos()
    first = max(int(imgui.get_scroll_y() / high), 0)
    count = int(imgui.get_window_height() / high) + 2
    on_line = {part.branch.id for part in timeline.line()}
    _forks(rows, view.timeline, axis, top + _level(not gutter), (first, first + count))
    for place in range(first, min(first + count, len(rows))):
        y = top + place * high
        if gutter:
            imgui.set_cursor_screen_pos((left, y))
            _name(rows[place], timeline, view, send, gutter - em(0.5), rows[place].branch.id in on_line)
        imgui.set_cursor_screen_pos((axis.left - em(PAD_EM), y))
        if not gutter and is_renamed(rows[place].branch, view):
            rename_field(rows[place].branch, view, send, em(NAME_EM))
            continue
        _lane(rows[place], snapshot, view, send, axis, rows[place].branch.id in on_line, not gutter, overflows)
    playhead(view.timeline, axis, max(top, imgui.get_window_pos().y), top + len(rows) * high)
    imgui.set_cursor_screen_pos((left, top))
    imgui.dummy((1.0, len(rows) * high))
    imgui.end_child()
    remove_question(timeline, view, send)


def _level(named: bool) -> float:
    """Where in its row a bar is; a name is above its bar."""
    return em(ROW_EM - 0.2) if named else em(ROW_EM) / 2


def _forks(rows: list[Lane], shown: TimelineView, axis: TimeAxis, top: float, seen: tuple[int, int]) -> None:
    """A line from each parent down to the start of its branch, if it passes rows that are seen."""
    draw, high = imgui.get_window_draw_list(), em(ROW_EM)
    for place, lane in enumerate(rows[seen[0] :], seen[0]):
        if lane.parent < 0 or lane.parent >= seen[1]:
            continue
        x = axis.place(shown.clocks[lane.branch.id].time_of(lane.branch.fork))
        if axis.left <= x <= axis.left + axis.width:
            tint = imgui.get_color_u32((*branch_colour(lane.branch.colour), 0.8))
            draw.add_line((x, top + lane.parent * high), (x, top + place * high), tint, 1.5)


def _lane(
    lane: Lane,
    snapshot: Snapshot,
    view: ViewState,
    send: Send,
    axis: TimeAxis,
    on_line: bool,
    named: bool,
    overflows: bool,
) -> None:
    """The bar of a branch; a click goes there, a double-click switches to it at the current time."""
    branch, timeline, shown = lane.branch, snapshot.run.history, view.timeline
    x, y = imgui.get_cursor_screen_pos()
    width = axis.width + 2 * em(PAD_EM)
    imgui.invisible_button(f"##lane{branch.id}", (width, em(ROW_EM)), BUTTONS)
    hovered, mouse = imgui.is_item_hovered(), imgui.get_io().mouse_pos
    clock = shown.clocks[branch.id]
    begin, end = clock.time_of(branch.fork), clock.time_of(branch.last)
    step = clock.step_at(axis.time(mouse.x), branch.fork, branch.last)
    if imgui.is_item_active() and not imgui.is_mouse_down(LEFT):
        pan(shown, axis)
    if hovered and (not overflows or imgui.get_io().key_ctrl):
        zoom_or_pan(shown, axis)
    if imgui.is_item_activated() and imgui.is_mouse_clicked(LEFT):
        send(SwitchBranch(branch.id) if imgui.is_mouse_double_clicked(LEFT) else GoTo(step, branch.id))
    still = imgui.get_io().mouse_drag_max_distance_sqr
    if hovered and imgui.is_mouse_released(RIGHT) and still[RIGHT] < imgui.get_io().mouse_drag_threshold ** 2:
        imgui.open_popup(f"branch{branch.id}")
    branch_menu(branch, timeline, view, send)
    length = clock_text(end - begin, 0.1 if end - begin >= 1 else 0.001)
    tooltip(
        f"{branch_name(branch)}: {length} from {clock_text(begin, 0.01)}, {branch.last - branch.fork} steps\n"
        "click: go there; double-click: switch to it at this time; right-click: more"
    )
    draw, middle = imgui.get_window_draw_list(), y + _level(named)
    draw.push_clip_rect((x, y), (x + width, y + em(ROW_EM)), True)
    if hovered:
        draw.add_rect_filled((x, y), (x + width, y + em(ROW_EM)), imgui.get_color_u32(theme.STRIPE))
    x0, x1 = axis.place(max(begin, axis.first)), axis.place(min(end, axis.last))
    tint = (*branch_colour(branch.colour), 1.0 if on_line else 0.5)
    # one without steps is seen too
    half = em(0.12) if named else em(BAR_EM) / 2
    low, high = (x0, middle - half), (max(x1, x0 + em(0.3)), middle + half)
    if end >= axis.first and begin <= axis.last:
        draw.add_rect_filled(low, high, imgui.get_color_u32(tint), em(0.2))
        if branch.id == timeline.branch:
            draw.add_rect(low, high, imgui.get_color_u32(theme.TEXT), em(0.2))
    if named:
        size = 0.85 * imgui.get_font_size()
        words = imgui.get_color_u32(theme.TEXT if on_line else theme.DIM)
        draw.add_text(imgui.get_font(), size, (x0 + em(0.2), y + em(0.15)), words, branch_name(branch))
    draw.pop_clip_rect()


def _name(lane: Lane, timeline: Timeline, view: ViewState, send: Send, width: float, on_line: bool) -> None:
    """The colour and name of a branch, and its switches."""
    branch, shown = lane.branch, view.timeline
    x, y = imgui.get_cursor_screen_pos()
    indent = em(INDENT_EM) * min(lane.depth, MOST_INDENT)
    draw, tint = imgui.get_window_draw_list(), imgui.get_color_u32((*branch_colour(branch.colour), 1.0))
    draw.add_circle_filled((x + indent + em(0.4), y + em(ROW_EM) / 2), em(0.3), tint)
    imgui.set_cursor_screen_pos((x + indent + em(0.9), y))
    room = width - indent - em(0.9) - 3 * em(BUTTON_EM)
    if is_renamed(branch, view):
        rename_field(branch, view, send, room)
    else:
        imgui.push_style_var(imgui.StyleVar_.selectable_text_align, (0.0, 0.5))
        shade = theme.TEXT if on_line else theme.DIM
        with colour(imgui.Col_.text, shade):
            chosen = branch.id == timeline.branch
            label = f"{elide(branch_name(branch), room)}##name{branch.id}"
            flags = imgui.SelectableFlags_.allow_double_click
            pressed = imgui.selectable(label, chosen, flags, (room, em(ROW_EM) - 2))[0]
        imgui.pop_style_var()
        present = ", the current branch" if chosen else ""
        tooltip(f"{branch_name(branch)}{present}\nclick: switch to it; double-click: rename")
        if pressed and imgui.is_mouse_double_clicked(LEFT):
            shown.renaming = BranchTask(branch.id, branch_name(branch))
        elif pressed and not chosen:
            send(SwitchBranch(branch.id))
    _switches(branch, timeline, view, send, (x + width - 3 * em(BUTTON_EM), y))


def _switches(branch: BranchView, timeline: Timeline, view: ViewState, send: Send, at: tuple[float, float]) -> None:
    """Ghost, compare, remove."""
    compared, why = view.timeline.compared, why_kept(branch, timeline)
    ghost, here = timeline.ghost == branch.id, branch.id == timeline.branch
    end = branch.time_of(branch.last)
    over = ghost and timeline.time_of(timeline.now) > end
    imgui.push_style_var(imgui.StyleVar_.frame_padding, (0.0, em(0.12)))
    imgui.set_cursor_screen_pos((at[0], at[1] + em(0.15)))
    with disabled(here and not ghost):
        words = "the current branch cannot be a ghost" if here else "show it as a ghost at the same time"
        words = f"it ends at {end:.3f} s; its ghost stays there" if over else words
        icon = icons.ICON_FA_HOURGLASS_END if over else icons.ICON_FA_GHOST
        if icon_button(icon, f"ghost{branch.id}", words, ghost, BUTTON_EM):
            send(SetGhost(None if ghost else branch.id))
    imgui.same_line(0, 0)
    on = branch.id in compared
    with disabled(here and not on):
        words = "plots always show the current branch" if here else "compare it in the plots"
        if icon_button(icons.ICON_FA_CHART_LINE, f"compare{branch.id}", words, on, BUTTON_EM):
            (compared.discard if on else compared.add)(branch.id)
    imgui.same_line(0, 0)
    if icon_button(icons.ICON_FA_XMARK, f"remove{branch.id}", why or "remove it", width=BUTTON_EM, enabled=not why):
        remove(branch, timeline, view, send)
    imgui.pop_style_var()


def branch_menu(branch: BranchView, timeline: Timeline, view: ViewState, send: Send) -> None:
    """The menu of a branch, if it is open."""
    if not imgui.begin_popup(f"branch{branch.id}"):
        return
    compared, ghost = view.timeline.compared, timeline.ghost == branch.id
    here, on = branch.id == timeline.branch, branch.id in view.timeline.compared
    if menu_item("Switch to it", "show this branch at the same time", not here, checked=here):
        send(SwitchBranch(branch.id))
    if menu_item("Rename", "type another name"):
        view.timeline.renaming = BranchTask(branch.id, branch_name(branch))
    if menu_item("Ghost", "show it as a ghost at the same time", ghost or not here, checked=ghost):
        send(SetGhost(None if ghost else branch.id))
    if menu_item("Compare in plots", "plots show it next to the current branch", on or not here, checked=on):
        (compared.discard if on else compared.add)(branch.id)
    hint = "its distance from the current branch, over time and by body"
    if offered("A/B") and menu_item("Compare in A/B", hint, not here):
        compare(view, OtherBranch(branch.id))
    why = why_kept(branch, timeline)
    if menu_item("Remove", why or "delete this branch and all branches that start in it", not why):
        remove(branch, timeline, view, send)
    imgui.end_popup()


def is_renamed(branch: BranchView, view: ViewState) -> bool:
    """Whether another name is being typed for a branch."""
    return view.timeline.renaming is not None and view.timeline.renaming.branch == branch.id


def rename_field(branch: BranchView, view: ViewState, send: Send, width: float) -> None:
    """The field for another name; Enter or a click elsewhere takes it, Escape does not."""
    task = view.timeline.renaming
    assert task is not None
    imgui.set_next_item_width(width)
    if not task.begun:
        imgui.set_keyboard_focus_here()
    # as high as a row
    imgui.push_style_var(imgui.StyleVar_.frame_padding, (em(0.2), em(0.1)))
    _, task.text = imgui.input_text_with_hint("##rename", "name", task.text, imgui.InputTextFlags_.auto_select_all)
    imgui.pop_style_var()
    tooltip("the name of this branch   Enter")
    task.begun |= imgui.is_item_active()
    if task.begun and not imgui.is_item_active():
        # Escape restores the text
        view.timeline.renaming = None
        if task.text.strip() and task.text.strip() != branch_name(branch):
            send(RenameBranch(branch.id, task.text.strip()))


def why_kept(branch: BranchView, timeline: Timeline) -> str:
    """Why a branch cannot be removed, or nothing."""
    if any(part.branch.id == branch.id for part in timeline.line()):
        return "a branch that leads to the current state cannot be removed: switch to another branch first"
    return ""


def remove(branch: BranchView, timeline: Timeline, view: ViewState, send: Send) -> None:
    """Remove a branch, after a question if something would be lost."""
    if branch.last > branch.fork or descendants(timeline, branch.id):
        view.timeline.removing = BranchTask(branch.id)
    else:
        send(RemoveBranch(branch.id))


def remove_question(timeline: Timeline, view: ViewState, send: Send) -> None:
    """Ask before steps are forgotten."""
    task = view.timeline.removing
    branch = next((known for known in timeline.branches if task is not None and known.id == task.branch), None)
    if task is not None and not task.begun:
        imgui.open_popup(QUESTION)
        task.begun = True
    if not imgui.begin_popup(QUESTION):
        view.timeline.removing = None
        return
    if branch is None:
        imgui.close_current_popup()
        imgui.end_popup()
        return
    others = descendants(timeline, branch.id)
    length = clock_text(branch.time_of(branch.last) - branch.time_of(branch.fork), 0.1)
    also = "" if not others else f", and {', '.join(repr(branch_name(other)) for other in others[:3])}"
    if len(others) > 3:
        also += f" and {len(others) - 3} more"
    imgui.text(f"Forget '{branch_name(branch)}', {length} of it{also}?")
    if button("Remove", "this cannot be undone"):
        send(RemoveBranch(branch.id))
        imgui.close_current_popup()
    imgui.same_line()
    if button("Keep", "leave it as it is   Escape"):
        imgui.close_current_popup()
    imgui.end_popup()
