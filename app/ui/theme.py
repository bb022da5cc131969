"""Fonts, colours and spacing: dark and light palettes with one accent colour; red for errors, amber for warnings.

Colours are attributes of this module, such as `theme.TEXT`, and follow the palette applied last. Each ImGui context has
a look of its own; `use` makes it the current one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import imgui_bundle
from imgui_bundle import imgui, implot

from app.ui.system_fonts import system_fonts

Rgba = tuple[float, float, float, float]

FONT_SIZE = 15.0
ICON_SIZE = 13.0

DARK: dict[str, Rgba] = {
    "CLEAR": (0, 0, 0, 0),
    "TEXT": (0.87, 0.88, 0.90, 1),
    "DIM": (0.55, 0.58, 0.63, 1),
    "ACCENT": (0.36, 0.66, 0.96, 1),
    "ERROR": (0.94, 0.38, 0.34, 1),
    "WARNING": (0.95, 0.68, 0.26, 1),
    "ADDED": (0.48, 0.78, 0.45, 1),
    "CONTACT": (0.24, 0.62, 0.62, 1),
    "WAKE": (0.76, 0.55, 0.90, 1),
    "BREAKPOINT": (0.96, 0.45, 0.65, 1),
    "BACKGROUND": (0.085, 0.092, 0.105, 1),
    "PANEL": (0.110, 0.119, 0.135, 1),
    "RAISED": (0.165, 0.178, 0.200, 1),
    "RAISED_HOVER": (0.215, 0.232, 0.262, 1),
    "LINE": (0.195, 0.208, 0.232, 1),
    "FLOAT": (0.095, 0.103, 0.118, 1),
    "STRIPE": (1, 1, 1, 0.02),
}
LIGHT: dict[str, Rgba] = {
    "CLEAR": (0, 0, 0, 0),
    "TEXT": (0.13, 0.14, 0.16, 1),
    "DIM": (0.40, 0.42, 0.46, 1),
    "ACCENT": (0.08, 0.42, 0.78, 1),
    "ERROR": (0.78, 0.16, 0.13, 1),
    "WARNING": (0.72, 0.44, 0.02, 1),
    "ADDED": (0.10, 0.48, 0.16, 1),
    "CONTACT": (0.16, 0.56, 0.57, 1),
    "WAKE": (0.52, 0.26, 0.70, 1),
    "BREAKPOINT": (0.78, 0.10, 0.42, 1),
    "BACKGROUND": (0.835, 0.845, 0.860, 1),
    "PANEL": (0.925, 0.930, 0.940, 1),
    "RAISED": (0.845, 0.855, 0.872, 1),
    "RAISED_HOVER": (0.785, 0.800, 0.825, 1),
    "LINE": (0.765, 0.780, 0.800, 1),
    "FLOAT": (0.955, 0.960, 0.968, 1),
    "STRIPE": (0, 0, 0, 0.025),
}

# ImGui's colours in terms of the palette's; a number is the opacity
COLOURS: dict[str, str | tuple[str, float]] = {
    "text": "TEXT", "text_disabled": "DIM", "window_bg": "PANEL", "child_bg": "CLEAR", "popup_bg": "FLOAT",
    "border": "LINE", "border_shadow": "CLEAR", "separator": "LINE", "separator_hovered": ("ACCENT", 0.5),
    "separator_active": "ACCENT", "frame_bg": "RAISED", "frame_bg_hovered": "RAISED_HOVER",
    "frame_bg_active": "RAISED_HOVER", "button": "RAISED", "button_hovered": "RAISED_HOVER",
    "button_active": ("ACCENT", 0.45), "header": ("ACCENT", 0.25), "header_hovered": "RAISED_HOVER",
    "header_active": ("ACCENT", 0.45), "title_bg": "BACKGROUND", "title_bg_active": "BACKGROUND",
    "title_bg_collapsed": "BACKGROUND", "menu_bar_bg": "BACKGROUND", "tab": "BACKGROUND", "tab_hovered": "RAISED_HOVER",
    "tab_selected": "PANEL", "tab_dimmed": "BACKGROUND", "tab_dimmed_selected": "PANEL",
    "tab_selected_overline": "ACCENT", "tab_dimmed_selected_overline": ("ACCENT", 0.4),
    "slider_grab": ("ACCENT", 0.45), "slider_grab_active": ("ACCENT", 0.6), "check_mark": "ACCENT",
    "checkbox_selected_bg": "RAISED", "text_link": "ACCENT", "input_text_cursor": "TEXT", "tree_lines": "LINE",
    "scrollbar_grab_hovered": "DIM", "scrollbar_grab_active": "DIM", "table_row_bg": "CLEAR",
    "drag_drop_target": "ACCENT", "drag_drop_target_bg": ("ACCENT", 0.2), "unsaved_marker": "ACCENT",
    "nav_windowing_highlight": "ACCENT", "nav_windowing_dim_bg": ("BACKGROUND", 0.5),
    "plot_histogram_hovered": "ACCENT", "plot_lines_hovered": "ACCENT",
    "plot_histogram": "ACCENT", "plot_lines": "ACCENT", "resize_grip": "CLEAR",
    "resize_grip_hovered": ("ACCENT", 0.5), "resize_grip_active": "ACCENT", "scrollbar_bg": "CLEAR",
    "scrollbar_grab": "RAISED_HOVER", "docking_preview": ("ACCENT", 0.4), "docking_empty_bg": "CLEAR",
    "text_selected_bg": ("ACCENT", 0.35), "nav_cursor": "ACCENT", "table_border_light": "LINE",
    "table_border_strong": "LINE", "table_header_bg": "BACKGROUND", "table_row_bg_alt": "STRIPE",
    "modal_window_dim_bg": ("BACKGROUND", 0.5),
}  # fmt: skip

PLOT_COLOURS = {
    "frame_bg": "CLEAR", "plot_bg": "BACKGROUND", "axis_grid": "LINE", "axis_tick": "LINE", "axis_text": "DIM",
    "legend_bg": "FLOAT", "legend_border": "LINE", "legend_text": "TEXT", "inlay_text": "TEXT", "title_text": "TEXT",
}  # fmt: skip

SPACING: dict[str, float | tuple[float, float]] = {
    "window_padding": (12, 10), "frame_padding": (8, 5), "item_spacing": (8, 6), "item_inner_spacing": (6, 4),
    "cell_padding": (6, 3), "window_rounding": 6.0, "frame_rounding": 4.0, "grab_rounding": 3.0,
    "popup_rounding": 6.0, "scrollbar_rounding": 6.0, "tab_rounding": 4.0, "scrollbar_size": 10.0,
    "window_border_size": 1.0, "frame_border_size": 0.0, "tab_bar_overline_size": 1.0, "tab_min_width_shrink": 60.0,
    "docking_separator_size": 1.0, "grab_min_size": 12.0, "indent_spacing": 14.0,
}  # fmt: skip


@dataclass
class Look:
    """Fonts and colours of one ImGui context."""

    fonts: dict[str, imgui.ImFont] = field(default_factory=dict)
    # characters already searched for, found or not
    searched: set[str] = field(default_factory=set)
    # system fonts merged into ours
    merged: set[Path] = field(default_factory=set)
    palette: dict[str, Rgba] = field(default_factory=DARK.copy)


_look = Look()


def use(look: Look) -> None:
    """Make this the look of what is drawn from now on."""
    global _look
    _look = look


def __getattr__(name: str) -> Rgba:
    """A colour of the current palette."""
    if name in _look.palette:
        return _look.palette[name]
    raise AttributeError(f"the theme has no colour {name}")


def fonts() -> dict[str, imgui.ImFont]:
    """The fonts `sans` (the default), `bold`, `italic` and `mono`, once loaded."""
    return _look.fonts


def ensure_glyphs(*texts: str) -> None:
    """Load glyphs for texts from outside: what our fonts lack is merged from system fonts, if there are any."""
    missing = {char for text in texts if not text.isascii() for char in text if char.isprintable()} - _look.searched
    _look.searched.update(missing)
    while missing := {char for char in missing if not _look.fonts["sans"].is_glyph_in_font(ord(char))}:
        file = next((file for file in system_fonts() if file not in _look.merged), None)
        if file is None:
            return
        _look.merged.add(file)
        for face in _look.fonts.values():
            _merge(face, file)


def ensure_typed_glyphs() -> None:
    """Load glyphs for text typed or pasted into the active field."""
    field = imgui.internal.get_input_text_state(imgui.internal.get_active_id())
    if field is not None:
        ensure_glyphs(field.get_text())


def unload() -> None:
    """Forget the fonts when their ImGui context ends."""
    for cache in (_look.fonts, _look.searched, _look.merged):
        cache.clear()


def load() -> None:
    """Load the fonts into the current ImGui context."""
    folder = Path(imgui_bundle.__file__).parent / "assets" / "fonts"
    atlas = imgui.get_io().fonts

    # sans comes first: it is the default
    files = {
        "sans": "Roboto/Roboto-Regular.ttf",
        "bold": "Roboto/Roboto-Bold.ttf",
        "mono": "Inconsolata-Medium.ttf",
        "italic": "Roboto/Roboto-RegularItalic.ttf",
    }
    for name, file in files.items():
        _look.fonts[name] = atlas.add_font_from_file_ttf(str(folder / file), FONT_SIZE)
    for name in ("sans", "bold", "italic"):
        _merge(_look.fonts[name], folder / "Font_Awesome_6_Free-Solid-900.otf", ICON_SIZE)
    # mono has neither Greek nor Cyrillic
    _merge(_look.fonts["mono"], folder / files["sans"])


def _merge(face: imgui.ImFont, file: Path, size: float = FONT_SIZE) -> None:
    """Merge glyphs that a font lacks from a file."""
    config = imgui.ImFontConfig()
    config.merge_mode, config.dst_font = True, face
    imgui.get_io().fonts.add_font_from_file_ttf(str(file), size, config)


def apply(scale: float = 1.0, light: bool = False) -> None:
    """Set colours and spacing of the current ImGui context; `scale` for high-DPI screens and larger text."""
    if not _look.fonts:
        load()
    _look.palette.update(LIGHT if light else DARK)
    style = imgui.get_style()
    for name, value in COLOURS.items():
        ours, alpha = (value, None) if isinstance(value, str) else value
        red, green, blue, own = _look.palette[ours]
        style.set_color_(getattr(imgui.Col_, name), imgui.ImVec4(red, green, blue, own if alpha is None else alpha))
    # whole pixels, as with ImGui's own scaling
    for name, size in SPACING.items():
        if isinstance(size, tuple):
            setattr(style, name, imgui.ImVec2(*(int(part * scale) for part in size)))
        else:
            setattr(style, name, float(int(size * scale)))
    style.window_menu_button_position = imgui.Dir.none
    style.docking_node_has_close_button = False
    style.font_size_base = FONT_SIZE
    style.font_scale_dpi = scale
    if implot.get_current_context() is not None:
        plots = implot.get_style()
        (implot.style_colors_light if light else implot.style_colors_dark)()
        for name, ours in PLOT_COLOURS.items():
            plots.set_color_(getattr(implot.Col_, name), imgui.ImVec4(*_look.palette[ours]))
        plots.plot_border_size = 0.0
