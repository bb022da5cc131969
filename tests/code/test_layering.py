"""Who may import whom, who may step, and who may write which field.

The rules are tables; the checks read syntax trees, so they need neither a screen nor a compiler. Every
check is also fed with sources that break its rule and has to report them: see the tests named `caught`.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]

# ---- the rules ----

# sim from the ground up: a module imports from its own level or a lower one
LEVELS = (
    ("jit", "enums", "atomic_file", "edits", "file_stamp", "save_plan", "tree_edit", "user_error"),
    ("attributes",),
    ("fields", "math"),
    ("state",),
    ("stages", "callback"),
    ("pipeline",),
    ("model", "named", "arguments", "engine", "state_map"),
    ("mjcf", "linearization", "script", "analysis"),
    ("recording", "spec"),
    ("__init__",),
    # MuJoCo's names, in front of all of it
    ("mujoco",),
)


# app in the order in which data flows: a room imports from rooms before it, and the top of app from all
ROOMS = (
    "files",
    "manual",
    "model",
    "run",
    "background",
    "scene",
    "render",
    "web",
    "view",
    "ui",
    "instruments",
    "window",
    "cli",
)
# the files of an instrument that draw, and those that other instruments may import
PANEL = r"app/instruments/\w+/(panel\.py|panel/|open\.py)"
DOOR = re.compile(r"app\.instruments\.\w+\.open(\..*)?")


class Reserved(NamedTuple):
    """Modules, and the files and folders that alone may use them: expressions for the begin of a path."""

    modules: tuple[str, ...]
    files: tuple[str, ...]
    except_for: tuple[str, ...] = ()


# what draws with GL
DRAWING = tuple(f"app.render.{path.stem}" for path in (ROOT / "app" / "render").glob("*.py") if path.stem != "__init__")
# what MuJoCo's names have of the viewer, imported when it is first used
PICTURES = ("sim/mujoco/viewer.py", "sim/mujoco/renderer.py", "sim/mujoco/scene.py")

RESERVED = (
    Reserved(("numba", "llvmlite"), ("sim/jit/",)),
    Reserved(("moderngl", "glcontext", "pyglet.gl"), ("app/render/", "app/ui/window.py")),
    Reserved(("OpenGL",), ()),
    # another engine where it is installed, needed by nothing
    Reserved(("mujoco",), ("app/run/engine/installed.py",)),
    Reserved(("wgpu",), ("sim/script/gpu.py",)),
    Reserved(
        ("imgui_bundle",),
        (
            "app/ui/",
            PANEL,
            "app/window/",
            "app/application.py",
            "app/screen.py",
            "app/web_screen.py",
            "app/render/gui.py",
        ),
    ),
    # where a page is served
    Reserved(("websockets",), ("app/web/live/",)),
    # sim is used without the viewer too; panels say what they want and leave the drawing to others
    Reserved(("app",), ("app/", *PICTURES)),
    Reserved(DRAWING, ("app/",), except_for=("app/window/panels/", "app/window/overlays/", PANEL, "app/scene/")),
    # only the simulation and the recorder move a simulation on, and what measures the engine
    Reserved(
        ("sim.step", "sim.rollout", "sim.script.rollout"),
        (
            "sim/",
            "app/run/live_run.py",
            "app/render/capture/recorder.py",
            "app/cli/run.py",
            "app/cli/bench.py",
            "app/instruments/lockstep/command.py",
            "app/instruments/doctor/short_run.py",
            "app/instruments/doctor/trial.py",
        ),
    ),
)

# functions with these decorators of sim.jit become native code
NATIVE = ("kernel", "helper", "inline")

# functions so named write to their first argument, unless their source says otherwise
WRITERS = ("put", "add_to", "set", "zero", "copy")

# distributions whose import name differs
IMPORT_NAMES = {"pillow": "PIL", "imgui-bundle": "imgui_bundle", "markdown-it-py": "markdown_it"}
# may be absent; whoever imports it says so in a sentence
OPTIONAL = {"mujoco", "numba", "wgpu"}

Sources = Mapping[str, str]
Owners = Mapping[str, Mapping[str, str]]


# ---- imports ----


class Import(NamedTuple):
    """One imported name, fully dotted, and where it is imported."""

    path: str
    line: int
    name: str


@cache
def read_sources() -> dict[str, str]:
    """Every module of app and sim: path below the root -> text."""
    files = sorted((*ROOT.glob("app/**/*.py"), *ROOT.glob("sim/**/*.py")))
    return {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in files}


def module_of(path: str) -> str:
    """sim/jit/cache.py -> sim.jit.cache, sim/__init__.py -> sim."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def imports_of(path: str, text: str) -> Iterator[Import]:
    """All imports of a file, those inside functions and by import_module too."""
    package = path.split("/")[:-1]
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (Import(path, node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (Import(path, node.lineno, f"{base}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            names = [arg.value for arg in node.args[:1] if isinstance(arg, ast.Constant)]
            yield from (Import(path, node.lineno, str(name)) for name in names)


def uses_of(path: str, text: str) -> Iterator[Import]:
    """Attributes of imported modules, `sim.step` say, under whatever name the module goes in the file."""
    tree = ast.parse(text)
    known: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.split(".")[0]
                known[alias.asname or first] = alias.name if alias.asname else first
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            known |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            head, _, rest = ast.unparse(node).partition(".")
            if head in known and rest.replace(".", "").isidentifier():
                yield Import(path, node.lineno, f"{known[head]}.{rest}")


def within(name: str, module: str) -> bool:
    """Whether a dotted name is a module or lies in it."""
    return name == module or name.startswith(module + ".")


def begins(path: str, expressions: tuple[str, ...]) -> bool:
    """Whether a path begins with one of several expressions."""
    return any(re.match(expression, path) for expression in expressions)


def reserved_faults(sources: Sources) -> list[str]:
    """Imports and uses of modules that are reserved for other files."""
    faults = set()
    for path, text in sources.items():
        for item in (*imports_of(path, text), *uses_of(path, text)):
            for rule in RESERVED:
                allowed = begins(path, rule.files) and not begins(path, rule.except_for)
                if not allowed and any(within(item.name, module) for module in rule.modules):
                    faults.add(f"{path}:{item.line}: {item.name} is not for this file")
    return sorted(faults)


def level_of(module: str) -> int:
    """How high a module of sim stands."""
    name = module.split(".")[1] if "." in module else "__init__"
    return next(height for height, units in enumerate(LEVELS) if name in units)


def project_imports(sources: Sources) -> Iterator[tuple[Import, str]]:
    """Imports of the project's own modules, with the module that each one reaches."""
    modules = {module_of(path) for path in sources}
    for path, text in sources.items():
        for item in imports_of(path, text):
            parent = item.name.rpartition(".")[0]
            target = item.name if item.name in modules else parent
            if target in modules:
                yield item, target


def level_faults(sources: Sources) -> list[str]:
    """Imports inside sim that go upwards."""
    return [
        f"{item.path}:{item.line}: {module_of(item.path)} stands below {target}"
        for item, target in project_imports(sources)
        if within(target, "sim") and within(module_of(item.path), "sim")
        if level_of(target) > level_of(module_of(item.path))
    ]


def room_of(path: str) -> str:
    """The room of a file: the folder below app; the command of an instrument belongs to those of the command line."""
    return "cli" if path.startswith("app/instruments/") and path.endswith("/command.py") else path.split("/")[1]


def room_faults(sources: Sources) -> list[str]:
    """Imports inside app of a room that comes later, or of the top; commands may import all."""
    order = {room: place for place, room in enumerate(ROOMS)}
    faults = []
    for item, target in project_imports(sources):
        if not within(target, "app") or not item.path.startswith("app/"):
            continue
        room, there = room_of(item.path), target.split(".")[1:2]
        if room in order and room != ROOMS[-1] and order.get("".join(there), len(ROOMS)) > order[room]:
            faults.append(f"{item.path}:{item.line}: {target} comes after {room}")
    return faults


def instrument_faults(sources: Sources) -> list[str]:
    """Imports of an instrument from the inside of another one."""
    folder = re.compile(r"app/instruments/(\w+)/")
    return [
        f"{item.path}:{item.line}: {target} is inside of another instrument"
        for item, target in project_imports(sources)
        if (own := folder.match(item.path)) and (other := folder.match(target.replace(".", "/") + "/"))
        if own[1] != other[1] and f"app/instruments/{other[1]}/__init__.py" in sources and not DOOR.fullmatch(target)
    ]


def import_cycles(sources: Sources) -> list[str]:
    """Modules that reach themselves through the imports at the top of the files."""
    graph: dict[str, set[str]] = {module_of(path): set() for path in sources}
    for path, text in sources.items():
        # imports in functions and for type checkers alone do not run at start
        tree = ast.parse(text)
        top = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
        body = ast.unparse(ast.Module(body=[*top], type_ignores=[]))
        for _, target in project_imports({**dict.fromkeys(sources, ""), path: body}):
            graph[module_of(path)].add(target)
    faults = []
    for start in sorted(graph):
        reached, todo = set(), list(graph[start])
        while todo:
            module = todo.pop()
            if module not in reached:
                reached.add(module)
                todo += graph[module]
        if start in reached:
            faults.append(f"{start} imports itself by way of others")
    return faults


# ---- fields ----


class Function(NamedTuple):
    """A function that becomes native code."""

    path: str
    node: ast.FunctionDef

    @property
    def parameters(self) -> list[str]:
        return [argument.arg for argument in self.node.args.args]


def native_functions(sources: Sources) -> list[Function]:
    """Functions under a decorator of sim.jit."""
    found = []
    for path, text in sources.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                marks = [ast.unparse(mark).partition("(")[0] for mark in node.decorator_list]
                if {mark.rpartition(".")[2] for mark in marks} & set(NATIVE):
                    found.append(Function(path, node))
    return found


def places(node: ast.expr, aliases: Mapping[str, set[str]]) -> set[str]:
    """What an expression may refer to, dotted: d.contact.dist[c, 0] -> d.contact.dist."""
    if isinstance(node, ast.Name):
        return aliases.get(node.id, {node.id})
    if isinstance(node, ast.Attribute):
        return {f"{place}.{node.attr}" for place in places(node.value, aliases)}
    if isinstance(node, ast.Subscript | ast.Starred):
        return places(node.value, aliases)
    if isinstance(node, ast.IfExp):
        return places(node.body, aliases) | places(node.orelse, aliases)
    return set()


def aliases_of(function: Function) -> dict[str, set[str]]:
    """Local names that stand for a parameter or something in it."""
    aliases: dict[str, set[str]] = {}
    for node in ast.walk(function.node):
        if isinstance(node, ast.Assign | ast.NamedExpr) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                pairs = [(target, node.value)]
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs = list(zip(target.elts, node.value.elts, strict=False))
                for name, value in pairs:
                    if isinstance(name, ast.Name):
                        found = places(value, aliases)
                        known = {place for place in found if place.split(".")[0] in function.parameters}
                        aliases.setdefault(name.id, {name.id}).update(known)
    return aliases


def writes_of(function: Function, written: Mapping[str, set[int]]) -> Iterator[tuple[int, str]]:
    """Lines and places that a function writes, itself or through the functions it calls."""
    aliases = aliases_of(function)
    for node in ast.walk(function.node):
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
            yield from ((node.lineno, place) for place in places(node, aliases))
        elif isinstance(node, ast.Call):
            name = ast.unparse(node.func).rpartition(".")[2]
            for index, argument in enumerate(node.args):
                unknown = name not in written and index == 0 and name.startswith(WRITERS)
                if index in written.get(name, ()) or unknown:
                    yield from ((node.lineno, place) for place in places(argument, aliases))


def written_parameters(functions: Iterable[Function]) -> dict[str, set[int]]:
    """Function name -> positions of the arguments that it writes, by going round until nothing is new."""
    functions = list(functions)
    written: dict[str, set[int]] = {function.node.name: set() for function in functions}
    while True:
        before = {name: set(positions) for name, positions in written.items()}
        for function in functions:
            for _, place in writes_of(function, written):
                if place in function.parameters:
                    written.setdefault(function.node.name, set()).add(function.parameters.index(place))
        if written == before:
            return written


def owner_faults(sources: Sources, owners: Owners) -> list[str]:
    """Writes to a field from outside the file or folder that owns it, and writes to what is no field."""
    functions = native_functions({path: text for path, text in sources.items() if path.startswith("sim/")})
    written = written_parameters(functions)
    faults = set()
    for function in functions:
        module = function.path.removeprefix("sim/").removesuffix(".py")
        for line, place in writes_of(function, written):
            struct, _, field = place.partition(".")
            if struct not in owners or struct not in function.parameters:
                continue
            where = f"{function.path}:{line}: {function.node.name} writes {place}"
            owner = owners[struct].get(field)
            if owner is None:
                faults.add(f"{where}, which is no field")
            elif module != owner and not module.startswith(owner + "/"):
                faults.add(f"{where}, which belongs to {owner}")
    return sorted(faults)


# ---- the project keeps the rules ----


def test_reserved_modules() -> None:
    """numba, GL, ImGui and stepping stay where the table says; sim knows nothing of app."""
    assert reserved_faults(read_sources()) == []


def test_levels_of_sim() -> None:
    """Imports inside sim go downwards."""
    assert level_faults(read_sources()) == []


def test_rooms_of_app() -> None:
    """Each room of app imports from those before it; each folder of app is in the table."""
    sources = read_sources()
    assert room_faults(sources) == []
    folders = {path.split("/")[1] for path in sources if path.startswith("app/") and path.count("/") > 1}
    assert folders == {*ROOMS} and len(ROOMS) <= 13


def test_instruments_keep_to_themselves() -> None:
    """An instrument imports of another one only the way to it."""
    assert instrument_faults(read_sources()) == []


def test_no_public_name_hides_a_module() -> None:
    """`sim.collision` is a function: no module may have the same address."""
    import sim

    modules = {module_of(path) for path in read_sources()}
    hidden = [name for name in dir(sim) if f"sim.{name}" in modules and not isinstance(getattr(sim, name), ModuleType)]
    assert hidden == []


def test_no_import_cycles() -> None:
    """No module needs itself to be imported."""
    assert import_cycles(read_sources()) == []


def test_every_field_has_one_writer() -> None:
    """Native code writes a field only in the file or folder that sim/fields names as its owner."""
    from sim.fields import DATA, MODEL

    sources = read_sources()
    tables = {"m": MODEL, "d": DATA}
    owners = {struct: {field.name: field.owner for field in table} for struct, table in tables.items()}
    assert native_functions(sources), "no native function was found: the check sees nothing"
    assert owner_faults(sources, owners) == []
    assert [field.name for field in (*MODEL, *DATA) if field.owner.startswith("pipeline/forward")] == []


def test_sim_imports_neither_compiler_nor_window() -> None:
    """`import sim` is light: a start with compiled kernels at hand never needs numba."""
    code = "import sim, sys; print(*{'numba', 'moderngl', 'pyglet', 'imgui_bundle', 'wgpu'} & set(sys.modules))"
    answer = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (answer.returncode, answer.stdout.strip()) == (0, ""), answer.stderr


def test_imports_are_declared() -> None:
    """Whatever app and sim import comes with Python, with the project, or from its dependencies."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {re.split(r"[^\w-]", dependency)[0] for dependency in project["dependencies"]}
    known = {IMPORT_NAMES.get(name, name) for name in names} | {"app", "sim"} | OPTIONAL | sys.stdlib_module_names
    sources = read_sources()
    unknown = {i.name.split(".")[0] for path, text in sources.items() for i in imports_of(path, text)} - known
    assert unknown == set()


def test_bootstrap_runs_on_bare_python() -> None:
    """The set-up script parses on Python 3.8 and imports the standard library alone; app/ hides none of it."""
    text = (ROOT / "app/bootstrap.py").read_text(encoding="utf-8")
    ast.parse(text, feature_version=(3, 8))
    imported = {item.name.split(".")[0] for item in imports_of("app/bootstrap.py", text)}
    assert imported <= sys.stdlib_module_names
    assert {path.stem for path in (ROOT / "app").iterdir()} & sys.stdlib_module_names <= {"__main__"}


# ---- the checks catch what breaks the rules ----


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("sim/stages/smooth/rne.py", "import numba"),
        ("sim/math/vec.py", "from llvmlite import binding"),
        ("sim/script/batch.py", "import wgpu"),
        ("sim/stages/smooth/rne.py", "from app import camera"),
        ("sim/stages/smooth/rne.py", "def f():\n    import app.view.view_state"),
        ("app/scene/scene.py", "import moderngl as gl"),
        ("app/scene/scene.py", "from pyglet import gl"),
        ("app/scene/scene.py", "import pyglet\npyglet.gl.glClear(1)"),
        ("app/render/renderer.py", "from OpenGL import GL"),
        ("app/scene/scene.py", "from imgui_bundle import imgui"),
        ("app/window/overlays/info.py", "from app.render.renderer import Renderer"),
        ("app/window/overlays/info.py", "from ...render import renderer"),
        ("app/instruments/energy/panel.py", "from app.render.renderer import Renderer"),
        ("app/instruments/energy/state.py", "from imgui_bundle import imgui"),
        ("app/application.py", "import sim\nsim.step(m, d)"),
        ("app/viewer.py", "import sim as engine\nadvance = engine.step"),
        ("app/viewer.py", "from sim import step"),
        ("app/viewer.py", "import importlib\nimportlib.import_module('numba')"),
    ],
)
def test_reserved_import_is_caught(path: str, text: str) -> None:
    """Each source breaks one line of the table."""
    assert reserved_faults({path: text}) != []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("sim/jit/compiler.py", "import numba, llvmlite"),
        ("app/run/live_run.py", "import sim\nsim.step(m, d)"),
        ("app/render/renderer.py", "import moderngl"),
        ("app/application.py", "from app.render.renderer import Renderer\nimport sim\nsim.load('x')"),
        ("app/window/overlays/info.py", "from imgui_bundle import imgui\nfrom app.view.view_state import RunState"),
    ],
)
def test_what_is_allowed_passes(path: str, text: str) -> None:
    """The checks do not cry wolf."""
    assert reserved_faults({path: text}) == []


FILES = ("__init__.py", "jit/kernel.py", "fields.py", "stages/rne.py", "pipeline/forward.py", "mjcf/save.py")
TREE = {f"sim/{file}": "" for file in FILES}


@pytest.mark.parametrize(
    ("path", "text", "faults"),
    [
        ("sim/jit/kernel.py", "from sim.fields import DATA", 1),
        ("sim/jit/kernel.py", "from sim.stages import rne", 1),
        ("sim/stages/smooth/rne.py", "from sim.pipeline.forward import step", 1),
        ("sim/stages/smooth/rne.py", "def f():\n    from sim.mjcf import save", 1),
        ("sim/stages/smooth/rne.py", "import sim", 1),
        ("sim/pipeline/forward.py", "from ..mjcf.save import write", 1),
        ("sim/pipeline/forward.py", "from sim.stages.rne import rne\nfrom sim.fields import DATA", 0),
        ("sim/mjcf/save/save.py", "from sim.pipeline.forward import forward", 0),
        ("sim/__init__.py", "from sim.mjcf.save.save import write", 0),
    ],
)
def test_upward_import_is_caught(path: str, text: str, faults: int) -> None:
    """Upwards is reported, downwards is not."""
    assert len(level_faults({**TREE, path: text})) == faults


@pytest.mark.parametrize(
    ("path", "text", "faults"),
    [
        ("app/scene/camera.py", "from app.run.snapshot import ModelView", 0),
        ("app/run/snapshot.py", "from app.scene import camera", 1),
        ("app/run/snapshot.py", "def f():\n    import app.application", 1),
        ("app/application.py", "from app.scene import camera", 0),
        ("app/scene/camera.py", "import sim", 0),
    ],
)
def test_import_of_a_later_room_is_caught(path: str, text: str, faults: int) -> None:
    """Forwards is reported, backwards is not."""
    tree = dict.fromkeys(("app/run/snapshot.py", "app/scene/camera.py", "app/application.py", "sim/__init__.py"), "")
    assert len(room_faults({**tree, path: text})) == faults


@pytest.mark.parametrize(
    ("path", "text", "faults"),
    [
        ("app/instruments/ab/state.py", "from app.instruments.sweep.state import SweepState", 1),
        ("app/instruments/ab/state.py", "from app.instruments.sweep.open import open_sweep", 0),
        ("app/instruments/ab/state.py", "from app.instruments.ab.subject import Subject", 0),
        ("app/instruments/ab/state.py", "from app.instruments.entry import Instrument", 0),
        ("app/window/layout.py", "from app.instruments.sweep.state import SweepState", 0),
    ],
)
def test_import_from_another_instrument_is_caught(path: str, text: str, faults: int) -> None:
    """The inside is reported, the way to it is not."""
    files = ("entry", "ab/__init__", "ab/state", "ab/subject", "sweep/__init__", "sweep/state", "sweep/open")
    tree = dict.fromkeys((f"app/instruments/{file}.py" for file in files), "")
    assert len(instrument_faults({**tree, path: text})) == faults


def test_import_cycle_is_caught() -> None:
    """Three modules in a ring; a late import breaks the ring."""
    ring = {"sim/a.py": "from sim import b", "sim/b.py": "from sim.c import x", "sim/c.py": "import sim.a"}
    assert len(import_cycles(ring)) == 3
    assert import_cycles({**ring, "sim/c.py": "def f():\n    import sim.a"}) == []


OWNERS: Owners = {
    "m": {"nbody": "mjcf", "dof_M0": "mjcf/set_const", "opt.timestep": "mjcf"},
    "d": {
        "xpos": "stages/smooth/kinematics",
        "qpos": "state",
        "time": "state",
        "contact.dist": "stages/collision",
        "ncon": "stages/collision",
    },
}
HELPERS = """
@inline
def get3(a, i):
    return a[i, 0]

@inline
def put3(a, i, v):
    a[i, 0] = v[0]

@helper
def fill(n, out):
    out[n] = 0.0

@helper(reduce=True)
def fill_twice(n, out):
    fill(n, out)
"""


@pytest.mark.parametrize(
    ("path", "body", "faults"),
    [
        # written in place, by the owner and by others
        ("sim/stages/smooth/kinematics.py", "d.xpos[b, 0] = 1.0", 0),
        ("sim/stages/smooth/rne.py", "d.xpos[b, 0] = 1.0", 1),
        ("sim/stages/smooth/rne.py", "d.xpos[b, 0] += d.qpos[0]", 1),
        ("sim/stages/smooth/rne.py", "d.time += m.opt.timestep", 1),
        ("sim/stages/smooth/rne.py", "x, d.time = 1.0, 2.0", 1),
        ("sim/stages/smooth/rne.py", "for d.time in range(3):\n        pass", 1),
        ("sim/stages/collision/box.py", "d.contact.dist[0] = d.xpos[0, 0]", 0),
        ("sim/stages/collisions.py", "d.contact.dist[0] = 1.0", 1),
        ("sim/stages/constraint/contact.py", "d.contact.dist[0] = 1.0\n    d.ncon = 0", 2),
        # the Model is written where its constants are derived
        ("sim/stages/smooth/rne.py", "m.opt.timestep = 0.1", 1),
        ("sim/mjcf/set_const/set_const.py", "m.dof_M0[0] = 1.0", 0),
        # through other names and through helpers
        ("sim/stages/smooth/rne.py", "x = d.xpos\n    x[b, 0] = 1.0", 1),
        ("sim/stages/smooth/rne.py", "c = d.contact\n    c.dist[b] = 1.0", 1),
        ("sim/stages/smooth/rne.py", "x = d.xpos if b else d.qpos\n    x[0] = 1.0", 2),
        ("sim/stages/smooth/rne.py", "put3(d.xpos, b, v)", 1),
        ("sim/stages/smooth/rne.py", "zero_unknown(d.xpos)", 1),
        ("sim/stages/smooth/rne.py", "vec.add_to3(d.xpos, b, v)", 1),
        ("sim/stages/smooth/rne.py", "fill(b, d.xpos)", 1),
        ("sim/stages/smooth/rne.py", "fill_twice(b, d.xpos)", 1),
        ("sim/stages/smooth/kinematics.py", "fill_twice(b, d.xpos)", 0),
        # reading, and locals, are free
        ("sim/stages/smooth/rne.py", "x = d.xpos[b, 0]\n    x += 1.0\n    y = get3(d.xpos, b)", 0),
        ("sim/stages/smooth/rne.py", "fill(d.qpos[0], d.xpos)", 1),
        # a field that the table does not have
        ("sim/stages/smooth/rne.py", "d.xposs[b, 0] = 1.0", 1),
    ],
)
@pytest.mark.parametrize("mark", ["@kernel", "@jit.helper(reduce=True)"])
def test_foreign_write_is_caught(path: str, body: str, faults: int, mark: str) -> None:
    """A write is found however it is spelt, and blamed unless the owner does it."""
    sources = {"sim/math/vec.py": HELPERS, path: f"{mark}\ndef stage(m, d, b, v):\n    {body}\n"}
    assert len(owner_faults(sources, OWNERS)) == faults
