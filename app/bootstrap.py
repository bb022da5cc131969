"""Sets Kinetoscope up in a fresh clone and runs it or its tests; uses only the standard library.

    python3 app/bootstrap.py [arguments of kinetoscope]
    python3 app/bootstrap.py test [--all | --changed | arguments of pytest]
    python3 app/bootstrap.py check

Installs missing system packages where it may, makes .venv, installs the project into it and starts the viewer, the
tests, or the checks of style and types. Finished steps are skipped, interrupted ones are repeated. It parses on
Python 3.8, so that an older Python gets a readable message.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, NoReturn

OLDEST = (3, 11)
VERSION = f"{sys.version_info[0]}.{sys.version_info[1]}"
ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "kinetoscope.json"
UNFINISHED = VENV / "unfinished"
LOCK = ROOT / ".setup.lock"


# packages whose MJCF models the tests open; only their files are needed, not their dependencies
MODEL_PACKAGES = ["dm_control==1.0.50", "gymnasium==1.4.0", "gymnasium-robotics==1.4.2"]

# the viewer runs models of any MuJoCo: what differs between versions is tested with this one too, in its own folder
OTHER_MUJOCO = ["mujoco==3.12.0"]
OTHER_MUJOCO_FOLDER = VENV / "other_mujoco"
OTHER_MUJOCO_TESTS = [
    "tests/app/run/engine", "tests/app/run/test_passive_mujoco.py", "tests/app/scene/test_flexes.py",
    "tests/app/scene/test_flex_meshes.py", "tests/app/scene/test_mujoco_geoms.py",
    "tests/app/scene/test_mujoco_options.py", "tests/app/render/capture/test_offscreen_mujoco.py",
    # our engine follows the first
    "--ignore=tests/app/run/engine/agreement",
]  # fmt: skip

# it checks the types of the client of web pages, for a release
TYPESCRIPT = "typescript@5.9.3"
TYPESCRIPT_FOLDER = VENV / "typescript"

# the versions that the tests have passed with; pyproject.toml has the ranges
VERSIONS = ROOT / ".ci" / "versions.txt"

# style and types, for those who change the code
CHECKS: tuple[tuple[str, list[str]], ...] = (
    ("ruff", ["ruff", "check"]),
    ("format", ["ruff", "format", "--check", "app", "sim", "tests"]),
    ("mypy", ["mypy"]),
    ("style", ["pytest", "-q", "tests/code"]),
)

# all kernels at once, on all cores, take a fraction of the time of one by one when a test needs them
KERNELS: tuple[tuple[str, dict[str, str]], ...] = (
    ("kernels", {}),
    ("kernels with checked indices", {"KINETOSCOPE_CHECK": "1"}),
)

# the stages of a step are tested with checked indices: tests/conftest.py sees that from the folders
STAGES = [f"tests/sim/{name}" for name in ("stages", "pipeline", "state", "linearization", "analysis")]
PASSES: tuple[tuple[str, list[str]], ...] = (
    ("stages, with checked indices", STAGES),
    ("everything else", ["tests", *(f"--ignore={path}" for path in (*STAGES, "tests/code"))]),
    (OTHER_MUJOCO[0], ["--other-mujoco", *OTHER_MUJOCO_TESTS]),
)


class SetupError(Exception):
    """A message for the user, and the output of the command that failed."""

    def __init__(self, sentence: str, output: str = "") -> None:
        super().__init__(sentence)
        self.output = output


def say(text: str) -> None:
    """Print one line of the set-up."""
    print("kinetoscope: " + text, file=sys.stderr, flush=True)


def run_step(
    label: str, command: list[str], keep: tuple[int, ...] = (), settings: dict[str, str] | None = None
) -> tuple[int, str]:
    """Runs a command as one line with its seconds; a terminal shows its newest output meanwhile."""
    start = time.monotonic()
    live = sys.stderr.isatty()
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "NEEDRESTART_MODE": "a", **(settings or {})}
    lines = []
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=ROOT,
        env=environment,
        pass_fds=keep,
    ) as process:
        for raw in process.stdout or ():
            lines.append(raw.decode(errors="replace").rstrip())
            if live:
                width = max(10, shutil.get_terminal_size().columns - len(label) - 18)
                print(f"\r\033[Kkinetoscope: {label}  {lines[-1].strip()[:width]}", end="", file=sys.stderr)
    if live:
        print("\r\033[K", end="", file=sys.stderr)
    failed = ", failed" if process.returncode else ""
    say(f"{label} ({time.monotonic() - start:.1f} s{failed})")
    return process.returncode, "\n".join(lines)


# ---- system packages ----


def has_library(name: str) -> bool:
    """Whether the dynamic linker finds a library."""
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def has_driver(_name: str) -> bool:
    """Whether there is an OpenGL driver: one of Mesa's, or the one of an NVIDIA card."""
    folders = ("lib/*/dri", "lib/dri", "lib64/dri", "local/lib/*/dri")
    mesa = any(path for folder in folders for path in Path("/usr").glob(folder + "/*_dri.so"))
    return mesa or has_library("libEGL_nvidia.so.0")


