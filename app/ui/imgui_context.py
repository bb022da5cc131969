"""The ImGui context: docking, the saved layout of panels, time and double-clicks."""

from __future__ import annotations

from imgui_bundle import imgui, implot

from app.files import config
from app.ui import layout_text

# a new major layout of panels starts from its own default
LAYOUT_FILE = "layout-3.ini"
# a broken layout fails within these frames
FIRST_FRAMES = 10
DOUBLE_CLICK_SECONDS = 0.3


def create() -> None:
    """Create the contexts of ImGui and ImPlot, with the layout that the user left."""
    imgui.create_context()
    implot.create_context()
    io = imgui.get_io()
    io.config_flags |= imgui.ConfigFlags_.docking_enable
    # the window passes on no more input at once than a frame can take
    io.config_input_trickle_event_queue = False
    io.config_windows_move_from_title_bar_only = True
    io.set_ini_filename("")
    imgui.load_ini_settings_from_memory(config.read(LAYOUT_FILE, layout_text.fault))


def destroy() -> None:
    """Destroy both contexts."""
    implot.destroy_context()
    imgui.destroy_context()


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
