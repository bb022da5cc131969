"""GL contexts, shader programs, render textures and timer queries.

A context is that of the current window, or a headless one on EGL. Shaders are files in `shaders/`, read once; a line
`#include "name"` is replaced by that file, and defines go after `#version`.
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
# shader variants that are cached; a frame needs five to twenty
MAX_PROGRAMS = 32
# a timer query is read this many frames later: by then the GPU has finished it
QUERY_LATENCY = 1
SOFTWARE = ("llvmpipe", "softpipe", "SwiftShader")
_INCLUDE = re.compile(r'^#include "(.+)"$', re.MULTILINE)
_VERSION = re.compile(r"^#version .*$", re.MULTILINE)

# vertex shader, fragment shader, defines
Variant = tuple[str, str, tuple[str, ...]]


class DeviceError(UserError):
    """OpenGL cannot be used; the message says what is missing."""


def window_context() -> moderngl.Context:
    """The context of the window that is current on this thread."""
    return moderngl.create_context(require=GL_VERSION)


def offscreen_context() -> moderngl.Context:
    """A headless context on EGL."""
    try:
        return moderngl.create_context(standalone=True, backend="egl", require=GL_VERSION)  # type: ignore[arg-type]
    except Exception as error:
        raise DeviceError(
            "rendering without a screen needs EGL and OpenGL 3.3; on Debian or Ubuntu: "
            f"apt-get install libegl1 libgl1 libgl1-mesa-dri ({error})"
        ) from error


def shader_files() -> dict[str, str]:
    """All shader files as they are on disk now, by path within the folder."""
    top = folder("shaders")
    files = (file for suffix in ("vert", "frag", "glsl") for file in top.rglob(f"*.{suffix}"))
    return {file.relative_to(top).as_posix(): file.read_text(encoding="utf-8") for file in files}


# cached: a file that changes while the program runs must not affect some of the programs and not others
_files = cache(shader_files)


def shader_source(name: str, defines: tuple[str, ...] = (), files: Mapping[str, str] | None = None) -> str:
    """The source of a shader with includes and defines in place; KeyError names a missing file."""
    files = _files() if files is None else files
    text = _INCLUDE.sub(lambda found: files[found[1]], files[name])
    extra = "".join(f"#define {define}\n" for define in defines)
    # the version has to be the first line that is not a comment
    version = _VERSION.search(text)
    if version is None:
        raise DeviceError(f"{name} has no #version line")
    return f"{version[0]}\n{extra}{text[: version.start()]}{text[version.end() + 1 :]}"


def program(
    context: moderngl.Context,
    vertex: str,
    fragment: str,
    defines: tuple[str, ...] = (),
    files: Mapping[str, str] | None = None,
) -> moderngl.Program:
    """Compile and link two shader files, as read at the start or as given."""
    try:
        return context.program(
            vertex_shader=shader_source(vertex, defines, files), fragment_shader=shader_source(fragment, defines, files)
        )
    except KeyError as missing:
        raise DeviceError(f"shaders {vertex} and {fragment}: no such file: {missing}") from missing
    except moderngl.Error as error:
        raise DeviceError(f"shaders {vertex} and {fragment}: {error}") from error


def shader_fault(context: moderngl.Context, variants: Iterable[Variant]) -> str:
    """The error of compiling these variants from the files on disk; empty if there is none."""
    try:
        files = shader_files()
        for variant in variants:
            program(context, *variant, files).release()
    except (DeviceError, OSError, ValueError) as error:
        return str(error).strip()
    return ""


def set_uniforms(target: moderngl.Program, values: dict[str, Any]) -> None:
    """Set uniforms by name; those that the compiler optimised away are skipped."""
    for name, value in values.items():
        uniform: Any = target.get(name, None)
        if uniform is None:
            continue
        if isinstance(value, np.ndarray):
            # compilers may truncate an array whose last elements are unused
            used = value.size if value.ndim == 1 else uniform.array_length * uniform.dimension
            uniform.write(np.ascontiguousarray(value, dtype=np.float32).ravel()[:used].tobytes())
        else:
            uniform.value = value


def is_software(context: moderngl.Context) -> bool:
    """Whether the CPU renders."""
    return any(name in context.info["GL_RENDERER"] for name in SOFTWARE)


def finish_without_gil(context: moderngl.Context) -> Callable[[], None]:
    """A function that waits for all drawing so far (glFinish) with the GIL released; does nothing on a GPU.

    moderngl holds the GIL during its calls, and those of a software renderer block until pixels are ready: the
    simulation thread then waited up to 150 ms and ran at 0.86 of real time; with these waits between passes, at 1.00.
    """
    library = ctypes.util.find_library("GL") if is_software(context) else None
    if library is None:
        return lambda: None
    finish = ctypes.CDLL(library).glFinish
    finish.restype, finish.argtypes = None, []
    return lambda: finish()


def unbind_framebuffer(context: moderngl.Context) -> None:
    """Call before releasing a framebuffer: moderngl would bind it again after creating the next one."""
    (context.screen or context.detect_framebuffer(0)).use()


class GpuTimer:
    """Measures GPU time of what is drawn in a `with` block, by timer queries.

    moderngl waits for a result with the GIL held, so a query is read `QUERY_LATENCY` frames later.
    """

    def __init__(self, context: moderngl.Context) -> None:
        # the next query, then the committed ones, oldest first
        self._queries: deque[Any] = deque(context.query(time=True) for _ in range(QUERY_LATENCY + 2))
        self._committed = 0

    @property
    def seconds(self) -> float:
        """Of the oldest committed query; 0 while there are too few."""
        return 1e-9 * float(self._queries[1].elapsed) if self._committed > QUERY_LATENCY else 0.0

    def commit(self) -> None:
        """Keep the last measurement; without this the next one overwrites it."""
        self._queries.rotate(-1)
        self._committed += 1

    def __enter__(self) -> None:
        self._queries[0].__enter__()

    def __exit__(self, *error: object) -> None:
        self._queries[0].__exit__(*error)


class Programs:
    """A cache of shader programs by file names and defines, compiled on first use; the oldest are evicted."""

    def __init__(self, context: moderngl.Context) -> None:
        self._context = context
        self._items: dict[Variant, moderngl.Program] = {}
        # used since the last eviction
        self._used: set[int] = set()

    def get(self, vertex: str, fragment: str, *defines: str) -> moderngl.Program:
        """The program of two shader files, in the variant given by defines."""
        key = (vertex, fragment, defines)
        found = self._items.pop(key, None) or program(self._context, vertex, fragment, defines)
        self._items[key] = found
        self._used.add(found.glo)
        return found

    @property
    def variants(self) -> tuple[Variant, ...]:
        """The cached variants."""
        return tuple(self._items)

    def evict(self) -> list[int]:
        """Release the least recently used, but none used since the last call; returns their GL names."""
        excess = len(self._items) - max(MAX_PROGRAMS, len(self._used))
        self._used.clear()
        evicted = []
        for key in list(self._items)[: max(excess, 0)]:
            item = self._items.pop(key)
            evicted.append(item.glo)
            item.release()
        return evicted

    def release(self) -> None:
        """Release GPU memory."""
        for item in self._items.values():
            item.release()
        self._items.clear()


class RenderTexture:
    """A framebuffer with an RGBA8 texture that can be read back."""

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
        """Release GPU memory."""
        unbind_framebuffer(self._context)
        self.framebuffer.release()
        self._texture.release()


def read_screen(context: moderngl.Context, size: tuple[int, int], box: tuple[int, int, int, int]) -> NDArray[np.uint8]:
    """A rectangle (x, y from the lower left) of a window of a given size: rows from top to bottom, RGB."""
    # moderngl would read the window from an attachment that it does not have
    texture = RenderTexture(context, size)
    context.copy_framebuffer(texture.framebuffer, context.screen)
    raw = texture.framebuffer.read(viewport=box, components=3, alignment=1)
    texture.release()
    return np.frombuffer(raw, dtype=np.uint8).reshape(box[3], box[2], 3)[::-1]