def has_vulkan(_name: str) -> bool:
    """Whether there is Mesa's Vulkan driver for the CPU."""
    folders = ("/usr/share", "/usr/local/share", "/etc")
    drivers = any(path for folder in folders for path in Path(folder).glob("vulkan/icd.d/lvp_icd*.json"))
    return drivers and has_library("libvulkan.so.1")


def has_program(name: str) -> bool:
    """Whether a program is on the path."""
    return shutil.which(name) is not None


def has_module(name: str) -> bool:
    """Whether this Python has a module."""
    return importlib.util.find_spec(name) is not None


class Need(NamedTuple):
    """A system dependency: how to find it, and the Debian package that has it."""

    name: str
    found: Callable[[str], bool]
    package: str
    use: str


VENV_NEEDS = (Need("ensurepip", has_module, f"python{VERSION}-venv", "the virtual environment"),)
SCREEN_NEEDS = (
    Need("libGL.so.1", has_library, "libgl1", "the window"),
    Need("libEGL.so.1", has_library, "libegl1", "rendering without a screen"),
    Need("libXrender.so.1", has_library, "libxrender1", "the window"),
    Need("libXrandr.so.2", has_library, "libxrandr2", "full screen"),
    Need("an OpenGL driver", has_driver, "libgl1-mesa-dri", "rendering"),
)
TEST_NEEDS = (
    Need("Xvfb", has_program, "xvfb", "the tests of the window"),
    Need("xdotool", has_program, "xdotool", "the tests of the window"),
    Need("a Vulkan driver", has_vulkan, "mesa-vulkan-drivers", "the tests of batches on a GPU"),
)
RELEASE_NEEDS = (
    Need("chromium", has_program, "chromium", "the tests of web pages"),
    Need("node", has_program, "nodejs", "the tests of web pages"),
    Need("npm", has_program, "npm", "the tests of web pages"),
)


def missing_needs(testing: bool, new_venv: bool, release: bool = False) -> list[Need]:
    """What this machine lacks; only Linux needs its graphics libraries from packages."""
    linux = sys.platform.startswith("linux")
    tables = (
        (VENV_NEEDS, new_venv),
        (SCREEN_NEEDS, linux),
        (TEST_NEEDS, linux and testing),
        (RELEASE_NEEDS, linux and release),
    )
    return [need for needs, wanted in tables if wanted for need in needs if not need.found(need.name)]


