"""The manual, app/manual/*.md, and the README: commands and scripts run, names exist, links lead somewhere.

Commands of a page run in order, as they stand, in a folder of their own with the files that `write_fixtures` makes.
Those that would open a window load their model instead. `# exit code 3` after a command says what it ends with.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import io
import re
import shlex
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

import sim
import sim.mujoco
from app import viewer
from app.__main__ import COMMANDS, command_module, main
from app.cli import window
from app.cli.arguments import existing
from app.files.recordings import is_recording
from app.files.resources import bundled_scenes
from app.instruments import instruments
from app.render.capture.recorder import SHOW
from app.view.input.bindings import BY_TRIGGER
from app.window.panel_list import panels
from sim.analysis.measures import MEASURES
from sim.attributes import ATTRIBUTES, BY_TAG
from sim.attributes.keywords import KEYWORDS
from sim.fields import DATA, MODEL
from sim.script.expression import FUNCTIONS
from tests.generated import PAGES as GENERATED

ROOT = Path(__file__).resolve().parents[3]
MANUAL = ROOT / "app/manual"
README = ROOT / "README.md"
PAGES = [*sorted(MANUAL.glob("*.md")), README]
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)

README_LINES, README_BYTES = 250, 25_000
PAGE_LINES = 140
BOOTSTRAP = "python3 app/bootstrap.py"
# what is parsed and not run: the first would clear the cache of all tests, the second compiles for minutes
ONLY_PARSED = (["cache", "--clear"], ["warmup"])

ROBOT = """<mujoco model="robot">
  <worldbody>
    <light pos="0 0 3"/>
    <geom name="floor" type="plane" size="2 2 0.1"/>
    <body name="thigh" pos="0 0 1">
      <joint name="lift" type="slide" axis="0 0 1"/>
      <geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.05"/>
      <body name="foot" pos="0 0 -0.35">
        <joint name="knee" axis="0 1 0" range="-60 60"/>
        <geom name="sole" type="capsule" fromto="0 0 0 0.1 0 -0.3" size="0.04"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="knee" joint="knee" kp="20" kv="1"/>
  </actuator>
