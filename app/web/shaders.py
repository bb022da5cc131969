"""The shaders of the viewer for WebGL 2: GLSL 330 to GLSL ES 300, by rule.

The files in `shaders/` are the only source. What ES lacks or allows only with extensions is replaced by what every
WebGL 2 has: clip distances by a `discard`, float targets by depth textures (shadow maps) and by integer targets (the ID
buffer). Variants are made in the browser: defines go after the first line.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from app.render.device import shader_source

FILES = (
    "surface.vert", "surface.frag", "mask.frag", "shadow.vert", "shadow.frag", "min_depth.frag", "screen.vert",
    "sky.frag", "postprocess.frag", "present.frag",
)  # fmt: skip
# those of the panels, which a replay has none of
PANEL_FILES = ("gui.vert", "gui.frag")
VERSION = "#version 300 es\n"
PRECISION = "".join(
    f"precision highp {name};\n" for name in ("float", "int", "sampler2D", "samplerCube", "sampler2DShadow")
)


class Rule(NamedTuple):
    """A pattern, its replacement, and the suffix of the files that it applies to."""

    pattern: str
    replacement: str
    suffix: str = ""


RULES = (
    Rule(r"\s*//.*", ""),
    Rule(r"\n\s*\n+", "\n"),
    Rule(r"\A\s*#version .*\n", VERSION + PRECISION),
    # a varying instead of a clip distance
    Rule(r"gl_ClipDistance\[0\]", "v_clip"),
    Rule(r"\nvoid main\(\) \{", "\n#ifdef CLIP\nout float v_clip;\n#endif\nvoid main() {", ".vert"),
    Rule(
        r"\nvoid main\(\) \{",
        "\n#ifdef CLIP\nin float v_clip;\n#endif\nvoid main() {\n#ifdef CLIP\nif (v_clip < 0.0) discard;\n#endif",
        ".frag",
    ),
    # a depth texture instead of one of floats
    Rule(r"\nout float out_depth;", ""),
    Rule(r"\bout_depth =", "gl_FragDepth ="),
    # the bits of floats in an integer texture
    Rule(
        r"\nout vec4 out_value;",
        "\n#ifdef IDS\nout highp uvec4 out_value;\n#define BITS floatBitsToUint\n#else\nout vec4 out_value;\n"
        "#define BITS\n#endif",
    ),
    Rule(r"\bout_value = (.*);", r"out_value = BITS(\1);"),
)


def translated(name: str, source: str) -> str:
    """GLSL ES 300 of a shader file with its includes in place."""
    for rule in RULES:
        if name.endswith(rule.suffix):
            source = re.sub(rule.pattern, rule.replacement, source)
    return source


def web_shaders(files: tuple[str, ...] = FILES) -> dict[str, str]:
    """The shaders of a page by file name; defines go after the first line."""
    return {name: translated(name, shader_source(name)) for name in files}