def install_packages(packages: list[str]) -> str:
    """Installs Debian packages; returns why that failed, or an empty string."""
    if not has_program("apt-get"):
        return "apt-get is not available"
    apt = ["apt-get", "-q", "-o", "DPkg::Lock::Timeout=300"]
    if os.geteuid() != 0:
        allowed = ["sudo", "-n", "true"]
        if not has_program("sudo") or subprocess.run(allowed, capture_output=True).returncode != 0:
            return "only root may install it"
        apt = ["sudo", "-n", *apt]
    install = [*apt, "install", "-y", "--no-install-recommends", *packages]
    label = "system packages " + " ".join(packages)

    # package lists may be missing or outdated: then they are fetched, and the installation is tried again
    lists = any(Path("/var/lib/apt/lists").glob("*_Packages*"))
    if lists and run_step(label, install)[0] == 0:
        return ""
    run_step("package lists", [*apt, "update"])
    code, output = run_step(label, install)
    errors = [line for line in output.splitlines() if line.startswith("E:")]
    return "" if code == 0 else "apt-get failed: " + (errors or ["unknown error"])[0]


def set_up_system(testing: bool, new_venv: bool, release: bool = False) -> None:
    """Installs what is missing; reports what could not be installed, and stops only without venv."""
    missing = missing_needs(testing, new_venv, release)
    if not missing:
        return
    reason = install_packages([need.package for need in missing])
    importlib.invalidate_caches()
    missing = missing_needs(testing, new_venv, release)
    if not missing:
        return
    names = ", ".join(need.name for need in missing)
    uses = ", ".join(dict.fromkeys(need.use for need in missing))
    cure = "sudo apt-get install -y " + " ".join(need.package for need in missing)
    reason = reason or "the packages do not contain it"
    sentence = f"missing {names} (for {uses}): {reason}; to install: {cure}"
    if any(need in VENV_NEEDS for need in missing):
        raise SetupError(sentence)
    say(sentence)


# ---- the virtual environment ----


def wanted_stamp(testing: bool, found: dict[str, object]) -> dict[str, object]:
    """The record of an up-to-date environment; one with the tests' packages keeps them."""
    digest = hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + VERSIONS.read_bytes()).hexdigest()
    extras = "test" if testing else found.get("extras", "")
    packages = [*MODEL_PACKAGES, *OTHER_MUJOCO] if extras else []
    return {"root": str(ROOT), "python": VERSION, "pyproject": digest, "extras": extras, "models": packages}


def read_stamp() -> dict[str, object]:
    """The record of a finished environment; empty when there is none."""
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def venv_fault(found: dict[str, object]) -> str:
    """Why .venv has to be created again; empty if it works."""
    if not os.path.lexists(VENV):
        return "it is missing"
    if UNFINISHED.exists():
        return "its set-up was interrupted"
    if found and found.get("root") != str(ROOT):
        return "the folder was moved"
    probe = "import sys, pip; print('%d.%d' % sys.version_info[:2])"
    try:
        # -I: ignore the current folder
        answer = subprocess.run([PYTHON, "-I", "-c", probe], stdin=subprocess.DEVNULL, capture_output=True)
    except OSError:
        return "its Python does not start"
    version = answer.stdout.decode().strip()
    if answer.returncode != 0:
        return "it has no working pip"
    return "" if version == VERSION else f"it has Python {version}, this is {VERSION}"


def make_venv(fault: str, keep: tuple[int, ...]) -> None:
    """Creates .venv; a file in it shows a later run if this one was interrupted."""
    label = "virtual environment" + (f" again: {fault}" if os.path.lexists(VENV) else "")
    if VENV.is_dir() and not VENV.is_symlink():
        shutil.rmtree(VENV)
    else:
        VENV.unlink(missing_ok=True)
    VENV.mkdir()
    UNFINISHED.touch()
    base = getattr(sys, "_base_executable", "") or sys.executable
    code, output = run_step(label, [base, "-I", "-m", "venv", str(VENV)], keep)
    if code != 0:
        raise SetupError(f"the virtual environment could not be created in {VENV}.", output)
    UNFINISHED.unlink()


