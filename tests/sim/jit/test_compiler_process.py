"""A compiler process that fails in any way answers: an error names kernel and cause, and nothing is left half-written.

Tests compiler_process.py and worker.py.
"""

import base64
import importlib
import subprocess
import sys
import textwrap

import pytest

from sim.jit import CompileError, abi, build, cache, compiler_process
from sim.jit.kernel import unit_key
from sim.jit.worker import reply_to
from tests.sim.jit import toy
from tests.sim.jit.test_kernel import toy_environment

KERNEL = """
import os, signal, sys
from sim.jit import kernel
from tests.sim.jit.toy import MODEL

if "sim.jit.worker" in sys.modules and "pytest" not in sys.modules:
    {in_the_worker}

@kernel
def doubled(m: MODEL, x: float) -> float:
    return x + x
"""


@pytest.fixture
def store(monkeypatch, tmp_path):
    folder = tmp_path / "units"
    folder.mkdir()
    monkeypatch.setattr(cache, "folder", lambda: folder)
    return folder


@pytest.fixture
def mine(monkeypatch, tmp_path):
    """Makes a module with a kernel, and with something that happens only in the compiler process."""

    def make(in_the_worker):
        (tmp_path / "mine.py").write_text(KERNEL.format(in_the_worker=in_the_worker))
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "mine", raising=False)
        importlib.invalidate_caches()
        unit = importlib.import_module("mine").doubled
        return {unit: unit_key(unit, abi.platform())}

    yield make
    sys.modules.pop("mine", None)


@pytest.mark.parametrize(
    ("happens", "said"),
    [
        ("os.kill(os.getpid(), signal.SIGKILL)", r"ended by SIGKILL, as the system does when memory runs out"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", r"ended by SIGSEGV"),
        ("os.abort()", r"ended by SIGABRT"),
        ("os._exit(3)", r"ended with exit code 3"),
        ("sys.stderr.write('\\udcff rubbish'); sys.stderr.flush(); os.write(2, b'\\xff last'); os._exit(3)", r"last"),
        ("sys.exit(3)", r"SystemExit: 3"),
        ("raise KeyboardInterrupt", r"KeyboardInterrupt"),
        ("raise MemoryError", r"MemoryError"),
        ("(f := lambda: f())()", r"RecursionError"),
        ("input()", r"EOFError"),
        ("import no_such_module", r"No module named 'no_such_module'"),
    ],
)
def test_whatever_ends_a_worker_is_named(store, mine, happens, said):
    with pytest.raises(CompileError, match=f"(?s)mine.doubled.*{said}|{said}.*mine.doubled"):
        build.compile_units(mine(happens))
    assert list(store.iterdir()) == []


def test_what_is_printed_is_no_reply(store, mine, monkeypatch, tmp_path):
    """Neither before the worker's own code runs nor while it compiles, not even half a line."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text("import os; os.write(1, b'{\"error\": 1}\\n\\xff half a line')")
    monkeypatch.setenv("PYTHONPATH", str(site))
    units = mine("print('rubbish'); os.write(1, b'{\"error\": 1}\\n')")
    build.compile_units(units)
    ((unit, key),) = units.items()
    assert cache.read(unit.name, key) is not None


def test_a_worker_that_cannot_import_the_engine_says_so(store, monkeypatch):
    monkeypatch.setattr(compiler_process, "_path", lambda units: ["/no/such/folder"])
    with pytest.raises(CompileError, match=r"(?s)toy\.count: .* exit code 1 .*No module named 'sim'"):
        build.compile_units({toy.count: "key"})


def test_an_interpreter_that_does_not_start_is_named(store, monkeypatch):
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    with pytest.raises(CompileError, match=r"toy\.count: no compiler process: FileNotFoundError: .*/no/such/python"):
        build.compile_units({toy.count: "key"})


@pytest.mark.parametrize("where", ["toy.chosen", "local"])
def test_with_a_full_disk_kernels_stay_in_memory_and_leave_no_file(tmp_path, where):
    """The limit for files stands for a full disk: to write more fails. In a worker, and in this process."""
    script = textwrap.dedent("""
        import resource, sys
        from pathlib import Path
        from sim.jit import kernel
        from tests.sim.jit import toy

        @kernel
        def local(m: toy.MODEL, up: int) -> float:
            return 2.0 * up

        resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))
        unit = {"toy.chosen": toy.chosen, "local": local}[sys.argv[1]]
        for _ in range(2):
            print(unit(toy.make()[0], 1))
        print([p.name for p in Path(sys.argv[2]).iterdir()])
    """)
    environment = toy_environment(KINETOSCOPE_CACHE=str(tmp_path), PYTHONDONTWRITEBYTECODE="1")
    command = [sys.executable, "-c", script, where, str(tmp_path)]
    done = subprocess.run(command, check=True, env=environment, capture_output=True, text=True)
    first, second, files = done.stdout.splitlines()
    assert first == second == {"toy.chosen": "1.0", "local": "2.0"}[where]
    assert files == "[]"
    (said,) = (line for line in done.stderr.splitlines() if "RuntimeWarning" in line)
    assert f"not stored in {tmp_path}, and are compiled again" in said and "File too large" in said


def test_what_cannot_be_written_is_handed_back(store, monkeypatch):
    def no_permission(*_):
        raise PermissionError(13, "Permission denied")

    job = {"module": toy.__name__, "name": toy.count.name, "key": unit_key(toy.count, abi.platform())}
    monkeypatch.setattr(cache, "write", no_permission)
    reply = reply_to(job)
    assert reply["error"] == "[Errno 13] Permission denied"
    assert base64.b64decode(reply["code"])
    assert list(store.iterdir()) == []


def test_a_unit_edited_meanwhile_is_not_stored_under_its_old_key(store):
    reply = reply_to({"module": toy.__name__, "name": toy.count.name, "key": "that of another version"})
    assert "was edited while the program was running" in reply["error"]
