"""Reads draw lists and textures of the current ImGui context as bytes, for a renderer elsewhere."""

from __future__ import annotations

import ctypes
from collections import Counter
from typing import Any

import numpy as np
from imgui_bundle import imgui

from app.web.live.panels import PanelList, Textures

COMMAND = np.dtype([("clip", "<f4", 4), ("texture", "<u4"), ("count", "<u4"), ("first", "<u4"), ("vertex", "<u4")])
WIDE = 1 << 16


def panel_lists(data: imgui.ImDrawData) -> tuple[PanelList, ...]:
    """The draw lists of a frame, in their order, by the names of their windows."""
    known: Counter[str] = Counter()
    found = []
    for part in data.cmd_lists:
        name = str(part._owner_name)
        known[name] += 1
        found.append(_list(part, f"{name} {known[name]}"))
    return tuple(item for item in found if item.commands)


def _list(part: Any, name: str) -> PanelList:
    vertices = _memory(part.vtx_buffer, imgui.VERTEX_SIZE)
    indices = np.frombuffer(_memory(part.idx_buffer, imgui.INDEX_SIZE), f"<u{imgui.INDEX_SIZE}")
    wide = len(vertices) // imgui.VERTEX_SIZE >= WIDE
    commands = np.array(
        [
            (tuple(command.clip_rect), command.tex_ref.get_tex_id(), command.elem_count, command.idx_offset,
             command.vtx_offset)
            for command in part.cmd_buffer
            if command.elem_count
        ],
        COMMAND,
    )  # fmt: skip
    return PanelList(name, commands.tobytes(), vertices, indices.astype("<u4" if wide else "<u2").tobytes(), wide)


def _memory(vector: Any, item_bytes: int) -> bytes:
    """The bytes of one of ImGui's vectors."""
    return ctypes.string_at(vector.data_address(), vector.size() * item_bytes) if vector.size() else b""


def take_textures(textures: Textures) -> None:
    """Do what ImGui asks for its textures."""
    status = imgui.ImTextureStatus
    for source in imgui.get_platform_io().textures:
        if source.status == status.want_create:
            source.set_tex_id(textures.create(_pixels(source)))
            source.set_status(status.ok)
        elif source.status == status.want_updates:
            blocks = [(r.x, r.y, r.w, r.h) for r in source.updates]
            textures.update(int(source.tex_id), _pixels(source), blocks)
            source.set_status(status.ok)
        elif source.status == status.want_destroy:
            textures.destroy(int(source.tex_id))
            source.set_tex_id(0)
            source.set_status(status.destroyed)


def release_textures() -> None:
    """ImGui's context ends: what it has alone is gone."""
    for source in imgui.get_platform_io().textures:
        if source.ref_count == 1:
            source.set_tex_id(0)
            source.set_status(imgui.ImTextureStatus.destroyed)


def _pixels(source: imgui.ImTextureData) -> Any:
    return source.get_pixels_array().reshape(source.height, source.width, 4)