def install_project(stamp: dict[str, object], keep: tuple[int, ...]) -> None:
    """Installs the project and its dependencies with pip, as configured on this machine."""
    STAMP.unlink(missing_ok=True)
    UNFINISHED.touch()
    testing = bool(stamp["extras"])
    pip = [str(PYTHON), "-P", "-m", "pip", "--disable-pip-version-check", "--no-input"]
    # Python compiles what is imported, which is a small part of all
    install = [*pip, "install", "--no-user", "--no-compile"]
    if testing and any(VENV.glob("lib/*/site-packages/mujoco")):
        # an update from MuJoCo 3 to 4 deletes files that both have
        run_step("removing the previous MuJoCo", [*pip, "uninstall", "-y", "mujoco", "mujoco-core"], keep)
    project = ["--editable", f"{ROOT}[{stamp['extras'] or 'numba'}]"]
    # a clone compiles its kernels, not its wheel's
    settings = {"HATCH_BUILD_NO_HOOKS": "1"}
    label = "python packages" + (", with those for the tests" if testing else "")
    code, output = run_step(label, [*install, "--constraint", str(VERSIONS), *project], keep, settings)
    if code > 0:
        # another Python or another platform may not have the versions that were tested
        code, output = run_step(f"{label}, other versions", [*install, *project], keep, settings)
    if code == 0 and testing:
        code, output = run_step("models for the tests", [*install, "--no-deps", *MODEL_PACKAGES], keep)
    if code == 0 and testing:
        shutil.rmtree(OTHER_MUJOCO_FOLDER, ignore_errors=True)
        other = ["--no-deps", "--target", str(OTHER_MUJOCO_FOLDER), *OTHER_MUJOCO]
        code, output = run_step(f"{OTHER_MUJOCO[0]}, side by side", [*install, *other], keep)
    if code < 0:
        raise SetupError(f"pip was killed by signal {-code}; run the same command again.", output)
    # a pip that exits by itself leaves no package half installed
    UNFINISHED.unlink()
    if code != 0:
        raise SetupError("pip could not install the python packages; its output is above.", output)
    new = STAMP.with_suffix(".new")
    new.write_text(json.dumps(stamp, indent=1) + "\n", encoding="utf-8")
    new.replace(STAMP)


@contextlib.contextmanager
def only_one() -> Iterator[tuple[int, ...]]:
    """Allows one set-up at a time; pip inherits the lock and keeps it if its parent is killed."""
    import fcntl

    with LOCK.open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another set-up in this folder")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield (file.fileno(),)


def set_up(testing: bool) -> None:
    """Brings system packages, .venv and the installed project up to date with this checkout."""
    found = read_stamp()
    done = found == wanted_stamp(testing, found) and PYTHON.exists() and not UNFINISHED.exists()
    if done:
        set_up_system(testing, new_venv=False)
        return
    with only_one() as keep:
        # another set-up may have changed everything while this one waited
        found = read_stamp()
        stamp = wanted_stamp(testing, found)
        fault = venv_fault(found)
        set_up_system(testing, new_venv=bool(fault))
        if fault:
            make_venv(fault, keep)
        if fault or found != stamp:
            install_project(stamp, keep)


# ---- what is run ----


def run_checks() -> int:
    """Style and types, all of them even when one fails; 0 if everything passes."""
    failed = 0
    for label, command in CHECKS:
        code, output = run_step(label, [str(PYTHON), "-P", "-m", *command])
        if code != 0:
            print(output, flush=True)
            failed = failed or code
    return failed


def changed_tests() -> list[str]:
    """The test files of what differs from HEAD."""
    where = [str(PYTHON), "-P", "-m", "tests.where", "--changed"]
    found = subprocess.run(where, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if found.returncode != 0:
        raise SetupError("git or tests.where could not tell what has changed.", found.stderr)
    return found.stdout.split()


def run_pytest(arguments: list[str]) -> int:
    """Run pytest; the exit code."""
    settings = {"PYTHONPATH": str(OTHER_MUJOCO_FOLDER)} if "--other-mujoco" in arguments else {}
    command = [str(PYTHON), "-P", "-m", "pytest", *arguments]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, **settings}).returncode


