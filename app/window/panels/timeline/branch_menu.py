"""What can be done with a branch: a context menu, renaming, and the question before one is removed."""

from __future__ import annotations

from imgui_bundle import imgui

from app.instruments.ab.open import compare
from app.instruments.ab.subject import OtherBranch
from app.instruments.offer import offered
from app.run.commands import RemoveBranch, RenameBranch, Send, SetGhost, SwitchBranch
from app.run.history.timeline import BranchView, Timeline
from app.ui.widgets import button, em, menu_item, tooltip
from app.view.branch_lanes import branch_name, descendants
from app.view.time_axis import clock_text
from app.view.timeline_view import BranchTask
from app.view.view_state import ViewState

QUESTION = "remove a branch"


def branch_menu(branch: BranchView, timeline: Timeline, view: ViewState, send: Send) -> None:
    """The menu of a branch, if it is open."""
    if not imgui.begin_popup(f"branch{branch.id}"):
        return
    compared, ghost = view.timeline.compared, timeline.ghost == branch.id
    here, on = branch.id == timeline.branch, branch.id in view.timeline.compared
    if menu_item("Switch to it", "show this branch, at the same time", not here, checked=here):
        send(SwitchBranch(branch.id))
    if menu_item("Rename", "type another name"):
        view.timeline.renaming = BranchTask(branch.id, branch_name(branch))
    if menu_item("Ghost", "show it as a ghost, at the same time", ghost or not here, checked=ghost):
        send(SetGhost(None if ghost else branch.id))
    if menu_item("Compare in plots", "plots show it next to the current branch", on or not here, checked=on):
        (compared.discard if on else compared.add)(branch.id)
    hint = "how far it is from the current branch, over time and by body"
    if offered("A/B") and menu_item("Compare in A/B", hint, not here):
        compare(view, OtherBranch(branch.id))
    why = why_kept(branch, timeline)
    if menu_item("Remove", why or "forget this branch and those that begin in it", not why):
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
        return "what led to the current moment cannot be removed: switch to another branch first"
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
