"""The panel Cameras: what cameras see, in colours, as depth or as segmentation; several at once.

Pictures fill the panel: make it larger, or drag its tab over the view. They are rendered only while they are in sight.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from imgui_bundle import icons_fontawesome_6 as icons
from imgui_bundle import imgui

from app.instruments.cameras.state import MOST, CameraPicture, CamerasState, save_picture
from app.model.views import ModelView
from app.render.capture.camera_pictures import NEAR_TO_FAR, SHOWS, CameraImage
from app.render.capture.offscreen import DEPTH, SEGMENTATION
from app.run.commands import Send
from app.run.snapshot import Snapshot
from app.scene.camera import FREE_CAMERA, camera_aspect
from app.ui import theme
from app.ui.image_texture import image_texture, keep_textures
from app.ui.widgets import button, caption, disabled, em, icon_button, note, pick, show_tooltip, tooltip
from app.view.view_state import ViewState
from sim.analysis.element_names import described, element_name

# the smallest picture, and the height of the scale of depths
LEAST_EM, SCALE_EM = 8.0, 1.5
# sizes in pixels are multiples of this, and at most so many
STEP, LARGEST = 16, 1280
NO_CAMERAS = "This model has no cameras of its own, but the free camera can be shown here."
HINTS = {"colour": "as in the view", "depth": "distance from the camera plane", "segmentation": "which element"}


def cameras_panel(snapshot: Snapshot, view: ViewState, _: Send) -> None:
    """Add a picture, and all that are open."""
    model, pictures = snapshot.model, view.of(CamerasState)
    if model is None:
        caption("no model")
        return
    shown = pictures.begin(model.ncam)
    if not model.ncam and not shown:
        note(NO_CAMERAS)
    label = f"{icons.ICON_FA_PLUS}  Add a picture" if model.ncam or shown else "Show the free camera"
    if button(label, f"from the next camera; at most {MOST}", len(shown) < MOST):
        pictures.add(model.ncam)
    if shown:
        depths = any(picture.shows == DEPTH for picture in shown)
        columns, width = _fit([camera_aspect(model, picture.camera) for picture in shown], depths)
        left = imgui.get_cursor_pos_x()
        for index, picture in enumerate(shown):
            if index % columns:
                imgui.same_line(left + (index % columns) * (width + imgui.get_style().item_spacing.x))
            imgui.begin_group()
            imgui.push_id(index)
            _picture(model, view, picture, width)
            imgui.pop_id()
            imgui.end_group()
    keep_textures(pictures.textures, {id(picture) for picture in pictures.open or ()})


def _fit(aspects: Sequence[float], depths: bool) -> tuple[int, float]:
    """How many columns, and how wide, so that the pictures are as large as possible; they scroll if that is small."""
    room, style = imgui.get_content_region_avail(), imgui.get_style()
    gap, extra = style.item_spacing.x, imgui.get_frame_height_with_spacing() + (em(SCALE_EM) if depths else 0.0)
    extra += style.item_spacing.y
    best = (1, 0.0)
    for columns in range(1, len(aspects) + 1):
        rows = math.ceil(len(aspects) / columns)
        across = (room.x - (columns - 1) * gap) / columns
        down = (room.y / rows - extra) * min(aspects)
        best = max(best, (columns, min(across, down)), key=lambda found: found[1])
    columns, width = best
    least = min(em(LEAST_EM), room.x)
    return (columns, width) if width > least else (max(int(room.x / (least + gap)), 1), least)


def _picture(model: ModelView, view: ViewState, picture: CameraPicture, width: float) -> None:
    """A line of choices, the picture, and the scale of a depth."""
    name = _name(model, picture.camera)
    _choices(model, view, picture, width, name)
    height = width / camera_aspect(model, picture.camera)
    corner = imgui.get_cursor_screen_pos()
    x, y = corner.x, corner.y
    pressed = imgui.invisible_button("##picture", (max(width, 1.0), max(height, 1.0)))
    if not imgui.is_item_visible():
        return
    picture.wanted = _pixels(width, height)
    draw, image = imgui.get_window_draw_list(), picture.image
    if image is None:
        draw.add_rect_filled((x, y), (x + width, y + height), imgui.get_color_u32(theme.RAISED))
        tooltip(f"{name}: waiting to be rendered")
        return
    texture = image_texture(view.of(CamerasState).textures, id(picture), image.pixels)
    draw.add_image(texture.get_tex_ref(), (x, y), (x + width, y + height))
    if image.shows == DEPTH:
        _scale(image, width)
    if imgui.is_mouse_hovering_rect((x, y), (x + width, y + height)) and imgui.is_window_hovered():
        mouse = imgui.get_io().mouse_pos
        rows, columns = image.pixels.shape[:2]
        row, column = int((mouse.y - y) / height * rows), int((mouse.x - x) / width * columns)
        _under_pointer(model, view, image, min(max(row, 0), rows - 1), min(max(column, 0), columns - 1), name, pressed)


def _choices(model: ModelView, view: ViewState, picture: CameraPicture, width: float, name: str) -> None:
    """Camera, what is shown, save, close."""
    cameras = [(camera, _name(model, camera), "") for camera in range(FREE_CAMERA, model.ncam)]
    side = imgui.get_frame_height()
    rest = max(width - 2 * side - 3 * em(0.3), em(2))
    imgui.push_style_var(imgui.StyleVar_.item_spacing, (em(0.3), imgui.get_style().item_spacing.y))
    # without an arrow there is room for more letters
    camera = pick("##camera", name, lambda: cameras, picture.camera, f"camera: {name}", rest / 2, arrow=False)
    picture.camera = camera if camera is not None else picture.camera
    imgui.same_line()
    ways, hint = [(shows, shows, "") for shows in SHOWS], "\n".join(f"{shows}: {hint}" for shows, hint in HINTS.items())
    picture.shows = pick("##shows", picture.shows, lambda: ways, picture.shows, hint, rest / 2, False) or picture.shows
    imgui.same_line()
    scale = side / em(1)
    with disabled(picture.image is None):
        hint = "save this picture as png; depth and segmentation also as numbers, npy"
        if icon_button(icons.ICON_FA_DOWNLOAD, "save", hint, width=scale) and picture.image is not None:
            save_picture(picture.image, name, view.feedback)
    imgui.same_line()
    if icon_button(icons.ICON_FA_XMARK, "close", "close this picture", width=scale) and (
        pictures := view.of(CamerasState).open
    ):
        pictures.remove(picture)
    imgui.pop_style_var()


def _scale(image: CameraImage, width: float) -> None:
    """A strip of colours with the depths at its ends."""
    near, far = (f"{depth:.3g} m" for depth in image.scale)
    start, end = (imgui.calc_text_size(text).x + em(0.4) for text in (near, far))
    caption(near)
    imgui.same_line(0, 0)
    place, draw = imgui.get_cursor_screen_pos(), imgui.get_window_draw_list()
    left, right, parts = place.x - start + start + em(0.4), place.x - start + width - end, len(NEAR_TO_FAR) - 1
    top, bottom = place.y + em(0.3), place.y + em(0.75)
    for part in range(parts):
        ends = [imgui.get_color_u32((*NEAR_TO_FAR[k], 1.0)) for k in (part, part + 1)]
        low, high = (left + (right - left) * k / parts for k in (part, part + 1))
        draw.add_rect_filled_multi_color((low, top), (high, bottom), ends[0], ends[1], ends[1], ends[0])
    imgui.same_line(0, max(right - place.x + em(0.4), 0.0))
    caption(far)


def _under_pointer(
    model: ModelView, view: ViewState, image: CameraImage, row: int, column: int, name: str, pressed: bool
) -> None:
    """What the pixel under the pointer shows; a click on a segment selects it."""
    rows, columns = image.pixels.shape[:2]
    text = f"{name}: {columns} x {rows} pixels"
    if image.shows == DEPTH and image.values is not None:
        depth, (near, far) = float(image.values[row, column]), image.scale
        there = f"{depth:.4g} m" if math.isfinite(depth) else "nothing"
        text = f"{there}\nlogarithmic scale: bright is {near:.3g} m, dark is {far:.3g} m or more"
    elif image.shows == SEGMENTATION:
        found = image.element(row, column)
        text = f"{described(model, *found)}\nclick to select it" if found else "nothing"
        if pressed and found is not None:
            view.select(*found)
    show_tooltip(text)


def _name(model: ModelView, camera: int) -> str:
    return "Free camera" if camera == FREE_CAMERA else element_name(model, "camera", camera)


def _pixels(width: float, height: float) -> tuple[int, int]:
    """Pixels of a picture of a size on the screen; a panel that is being resized does not need another at each step."""
    scale = imgui.get_io().display_framebuffer_scale
    across = min(max(round(width * scale.x / STEP), 1) * STEP, LARGEST)
    return across, max(round(across * height / max(width, 1.0)), 1)