def run_all_tests(release: bool) -> int:
    """Compile all kernels, then run all tests, and for a release what takes long too; 0 if everything passes."""
    failed = 0
    if release:
        set_up_system(testing=True, new_venv=False, release=True)
        failed, output = run_step("TypeScript", ["npm", "install", "--prefix", str(TYPESCRIPT_FOLDER), TYPESCRIPT])
        print(output if failed else "", end="", flush=True)
    for label, settings in KERNELS:
        code, output = run_step(label, [str(PYTHON), "-P", "-m", "app", "warmup"], settings=settings)
        if code != 0:
            print(output, flush=True)
            failed = failed or code
    # one process more than there are cores: some wait for windows and files. The tests of one file stay in one
    # process: they share slow fixtures
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    options = [
        "-p",
        "tests.progress",
        "-q",
        "-n",
        str((cores or 1) + 1),
        "--dist",
        "loadfile",
        "--no-loadscope-reorder",
    ]
    options += ["--all"] if release else []
    for number, (label, paths) in enumerate(PASSES, 1):
        say(f"tests {number} of {len(PASSES)}: {label}")
        code = run_pytest([*options, *paths])
        failed = failed or code
    return failed


def run_tests(arguments: list[str]) -> int:
    """All tests, those of a change, or those that are named; the exit code."""
    if arguments in ([], ["--all"]):
        return run_all_tests(release=bool(arguments))
    if arguments[:1] == ["--changed"]:
        arguments = [*changed_tests(), *arguments[1:]]
        if not arguments:
            say("no tested file has changed")
            return 0
    return run_pytest(arguments)


def run_viewer(arguments: list[str]) -> NoReturn:
    """Replaces this process by the installed command, so that signals and the exit code are the viewer's."""
    program = str(VENV / "bin" / "kinetoscope")
    os.execv(program, [program, *arguments])


def open_standard_streams() -> None:
    """Point those that were closed by whoever started this at nothing: files opened later would take their place."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.dup2(os.open(os.devnull, os.O_RDWR), number)


def keep_bytecode() -> None:
    """Write bytecode, though whoever started this may not want it beside sources: without it every process that is
    started would compile everything that it imports."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ.setdefault("PYTHONPYCACHEPREFIX", str(VENV / "bytecode"))


def newer_python() -> str:
    """A Python on the path that is new enough; empty if there is none."""
    for minor in range(OLDEST[1] + 9, OLDEST[1] - 1, -1):
        name = f"python3.{minor}"
        if has_program(name) and subprocess.run([name, "-I", "-c", ""], capture_output=True).returncode == 0:
            return name
    return ""


def refusal() -> str:
    """Why this Python or this system cannot be used; empty if it can."""
    if sys.version_info < OLDEST:
        name = newer_python()
        cure = f"run it with {name}" if name else "install a newer Python and run it with that"
        return f"Python {OLDEST[0]}.{OLDEST[1]} or newer is required and this is {VERSION}: {cure}."
    if os.name != "posix":
        return "this set-up is for Linux and macOS; elsewhere, create a virtual environment and pip install -e .[numba]"
    return ""


def main(arguments: list[str]) -> int:
    """Sets up, then runs the viewer, the tests or the checks."""
    # with a model, `check` is a command of kinetoscope
    checking = arguments == ["check"]
    testing = checking or arguments[:1] == ["test"]
    open_standard_streams()
    keep_bytecode()
    try:
        sentence = refusal()
        if sentence:
            raise SetupError(sentence)
        set_up(testing)
        if checking:
            return run_checks()
        return run_tests(arguments[1:]) if testing else run_viewer(arguments)
    except SetupError as error:
        if error.output:
            print(error.output, file=sys.stderr)
        say(str(error))
        return 1
    except OSError as error:
        say(f"set-up or start in {ROOT} failed: {error}.")
        return 1
    except KeyboardInterrupt:
        say("interrupted; run the same command again.")
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
