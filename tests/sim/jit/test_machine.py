"""What a process may use of the machine, and how many compilers it starts there."""

import os
import threading

import pytest

from sim.jit import build, machine
from tests.sim.jit import toy

GIB = 1024.0**3


def test_cores_are_those_that_may_be_used(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 5, 8}, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    assert machine.cores() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    assert machine.cores() == 64


@pytest.mark.parametrize(
    ("available", "limit", "used", "cached", "free"),
    [
        (8, None, None, None, 8),
        (8, "max", 1, 0, 8),
        (8, 4, 3, 0, 1),
        (8, 4, 3, 2, 3),
        (2, 4, 1, 0, 2),
        (None, None, None, None, float("inf")),
    ],
)
def test_free_memory_is_that_of_the_machine_or_of_its_container(
    tmp_path, monkeypatch, available, limit, used, cached, free
):
    monkeypatch.setattr(machine, "MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(machine, "CGROUP", tmp_path)
    if available is not None:
        kilobytes = int(available * GIB / 1024)
        (tmp_path / "meminfo").write_text(f"MemTotal: 1 kB\nMemFree: 2 kB\nMemAvailable:   {kilobytes} kB\n")
    if limit is not None:
        (tmp_path / "memory.max").write_text(f"{limit if limit == 'max' else int(limit * GIB)}\n")
        (tmp_path / "memory.current").write_text(f"{int(used * GIB)}\n")
        (tmp_path / "memory.stat").write_text(f"anon 12\ninactive_file {int(cached * GIB)}\n")
    assert machine.free_memory() == free * GIB


class Process:
    """A compiler process that ends when it is told to, and counts how many run."""

    def __init__(self, units):
        with build._running_lock:
            type(self).started += 1
        self.all_started.wait(60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def compile(self, unit, key):
        return None


@pytest.mark.parametrize(
    ("cores", "memory", "already", "processes"),
    [(8, 64, 0, 3), (2, 64, 0, 2), (8, 0.7, 0, 2), (8, 0.1, 0, 1), (4, 64, 3, 1), (4, 64, 4, 1), (4, 64, 2, 2)],
)
def test_compilers_are_as_many_as_there_is_room_for(monkeypatch, cores, memory, already, processes):
    """Three units; other threads of this process may have started compilers already."""
    monkeypatch.setattr(build, "cores", lambda: cores)
    monkeypatch.setattr(build, "free_memory", lambda: memory * GIB)
    monkeypatch.setattr(build, "_running", already)
    monkeypatch.setattr(build, "CompilerProcess", Process)
    Process.started, Process.all_started = 0, threading.Barrier(processes)
    build.compile_units({toy.count: "k", toy.quadruple: "k", toy.copy_all: "k"})
    assert Process.started == processes
    assert build._running == already


def test_without_threads_to_spare_one_compiler_does(monkeypatch):
    start, started = threading.Thread.start, []

    def only_one(thread):
        if started:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(build, "cores", lambda: 8)
    monkeypatch.setattr(build, "_running", 0)
    monkeypatch.setattr(build, "CompilerProcess", Process)
    monkeypatch.setattr(threading.Thread, "start", only_one)
    Process.started, Process.all_started = 0, threading.Barrier(1)
    build.compile_units({toy.count: "k", toy.quadruple: "k"})
    assert Process.started == 1 and build._running == 0
    with pytest.raises(RuntimeError, match="can't start new thread"):
        build.compile_units({toy.count: "k"})
    assert build._running == 0
