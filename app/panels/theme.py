"""Fonts, colours and spacing: calm, dark, one accent colour. Red means wrong, amber means look."""

from __future__ import annotations

from pathlib import Path

import imgui_bundle
from imgui_bundle import imgui

Rgba = tuple[float, float, float, float]

FONT_SIZE = 15.0
ICON_SIZE = 13.0

CLEAR: Rgba = (0, 0, 0, 0)
TEXT: Rgba = (0.87, 0.88, 0.90, 1)
DIM: Rgba = (0.55, 0.58, 0.63, 1)
ACCENT: Rgba = (0.36, 0.66, 0.96, 1)
WRONG: Rgba = (0.94, 0.38, 0.34, 1)
LOOK: Rgba = (0.95, 0.68, 0.26, 1)
GROUND: Rgba = (0.085, 0.092, 0.105, 1)
PANEL: Rgba = (0.110, 0.119, 0.135, 1)
RAISED: Rgba = (0.165, 0.178, 0.200, 1)
RAISED_HOVER: Rgba = (0.215, 0.232, 0.262, 1)
LINE: Rgba = (0.195, 0.208, 0.232, 1)
FLOAT: Rgba = (0.095, 0.103, 0.118, 0.95)


def _accent(alpha: float) -> Rgba:
    return (*ACCENT[:3], alpha)


COLOURS: dict[str, Rgba] = {
    "text": TEXT, "text_disabled": DIM, "window_bg": PANEL, "child_bg": CLEAR, "popup_bg": FLOAT,
    "border": LINE, "border_shadow": CLEAR, "separator": LINE, "separator_hovered": _accent(0.5),
    "separator_active": ACCENT, "frame_bg": RAISED, "frame_bg_hovered": RAISED_HOVER,
    "frame_bg_active": RAISED_HOVER, "button": RAISED, "button_hovered": RAISED_HOVER,
    "button_active": _accent(0.45), "header": RAISED, "header_hovered": RAISED_HOVER,
    "header_active": _accent(0.45), "title_bg": GROUND, "title_bg_active": GROUND,
    "title_bg_collapsed": GROUND, "menu_bar_bg": GROUND, "tab": GROUND, "tab_hovered": RAISED_HOVER,
    "tab_selected": PANEL, "tab_dimmed": GROUND, "tab_dimmed_selected": PANEL,
    "tab_selected_overline": ACCENT, "tab_dimmed_selected_overline": _accent(0.4),
    "slider_grab": ACCENT, "slider_grab_active": ACCENT, "check_mark": ACCENT,
    "plot_histogram": ACCENT, "resize_grip": CLEAR, "resize_grip_hovered": _accent(0.5),
    "resize_grip_active": ACCENT, "scrollbar_bg": CLEAR, "scrollbar_grab": RAISED_HOVER,
    "docking_preview": _accent(0.4), "docking_empty_bg": CLEAR, "text_selected_bg": _accent(0.35),
    "nav_cursor": ACCENT, "table_border_light": LINE, "table_border_strong": LINE,
    "table_header_bg": GROUND, "table_row_bg_alt": (1, 1, 1, 0.02), "modal_window_dim_bg": (0, 0, 0, 0.5),
}  # fmt: skip

SPACING: dict[str, float | tuple[float, float]] = {
    "window_padding": (12, 10), "frame_padding": (8, 5), "item_spacing": (8, 6), "item_inner_spacing": (6, 4),
    "cell_padding": (6, 3), "window_rounding": 6.0, "frame_rounding": 4.0, "grab_rounding": 3.0,
    "popup_rounding": 6.0, "scrollbar_rounding": 6.0, "tab_rounding": 4.0, "scrollbar_size": 10.0,
    "window_border_size": 1.0, "frame_border_size": 0.0, "tab_bar_overline_size": 1.0,
    "docking_separator_size": 1.0, "grab_min_size": 12.0, "indent_spacing": 14.0,
}  # fmt: skip

_fonts: dict[str, imgui.ImFont] = {}


def fonts() -> dict[str, imgui.ImFont]:
    """The fonts `bold` and `mono`, once they are loaded; the default font is the sans serif."""
    return _fonts


def apply(scale: float = 1.0) -> None:
    """Give the current ImGui context its fonts, colours and spacing; `scale` for high-density screens."""
    _load_fonts()
    style = imgui.get_style()
    for name, rgba in COLOURS.items():
        style.set_color_(getattr(imgui.Col_, name), imgui.ImVec4(*rgba))
    for name, value in SPACING.items():
        setattr(style, name, imgui.ImVec2(*value) if isinstance(value, tuple) else value)
    style.window_menu_button_position = imgui.Dir.none
    style.docking_node_has_close_button = False
    style.font_size_base = FONT_SIZE
    style.font_scale_dpi = scale
    if scale != 1.0:
        style.scale_all_sizes(scale)


def _load_fonts() -> None:
    """A sans serif with icons merged in, its bold, and a monospace for numbers."""
    folder = Path(imgui_bundle.__file__).parent / "assets" / "fonts"
    atlas = imgui.get_io().fonts

    def add(file: str) -> imgui.ImFont:
        face = atlas.add_font_from_file_ttf(str(folder / file), FONT_SIZE)
        icons = imgui.ImFontConfig()
        icons.merge_mode = True
        atlas.add_font_from_file_ttf(str(folder / "Font_Awesome_6_Free-Solid-900.otf"), ICON_SIZE, icons)
        return face

    add("Roboto/Roboto-Regular.ttf")
    _fonts["bold"] = add("Roboto/Roboto-Bold.ttf")
    _fonts["mono"] = atlas.add_font_from_file_ttf(str(folder / "Inconsolata-Medium.ttf"), FONT_SIZE)