</mujoco>
"""
ARM = """<robot name="arm"><link name="base"/><link name="l1"><inertial><mass value="1"/>
<inertia ixx=".01" iyy=".01" izz=".01" ixy="0" ixz="0" iyz="0"/></inertial><collision><origin xyz="0 0 .2"/>
<geometry><cylinder radius=".05" length=".4"/></geometry></collision></link>
<joint name="j1" type="revolute"><parent link="base"/><child link="l1"/><origin xyz="0 0 .5"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="10" velocity="1"/></joint></robot>
"""
SCRIPT = """import mujoco
m = mujoco.MjModel.from_xml_path("robot.xml")
mujoco.mj_step(m, mujoco.MjData(m))
"""
# words in code spans that no table knows: of Python and the shell, of what MuJoCo has and we do not, and placeholders
WORDS = {
    "and", "or", "not", "import", "pip", "install", "sudo", "test", "k", "py", "kinetoscope", "simulate", "m", "d",
    "flexcomp", "mjx", "batch", "mjr_", "mjv_", "package", "ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH", "rises", "last",
    "MODEL", "NAME", "a", "b", "f", "source", "foot", "knee", "my_panels", "python", "build", "wheel",
    "KINETOSCOPE_CHECK", "KINETOSCOPE_LEVEL", "KINETOSCOPE_LOAD", "fresh", "x86", "v2", "v3", "aarch64",
}  # fmt: skip


# ---- what a page says ----


@cache
def tokens(page: Path) -> list[Token]:
    """The parsed page, inline parts too."""
    found = MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8"))
    return [part for token in found for part in (token, *(token.children or ()))]


def blocks(page: Path, language: str) -> list[str]:
    """Fenced blocks of a language."""
    return [token.content for token in tokens(page) if token.type == "fence" and token.info == language]


def commands(page: Path) -> list[str]:
    """The lines of all blocks of commands."""
    return [line for block in blocks(page, "sh") for line in block.splitlines()]


def headings(page: Path) -> dict[str, str]:
    """Anchor -> heading, as code hosts make them."""
    found = tokens(page)
    texts = [after.content for token, after in pairwise(found) if token.type == "heading_open"]
    return {re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-"): text for text in texts}


def spans(page: Path) -> list[str]:
    """Code inside of sentences."""
    return [token.content for token in tokens(page) if token.type == "code_inline"]


# ---- pages ----


def test_every_topic_has_its_page() -> None:
    """Instruments have a page, other panels and all subcommands a heading."""
    assert len(PAGES) > 20
    stems = {panel: panel.lower().replace("/", "").replace(" ", "_") for panel in instruments()}
    assert [panel for panel, stem in stems.items() if not (MANUAL / f"{stem}.md").exists()] == []
    others = {panel.name for panel in panels()} - instruments().keys()
    assert others - set(headings(MANUAL / "panels.md").values()) == set()
    assert set(COMMANDS) - set(headings(MANUAL / "command_line.md")) == set()


@each_page
def test_form(page: Path) -> None:
    """A title in the first line, plain Markdown, of a length that is read; a picture for each instrument."""
    text = page.read_text(encoding="utf-8")
    assert text.startswith("# ")
    assert [token.content for token in tokens(page) if token.type.startswith("html")] == []
    if page == README:
        assert len(text.splitlines()) <= README_LINES and len(text.encode()) <= README_BYTES
    elif page not in GENERATED:
        assert 25 <= len(text.splitlines()) <= PAGE_LINES + 60 * (page.stem == "command_line")
    if page.stem in {name.lower().replace("/", "") for name in instruments()}:
        assert any(token.type == "image" for token in tokens(page))


@each_page
def test_links(page: Path) -> None:
    """Files, anchors and pictures are there."""
    found = [str(token.attrs["href"]) for token in tokens(page) if token.type == "link_open"]
    for target in found:
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.is_file() and file.is_relative_to(ROOT), target
        assert not anchor or anchor in headings(file), target
    for token in tokens(page):
        if token.type == "image":
            assert (page.parent / str(token.attrs["src"])).is_file(), token.attrs["src"]
            assert token.content, "a picture without words for those who do not see it"


def test_every_picture_is_shown() -> None:
    shown = {Path(str(t.attrs["src"])).name for page in PAGES for t in tokens(page) if t.type == "image"}
    assert {file.name for file in (MANUAL / "pictures").iterdir()} == shown


@pytest.mark.parametrize("page", GENERATED, ids=lambda page: page.stem)
def test_generated_parts_are_current(page: Path) -> None:
    """`python -m tests.generated` writes them."""
    assert page.read_text(encoding="utf-8") == GENERATED[page]()


def test_readme_has_the_commands_of_ci() -> None:
    """What continuous integration runs is what the README says."""
    script = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    assert f"{BOOTSTRAP} test" in script
    assert {BOOTSTRAP, f"{BOOTSTRAP} test"} <= set(commands(README))


# ---- names ----


@cache
def options() -> frozenset[str]:
    """All options of all commands, those that each has, and those of the test command."""
    found = {"--help", "--traceback", "--all", "--changed", "-k", "-m"}
    for name in ("window", *COMMANDS):
        parser = ArgumentParser()
        command_module(name).add_arguments(parser)
        found |= parser._option_string_actions.keys()
    return frozenset(found)


@cache
def vocabulary() -> frozenset[str]:
    """Names of scenes, fields, measures, functions, commands, MJCF attributes and elements of bundled scenes."""
    found = {*WORDS, *COMMANDS, *MEASURES, *FUNCTIONS, *dir(builtins), *KEYWORDS, *SHOW, *dir(sim), *dir(sim.mujoco)}
    found |= {scene.name for scene in bundled_scenes()} | {word for words in KEYWORDS.values() for word in words}
    found |= {part for field in (*MODEL, *DATA) for part in field.name.split(".")}
    found |= {*dir(viewer), *dir(viewer.Handle), *dir(sim.callbacks), *dir(sim.Spec), *dir(sim.Recording)}
    found |= {
        *dir(sim.GpuBatch),
        *inspect.signature(sim.GpuBatch).parameters,
        *inspect.signature(viewer.launch).parameters,
    }
    found |= {"user_scn", "bind", "plan_save", "seconds"}
    found |= {attribute.name for attribute in ATTRIBUTES} | {part for tag in BY_TAG for part in tag.split("/")}
    for scene in bundled_scenes():
        found |= set(re.findall(r'name="(\w+)"', scene.path.read_text(encoding="utf-8")))
    return frozenset(found)


def unknown(span: str) -> str:
    """What is wrong with code in a sentence; empty if all of it exists."""
    span = span.strip()
    if span in BY_TRIGGER:
        return ""
    if re.match(r"(Ctrl|Shift|Alt)\+|F\d+$|[A-Z]$", span):
        return "no such key"
    if re.match(r"(app|sim|tests|scenes|shaders)(/[\w./]+)?$", span):
        return "" if (ROOT / span).exists() else "no such file"
    if re.fullmatch(r"~?[\w./*]*\.(md|xml|urdf|mjcf|mjz|zip|ktr|mp4|gif|py|npz)~?|~/[\w./]+", span):
        return ""
    if span.startswith(("python3 app/", ".venv/bin/", ".venv")) or (ROOT / span).is_file():
        return "" if all(module_exists(name) for name in re.findall(r"-m (\S+)", span)) else "no such module"
    if found := [word for word in re.findall(r"(?<!\S)--[a-z][\w-]*", span) if word not in options()]:
        return f"no option {found[0]}"
    plain = re.sub(r"\"[^\"]*\"|'[^']*'|(?<!\S)--[a-z][\w-]*|\b\d[\d.]*(e-?\d+)?\b", " ", span)
    for dotted in re.findall(r"\b(sim|kinetoscope|viewer|m|d|v|opt)\.(\w+)", plain):
        if not attribute_exists(*dotted):
            return f"no {'.'.join(dotted)}"
    missing = [word for word in re.findall(r"[A-Za-z_]\w*", plain) if word not in vocabulary()]
    return f"unknown: {missing[0]}" if missing else ""


def module_exists(name: str) -> bool:
    path = ROOT / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").is_file()


def attribute_exists(owner: str, name: str) -> bool:
    """Whether a module, a viewer's handle, Model, Data or its options have something of a name."""
    if owner in ("sim", "kinetoscope"):
        return hasattr(sim, name) or name in ("viewer", "mujoco")
    if owner in ("viewer", "v"):
        return hasattr(viewer if owner == "viewer" else viewer.Handle, name)
    m = small_model()
    return hasattr({"m": m, "opt": m.opt}.get(owner, sim.Data(m)), name)


