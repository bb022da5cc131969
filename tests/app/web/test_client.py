"""The client of a page without a browser: shaders, size, the rule by which its files are joined, types."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
from pathlib import Path

import moderngl
import numpy as np
import pytest

from app.bootstrap import TYPESCRIPT_FOLDER
from app.render.device import offscreen_context
from app.scene.instances import ID_STEP, INSTANCE_FLOATS, Kind
from app.scene.meshes import LODS, primitive_meshes
from app.web.live import protocol
from app.web.live.messages import READERS
from app.web.page import CLIENT, client_module, live_files
from app.web.shaders import FILES, PANEL_FILES, web_shaders

LARGEST = 150_000
# the client of a replay, and that of the live viewer
CLIENTS = ("order.txt", "live_order.txt")
MODULES = {order: (CLIENT / order).read_text(encoding="utf-8").split() for order in CLIENTS}
LIT = ("LIGHTS 2", "LIGHT_TYPES 0,1", "BLOCKER_TAPS 5", "FILTER_TAPS 8")
UNLIT = (*LIT, "SHADOWS 0")
SHADOWED = (*LIT, "SHADOWS 2", "MAPS 1,6", "FIRST_MAPS 0,1", "MAP_COUNT 7")
TEXTURED = ("TEXTURE_2D", "OCCLUSION", "ROUGHNESS", "METALLIC", "ORM", "NORMAL", "EMISSIVE")
SURFACES = (
    UNLIT, SHADOWED, (*SHADOWED, "TRANSPARENT_CASTERS"), (*UNLIT, "SKYBOX"),
    (*SHADOWED, "SKYBOX", "HAZE", "HAZE_TINT", "FOG"), (*UNLIT, "CLIP", "HAZE"), (*SHADOWED, "PLANE", "HAZE", "MIRROR"),
    (*SHADOWED, "PLANE", "INFINITE", "HAZE", "MIRROR"), (*UNLIT, *TEXTURED, "TEXCOORD", "MODEL_MESH"),
    (*UNLIT, *TEXTURED, "BOX", "MIRROR"), (*UNLIT, "TEXTURE_CUBE", "TEXCOORD"),
    (*UNLIT, "PLANE", "INFINITE", "TEXTURE_2D"),
)  # fmt: skip
VARIANTS = (
    *(("surface.vert", "surface.frag", defines) for defines in SURFACES),
    *(("surface.vert", "mask.frag", defines) for defines in ((), ("IDS",), ("IDS", "PLANE"))),
    *(("shadow.vert", "shadow.frag", defines) for defines in ((), ("TRANSPARENT",))),
    *(("screen.vert", "min_depth.frag", defines) for defines in (("BLOCK 8",), ("DILATE",))),
    *(("screen.vert", "sky.frag", defines) for defines in ((), ("SKYBOX", "HAZE", "HAZE_TINT"), ("FOG",))),
    *(("screen.vert", "postprocess.frag", d) for k in (1, 2) for d in itertools.combinations(("SMOOTH", "OUTLINE"), k)),
    ("screen.vert", "present.frag", ()),
    ("gui.vert", "gui.frag", ()),
)


def test_shaders_are_glsl_es() -> None:
    """Every variant compiles and links as GLSL ES 300."""
    sources = web_shaders((*FILES, *PANEL_FILES))
    assert {name for vertex, fragment, _ in VARIANTS for name in (vertex, fragment)} == set(sources)
    with offscreen_context() as context:
        for vertex, fragment, defines in VARIANTS:
            extra = "".join(f"#define {define}\n" for define in defines)
            both = [sources[name].replace("\n", "\n" + extra, 1) for name in (vertex, fragment)]
            try:
                context.program(vertex_shader=both[0], fragment_shader=both[1]).release()
            except moderngl.Error as error:
                pytest.fail(f"{vertex}, {fragment}, {defines}: {error}")
    # what only extensions of WebGL 2 have
    for source in sources.values():
        assert source.startswith("#version 300 es\n") and not re.search("gl_ClipDistance|out float out_", source)


def test_it_is_small() -> None:
    page = sum(len((CLIENT / name).read_bytes()) for name in ("page.html", "style.css"))
    assert len(client_module().encode()) + page < LARGEST
    assert sum(len(content) for _, content in live_files().values()) < LARGEST


def test_every_file_is_part_of_a_client() -> None:
    assert {f"{name}.js" for names in MODULES.values() for name in names} == {file.name for file in CLIENT.glob("*.js")}


@pytest.mark.parametrize("order", CLIENTS)
def test_files_can_be_joined(order: str) -> None:
    """They import one another in order, and no two have a top-level name in common."""
    known: dict[str, str] = {}
    for name in MODULES[order]:
        text = (CLIENT / f"{name}.js").read_text(encoding="utf-8")
        assert text.startswith("// @ts-check\n")
        assert not any(line.replace('"`"', "").count("`") % 2 for line in text.splitlines()), (
            f"{name}: a text over several lines"
        )
        for line in re.findall(r"^import .*", text, re.MULTILINE):
            found = re.fullmatch(r'import \{ ([\w, ]+) \} from "\./(\w+)\.js";', line)
            assert found is not None, line
            assert all(known.get(imported) == found[2] for imported in found[1].split(", ")), f"{name}: {line}"
        for made in re.findall(r"^(?:export )?(?:async )?(?:function\*?|class|const|let) (.*)", text, re.MULTILINE):
            for top in re.findall(r"(?:^|, )(\w+)(?= =|\(| \{|;)", made):
                assert top not in known, f"{top} in {name} and {known[top]}"
                known[top] = name
    module = client_module(order)
    assert not re.search(r"^(import|export) ", module, re.MULTILINE) and "innerHTML" not in module


@pytest.mark.release
def test_primitives_are_those_of_the_desktop(tmp_path: Path) -> None:
    script = (
        f'import {{ primitive, PRIMITIVES }} from "{(CLIENT / "meshes.js").as_uri()}";'
        f"const all = PRIMITIVES.flatMap((name) => [...Array({len(LODS)}).keys()].map((lod) => [name, lod]));"
        "console.log(JSON.stringify(all.map(([name, lod]) => { const m = primitive(name, lod);"
        "return [name, lod, [...m.vertices], [...m.triangles], m.textured]; })));"
    )
    file = tmp_path / "list.mjs"
    file.write_text(script, encoding="utf-8")
    found = json.loads(subprocess.run(["node", file], capture_output=True, text=True, check=True).stdout)
    meshes = primitive_meshes()
    for name, lod, vertices, triangles, textured in found:
        mesh = meshes.pop((name, lod))
        assert np.allclose(np.reshape(vertices, (-1, 9)), mesh.vertices, atol=1e-6) and textured == mesh.textured
        # in any order
        assert sorted(map(tuple, np.reshape(triangles, (-1, 3)))) == sorted(map(tuple, mesh.triangles))
    assert not meshes


def test_numbers_of_the_desktop() -> None:
    """What rows and ids mean is said twice, once for each language."""
    text = "".join((CLIENT / f"{name}.js").read_text(encoding="utf-8") for name in MODULES["order.txt"])
    kinds = dict(re.findall(r"(\w+): (\d+)", re.findall(r"const KIND = \{(.*)\}", text)[0]))
    assert kinds and all(Kind[name] == int(value) for name, value in kinds.items())
    assert 1 << int(re.findall(r"const ID_STEP = 1 << (\d+)", text)[0]) == ID_STEP
    assert int(re.findall(r"const INSTANCE_FLOATS = (\d+)", text)[0]) == INSTANCE_FLOATS


def test_page_and_host_use_the_same_words() -> None:
    """Messages of the page have a reader, and it hears all that the host says."""
    source = client_module("live_order.txt")
    assert set(re.findall(r'\bt: "(\w+)"', source)) == set(READERS) - {"close"}
    heard = re.findall(r'case "(\w+)":', source.partition("switch (message.t) {")[2].partition("lost(seconds) {")[0])
    texts = (protocol.__doc__ or "").partition("**Host to page, text**")[2]
    assert set(heard) == set(re.findall(r'\{"t":"(\w+)"', texts))
    assert f"const PROTOCOL = {protocol.PROTOCOL};" in source


def test_the_live_page_loads_nothing_from_elsewhere() -> None:
    files = live_files()
    text = files[""][1].decode("utf-8")
    assert set(re.findall(r'(?:src|href)="([^"]*)"', text)) - {"data:,"} == set(files) - {""}
    # the policy allows neither scripts nor styles within the page
    assert not re.search(r"<style|\son\w+=|\sstyle=|<script(?![^>]*(src=|application/json))", text)
    assert not re.search(r"https?://", "".join(content.decode("utf-8") for _, content in files.values()))


@pytest.mark.release
def test_types() -> None:
    """TypeScript finds nothing, in its strictest setting."""
    options = "--checkJs --allowJs --noEmit --strict --target es2022 --module esnext --moduleResolution bundler"
    command = [TYPESCRIPT_FOLDER / "node_modules" / ".bin" / "tsc", *options.split(), *CLIENT.glob("*.js")]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout
