"""Images as textures of ImGui, by name; the pixels may change from frame to frame."""

from __future__ import annotations

from typing import Any

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
# textures of one window by name, each with the pixels that it has
Textures = dict[object, tuple[Any, Pixels]]

# textures that the renderer is to free, with the context of their window
_dropped: list[tuple[Any, Any]] = []


def image_texture(textures: Textures, name: object, pixels: Pixels) -> Any:
    """The texture of a name, with these RGBA pixels; pixels of another size get another texture."""
    _release()
    texture, shown = textures.get(name, (None, pixels))
    if texture is None or shown.shape != pixels.shape:
        _drop(texture)
        texture, shown = _made(pixels), pixels
    elif shown is not pixels and texture.status == imgui.ImTextureStatus.ok:
        texture.get_pixels_array()[:] = pixels.ravel()
        whole = imgui.ImTextureRect()
        whole.w, whole.h = pixels.shape[1], pixels.shape[0]
        texture.updates.clear()
        texture.updates.push_back(whole)
        texture.set_status(imgui.ImTextureStatus.want_updates)
        shown = pixels
    textures[name] = texture, shown
    return texture


def keep_textures(textures: Textures, names: set[object]) -> None:
    """Give back all others."""
    for name in textures.keys() - names:
        _drop(textures.pop(name)[0])


def _made(pixels: Pixels) -> Any:
    texture = imgui.ImTextureData()
    texture.create(imgui.ImTextureFormat.rgba32, pixels.shape[1], pixels.shape[0])
    texture.get_pixels_array()[:] = pixels.ravel()
    texture.use_colors, texture.ref_count = True, 1
    texture.set_status(imgui.ImTextureStatus.want_create)
    imgui.internal.register_user_texture(texture)
    return texture


def _drop(texture: Any) -> None:
    """Let the renderer free it with this frame; ImGui points to it until then."""
    if texture is not None:
        texture.set_status(imgui.ImTextureStatus.want_destroy)
        _dropped.append((imgui.get_current_context(), texture))


def _release() -> None:
    """Forget the textures of this window that the renderer has freed."""
    context = imgui.get_current_context()
    for entry in [*_dropped]:
        if entry[0] is context and entry[1].status == imgui.ImTextureStatus.destroyed:
            imgui.internal.unregister_user_texture(entry[1])
            _dropped.remove(entry)
