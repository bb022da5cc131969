"""GL contexts and what is made directly in them: shader programs and picture targets.

Two ways to a context: the one of a window that is already current, or one without a screen on EGL. Shaders
are files in `shaders/`, read once; a line `#include "name"` is replaced by that file, and defines go after `#version`.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from app.files.resources import folder
from sim.user_error import UserError

GL_VERSION = 330
# variants of shaders that are kept; a picture needs five to twenty
MAX_PROGRAMS = 32
# how many laps later the time of a lap is asked for: by then the device has drawn it
QUERY_LATENCY = 1
SOFTWARE = ("llvmpipe", "softpipe", "SwiftShader")
_INCLUDE = re.compile(r'^#include "(.+)"$', re.MULTILINE)
_VERSION = re.compile(r"^#version .*$", re.MULTILINE)

# vertex shader, fragment shader, defines
Variant = tuple[str, str, tuple[str, ...]]


class DeviceError(UserError):
    """No usable OpenGL; the message says what is missing."""


def window_context() -> moderngl.Context:
    """The context of the window that is current on this thread."""
    return moderngl.create_context(require=GL_VERSION)


def offscreen_context() -> moderngl.Context:
    """A context that needs no screen."""
    try:
        return moderngl.create_context(standalone=True, backend="egl", require=GL_VERSION)  # type: ignore[arg-type]
    except Exception as error:
        raise DeviceError(
            "pictures without a screen need EGL and OpenGL 3.3; on Debian or Ubuntu: "
            f"apt-get install libegl1 libgl1 libgl1-mesa-dri ({error})"
        ) from error


def shader_files() -> dict[str, str]:
    """All shader files as they are now, by their names in the folder."""
    top = folder("shaders")
    files = (file for kind in ("vert", "frag", "glsl") for file in top.rglob(f"*.{kind}"))
    return {file.relative_to(top).as_posix(): file.read_text(encoding="utf-8") for file in files}


# a file that is changed while the program runs does not get into half of the pictures
_files = cache(shader_files)


def shader_source(name: str, defines: tuple[str, ...] = (), files: Mapping[str, str] | None = None) -> str:
    """The text of a shader file with its includes and defines in place; KeyError names a file that is missing."""
    files = _files() if files is None else files
    text = _INCLUDE.sub(lambda found: files[found[1]], files[name])
    extra = "".join(f"#define {define}\n" for define in defines)
    # the version has to be the first line that is no comment
    version = _VERSION.search(text)
    if version is None:
        raise DeviceError(f"{name} names no GLSL version")
    return f"{version[0]}\n{extra}{text[: version.start()]}{text[version.end() + 1 :]}"


def program(
    context: moderngl.Context,
    vertex: str,
    fragment: str,
    defines: tuple[str, ...] = (),
    files: Mapping[str, str] | None = None,
) -> moderngl.Program:
    """Compile and link two shader files, as they were at the start or as given."""
    try:
        return context.program(
            vertex_shader=shader_source(vertex, defines, files), fragment_shader=shader_source(fragment, defines, files)
        )
    except KeyError as missing:
        raise DeviceError(f"shaders {vertex} and {fragment}: there is no file {missing}") from missing
    except moderngl.Error as error:
        raise DeviceError(f"shaders {vertex} and {fragment}: {error}") from error


def shader_fault(context: moderngl.Context, variants: Iterable[Variant]) -> str:
    """Why these could not be made of the shader files as they are on disk now; empty if they could."""
    try:
        files = shader_files()
        for variant in variants:
            program(context, *variant, files).release()
    except (DeviceError, OSError, ValueError) as error:
        return str(error).strip()
    return ""


def set_uniforms(target: moderngl.Program, values: dict[str, Any]) -> None:
    """Set the uniforms by name; those that the compiler found unused are passed over."""
    for name, value in values.items():
        uniform: Any = target.get(name, None)
        if uniform is None:
            continue
        if isinstance(value, np.ndarray):
            # compilers may cut unused elements off the end of an array
            used = value.size if value.ndim == 1 else uniform.array_length * uniform.dimension
            uniform.write(np.ascontiguousarray(value, dtype=np.float32).ravel()[:used].tobytes())
        else:
            uniform.value = value


def is_software(context: moderngl.Context) -> bool:
    """Whether the processor does the drawing."""
    return any(name in context.info["GL_RENDERER"] for name in SOFTWARE)


def finish_without_gil(context: moderngl.Context) -> Callable[[], None]:
    """A wait for all drawing so far that lets other threads run; nothing at all where a GPU draws.

    moderngl keeps the GIL during its calls, and those of a software renderer block until pixels are ready:
    the simulation thread then waited up to 150 ms for it and ran at 0.86 of real time, with these waits
    between passes at 1.00.
    """
    library = ctypes.util.find_library("GL") if is_software(context) else None
    if library is None:
        return lambda: None
    finish = ctypes.CDLL(library).glFinish
    finish.restype, finish.argtypes = None, []
    return lambda: finish()


def unbind_framebuffer(context: moderngl.Context) -> None:
    """Before releasing a framebuffer: moderngl would bind it again after making the next one."""
    (context.screen or context.detect_framebuffer(0)).use()


class GpuTimer:
    """How long the device takes for what is drawn inside, beside the processor that asks for it.

    moderngl waits for the answer with the GIL held, so the time of a lap is asked for `QUERY_LATENCY` laps later.
    """

    def __init__(self, context: moderngl.Context) -> None:
        # the lap that comes, then those that were kept, the oldest first
        self._laps: deque[Any] = deque(context.query(time=True) for _ in range(QUERY_LATENCY + 2))
        self._kept = 0

    @property
    def seconds(self) -> float:
        """Of the oldest lap in memory; 0 while there are too few."""
        return 1e-9 * float(self._laps[1].elapsed) if self._kept > QUERY_LATENCY else 0.0

    def commit(self) -> None:
        """Let the last lap count; one that is not kept is measured over by the next."""
        self._laps.rotate(-1)
        self._kept += 1

    def __enter__(self) -> None:
        self._laps[0].__enter__()

    def __exit__(self, *error: object) -> None:
        self._laps[0].__exit__(*error)


class Programs:
    """Shader programs by name and defines, compiled when first asked for, the latest ones kept."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._items: dict[Variant, moderngl.Program] = {}
        # asked for since the last clean-up
        self._needed: set[int] = set()

    def get(self, vertex: str, fragment: str, *defines: str) -> moderngl.Program:
        """The program of two shader files, in the variant of the given defines."""
        key = (vertex, fragment, defines)
        found = self._items.pop(key, None) or program(self._context, vertex, fragment, defines)
        self._items[key] = found
        self._needed.add(found.glo)
        return found

    @property
    def variants(self) -> tuple[Variant, ...]:
        """What is kept."""
        return tuple(self._items)

    def clean_up(self) -> list[int]:
        """Forget what was not asked for longest, but nothing asked for since the last time; returns their GL names."""
        spare = len(self._items) - max(MAX_PROGRAMS, len(self._needed))
        self._needed.clear()
        forgotten = []
        for key in list(self._items)[: max(spare, 0)]:
            item = self._items.pop(key)
            forgotten.append(item.glo)
            item.release()
        return forgotten

    def release(self) -> None:
        """Give the memory back."""
        for item in self._items.values():
            item.release()
        self._items.clear()