@cache
def small_model() -> sim.Model:
    return sim.loads(ROBOT)


@each_page
def test_names(page: Path) -> None:
    """Keys, files, options, scenes, fields and functions that a page names exist."""
    assert [(span, fault) for span in spans(page) if (fault := unknown(span))] == []


@pytest.mark.parametrize(
    "span",
    ["Ctrl+J", "F13", "app/nothing.py", "--nothing", "sim.nothing", "d.nothing", "opt.nothing", "v.nothing",
     "no_scene", "kinetoscope nothing", "nothing(d.qpos) > 1", ".venv/bin/python -m tests.nothing"],
)  # fmt: skip
def test_unknown_name_is_caught(span: str) -> None:
    assert unknown(span)


# ---- commands and scripts ----


def write_fixtures(folder: Path) -> None:
    """robot.xml, robot.urdf, script.py, and the bundled scenes."""
    for name, text in (("robot.xml", ROBOT), ("robot.urdf", ARM), ("script.py", SCRIPT)):
        (folder / name).write_text(text)
    (folder / "scenes").symlink_to(ROOT / "scenes")


def load_only(options: Namespace) -> int:
    """In place of a window: the model is loaded, unless it is a recording."""
    path = existing(options.model)
    if not is_recording(path):
        sim.load(path)
    return 0


def run_command(arguments: list[str]) -> int:
    """The exit code of a command; scripts change their process, so they get one of their own."""
    if arguments in ONLY_PARSED:
        parser = ArgumentParser()
        command_module(arguments[0]).add_arguments(parser)
        parser.parse_args(arguments[1:])
        return 0
    if arguments[0] == "run" and arguments[-1].endswith(".py"):
        return subprocess.run([sys.executable, "-m", "app", *arguments], check=False).returncode
    return main(arguments)


def run_line(line: str) -> None:
    """Run a command of a page, and compare its exit code."""
    if line.startswith((BOOTSTRAP, "#")):
        return
    program, *arguments = shlex.split(line, comments=True)
    assert program == "kinetoscope", line
    said = re.search(r"# exit code (\d)$", line)
    assert run_command(arguments) == (int(said[1]) if said else 0), line


def attribute_names(code: str) -> list[tuple[str, str]]:
    """The attributes of modules and of a viewer's handle in a script."""
    nodes = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Attribute)]
    found = [(node.value.id, node.attr) for node in nodes if isinstance(node.value, ast.Name)]
    return [pair for pair in found if pair[0] in ("sim", "viewer", "v")]


def run_script(code: str, file: Path, names: dict[str, object]) -> None:
    """Run a script of a page; of one that opens a window, the names exist."""
    assert [pair for pair in attribute_names(code) if not attribute_exists(*pair)] == []
    if "launch" not in code:
        # kernels are compiled from the source of their file
        file.write_text(code)
        exec(compile(code, str(file), "exec"), names)  # noqa: S102


@pytest.mark.parametrize(
    "page", [p for p in PAGES if blocks(p, "sh") + blocks(p, "python")], ids=lambda page: page.stem
)
def test_commands_and_scripts_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of a page, in its order; scripts share their names, as the cells of a notebook do."""
    write_fixtures(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(window, "run", load_only)
    names: dict[str, object] = {"__name__": "__main__"}
    for number, token in enumerate(tokens(page)):
        if token.type == "fence" and token.info == "sh":
            for line in token.content.splitlines():
                # for the debugger
                monkeypatch.setattr(sys, "stdin", io.StringIO("continue\n"))
                run_line(line)
        elif token.type == "fence" and token.info == "python":
            run_script(token.content, tmp_path / f"block{number}.py", names)
