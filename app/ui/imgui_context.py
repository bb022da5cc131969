"""The contexts of a window's ImGui: docking, the saved layout of panels, time and double-clicks.

Each window has contexts of its own; functions here are for those of the window whose turn it is (`turns.py`).
"""

from __future__ import annotations

from imgui_bundle import imgui, implot

from app.files import config
from app.ui import layout_text, theme

# a new major layout of panels starts from its own default
LAYOUT_FILE = "layout-3.ini"
# a broken layout fails within these frames
FIRST_FRAMES = 10
DOUBLE_CLICK_SECONDS = 0.3


class Contexts:
    """ImGui, ImPlot and the look of one window."""

    def __init__(self) -> None:
        self._imgui: imgui.internal.Context | None = None
        self._implot: implot.internal.Context | None = None
        self._look = theme.Look()

    def use(self) -> None:
        """Make them current; at first with the layout that the user left."""
        if self._imgui is None or self._implot is None:
            self._create()
        else:
            imgui.set_current_context(self._imgui)
            implot.set_current_context(self._implot)
        theme.use(self._look)

    def destroy(self) -> None:
        """Destroy them."""
        implot.destroy_context(self._implot)
        imgui.destroy_context(self._imgui)
        theme.use(theme.Look())

    def _create(self) -> None:
        self._imgui = imgui.create_context()
        imgui.set_current_context(self._imgui)
        self._implot = implot.create_context()
        implot.set_current_context(self._implot)
        io = imgui.get_io()
        io.config_flags |= imgui.ConfigFlags_.docking_enable
        # the window passes on no more input at once than a frame can take
        io.config_input_trickle_event_queue = False
        io.config_windows_move_from_title_bar_only = True
        io.set_ini_filename("")
        imgui.load_ini_settings_from_memory(config.read(LAYOUT_FILE, layout_text.fault))


def save_layout(text: str) -> None:
    """Save the layout of panels; ImGui itself would leave half a file behind on a full disk."""
    config.write(LAYOUT_FILE, text)
    imgui.get_io().want_save_ini_settings = False


def set_layout_aside(error: RuntimeError) -> None:
    """Move a layout that ImGui cannot load out of the way: it would end every start."""
    if "IM_ASSERT" in str(error) and imgui.get_frame_count() <= FIRST_FRAMES:
        config.set_aside(LAYOUT_FILE, str(error))


def allow_slow_clicks(frame_seconds: float) -> None:
    """Give a double-click more time by that of a frame: the second click may have come while one was drawn."""
    io = imgui.get_io()
    io.mouse_double_click_time = DOUBLE_CLICK_SECONDS + frame_seconds
    io.mouse_single_click_delay = 1.5 * io.mouse_double_click_time