class RenderTexture:
    """A target in memory, of eight bits a channel, that can be read back."""

    def __init__(self, context: moderngl.Context, size: tuple[int, int]) -> None:
        self.size = size
        self._context = context
        self._texture = context.texture(size, 4)
        self.framebuffer = context.framebuffer([self._texture])

    def pixels(self) -> NDArray[np.uint8]:
        """Rows from top to bottom, RGB."""
        raw = self.framebuffer.read(components=3, alignment=1)
        flipped = np.frombuffer(raw, dtype=np.uint8).reshape(self.size[1], self.size[0], 3)
        return flipped[::-1].copy()

    def release(self) -> None:
        """Give the memory back."""
        unbind_framebuffer(self._context)
        self.framebuffer.release()
        self._texture.release()


def read_screen(context: moderngl.Context, size: tuple[int, int], box: tuple[int, int, int, int]) -> NDArray[np.uint8]:
    """A rectangle, from the lower left, of what is drawn in a window of a size: rows from top to bottom, RGB."""
    # moderngl reads the window itself from an attachment that it does not have
    picture = RenderTexture(context, size)
    context.copy_framebuffer(picture.framebuffer, context.screen)
    raw = picture.framebuffer.read(viewport=box, components=3, alignment=1)
    picture.release()
    return np.frombuffer(raw, dtype=np.uint8).reshape(box[3], box[2], 3)[::-1]
