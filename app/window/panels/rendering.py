"""The Rendering panel: rendering flags, frames, labels and groups, generated from the table of switches."""

from __future__ import annotations

from imgui_bundle import imgui

from app.scene.visual_flags import CHOICES, CONTACT, GROUP_FLAGS, LIGHT, VISUAL_FLAGS, GroupFlags, VisFlag
from app.scene.visual_options import NGROUP, VisualOptions
from app.ui import theme
from app.ui.widgets import caption, changed_dot, checkbox, em, note, number_beside, section, toggle, tooltip
from app.view.view_state import ViewState

# slider ranges
FORCE_SCALES = (0.01, 100.0)
BVH_DEPTHS = (0, 16)
# widths of a checkbox with the longest label, of the group labels, of the number next to a slider
PAIR_EM, GROUP_LABEL_EM, BESIDE_EM = 7.6, 7.5, 6.5
DEFAULTS = VisualOptions()
WAY = "right-click: the default"


def rendering_panel(view: ViewState) -> None:
    """All switches by section, in two columns if they fit."""
    options = view.options
    for title in dict.fromkeys(switch.section for switch in VISUAL_FLAGS):
        section(title)
        rows = [switch for switch in VISUAL_FLAGS if switch.section == title]
        _checkboxes(options, [switch for switch in rows if switch.option not in CHOICES])
        for switch in rows:
            if switch.option in CHOICES:
                _choice(options, switch)
        if title == LIGHT:
            _quality(view)
        if title == CONTACT:
            _force_scale(options)
    if options.body_bvh or options.mesh_bvh:
        _bvh_depth(options)
    section("Groups")
    for row in GROUP_FLAGS:
        _groups(options, row)


def _checkboxes(options: VisualOptions, rows: list[VisFlag]) -> None:
    """Checkboxes, right-click restores the default."""
    room = imgui.get_content_region_avail().x / 2
    half = imgui.get_cursor_pos_x() + room
    pairs = room > em(PAIR_EM)
    for n, switch in enumerate(rows):
        if pairs and n % 2:
            imgui.same_line(half)
        default, on = getattr(DEFAULTS, switch.option), getattr(options, switch.option)
        value = checkbox(switch.label, on, f"{switch.help}   {switch.key}\ndefault {'on' if default else 'off'}; {WAY}")
        changed = value != on
        if imgui.is_item_clicked(imgui.MouseButton_.right):
            changed, value = True, default
        if on != default:
            changed_dot()
        if changed:
            setattr(options, switch.option, value)


def _choice(options: VisualOptions, switch: VisFlag) -> None:
    """A list for a switch with several values."""
    choices = list(CHOICES[switch.option])
    imgui.set_next_item_width(-em(4.5))
    default = getattr(DEFAULTS, switch.option)
    changed, index = imgui.combo(switch.label, choices.index(getattr(options, switch.option)), choices)
    tooltip(f"{switch.help}   {switch.key}\ndefault {default}; {WAY}")
    if imgui.is_item_clicked(imgui.MouseButton_.right):
        changed, index = True, choices.index(default)
    if changed:
        setattr(options, switch.option, choices[index])


def _quality(view: ViewState) -> None:
    """Whether quality may be reduced to keep up, and what is reduced now."""
    hint = (
        "lowers the quality while the view moves if frames are slow; still frames, screenshots and videos keep full "
        "quality"
    )
    view.prefs.adaptive = checkbox("Adaptive quality", view.prefs.adaptive, hint)
    if view.feedback.quality_note:
        note(f"now: {view.feedback.quality_note}")


def _force_scale(options: VisualOptions) -> None:
    """Scale of force arrows; right-click restores the default."""
    imgui.set_next_item_width(-em(BESIDE_EM))
    flags = imgui.SliderFlags_.logarithmic
    changed, value = imgui.slider_float("##force scale", options.force_scale, *FORCE_SCALES, " ", flags)
    tooltip(f"scale of force arrows\ndefault 1: the arrow of a body's weight is about twice its size; {WAY}")
    if changed and value > 0:
        options.force_scale = value
    if imgui.is_item_clicked(imgui.MouseButton_.right):
        options.force_scale = 1.0
    number_beside(f"arrows {options.force_scale:.2g}x")


def _bvh_depth(options: VisualOptions) -> None:
    """Which level of the bounding volume hierarchy is drawn."""
    imgui.set_next_item_width(-em(BESIDE_EM))
    changed, value = imgui.slider_int("##bvh depth", options.bvh_depth, *BVH_DEPTHS, " ")
    tooltip(f"level of the bounding volume hierarchies; 0 is the root\ndefault {DEFAULTS.bvh_depth}; {WAY}")
    if imgui.is_item_clicked(imgui.MouseButton_.right):
        changed, value = True, DEFAULTS.bvh_depth
    if changed:
        options.bvh_depth = value
    number_beside(f"BVH depth {options.bvh_depth}")


def _groups(options: VisualOptions, row: GroupFlags) -> None:
    """Toggle buttons for the groups."""
    shown, default = getattr(options, row.option), getattr(DEFAULTS, row.option)
    beside = imgui.get_content_region_avail().x > em(GROUP_LABEL_EM + 1.75 * NGROUP)
    caption(row.label, tint=theme.DIM if shown == default else theme.ACCENT, framed=True)
    start = imgui.get_cursor_pos_x() + (em(GROUP_LABEL_EM) if beside else 0.0)
    for group in range(NGROUP):
        if beside or group:
            imgui.same_line(start + em(1.75) * group)
        hint = f"group {group}   {row.key(group)}\ndefault {'on' if default[group] else 'off'}; {WAY}"
        if toggle(f"{group}##{row.option}{group}", shown[group], hint, em(1.6), fill=0.32):
            shown[group] = not shown[group]
        if imgui.is_item_clicked(imgui.MouseButton_.right):
            shown[group] = default[group]
