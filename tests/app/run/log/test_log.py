"""The log (app/run/log/log.py): repeats counted, bounded, threads, what is new."""

from __future__ import annotations

import threading

import pytest

from app.run.log import log as log_module
from app.run.log.log import Entry, Level, Log


def texts(log: Log) -> list[tuple[str, int]]:
    return [(entry.text, entry.times) for entry in log.entries()]


def test_repeats_are_counted() -> None:
    times = iter((1.0, 2.0, 3.0, 4.0))
    log = Log(lambda: next(times))
    for text in ("a", "a", "a", "b"):
        log.add(Level.PRINT, "stdout", text)
    assert texts(log) == [("a", 3), ("b", 1)]
    first = log.entries()[0]
    assert (first.first.simulated, first.last.simulated) == (1, 3)
    assert first.first.wall <= first.last.wall


def test_only_the_same_counts_as_a_repeat() -> None:
    log = Log()
    log.add(Level.PRINT, "stdout", "a")
    log.add(Level.PRINT, "stderr", "a")
    log.add(Level.ERROR, "stderr", "a")
    assert len(log.entries()) == 3


def test_it_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_module, "MAX_ENTRIES", 10)
    log = Log()
    for number in range(25):
        log.add(Level.PRINT, "stdout", str(number))
    assert [entry.text for entry in log.entries()] == [str(number) for number in range(15, 25)]
    assert log.dropped == 15
    log.add(Level.PRINT, "stdout", "x" * 1_000_000)
    assert len(log.entries()[-1].text) < 5_000 and "996000 more" in log.entries()[-1].text


def test_a_key_is_counted_wherever_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_module, "MAX_ENTRIES", 10)
    log = Log()
    log.count("w", Level.WARNING, "engine", "bad qpos[1]", 3)
    log.add(Level.PRINT, "stdout", "between")
    log.count("w", Level.WARNING, "engine", "bad qpos[2]")
    assert texts(log) == [("bad qpos[2]", 4), ("between", 1)]
    # once it has been dropped, it begins again
    for number in range(10):
        log.add(Level.PRINT, "stdout", str(number))
    log.count("w", Level.WARNING, "engine", "bad qpos[2]")
    assert texts(log)[-1] == ("bad qpos[2]", 1)
    log.forget("w")
    log.count("w", Level.WARNING, "engine", "bad qpos[2]")
    assert texts(log)[-2:] == [("bad qpos[2]", 1)] * 2


def test_a_key_is_found_after_entries_were_joined() -> None:
    log = Log()
    for _ in range(3):
        number = log.add(Level.ERROR, "stderr", "Traceback")
        log.extend(number, "x")
        log.join(number)
    log.count("w", Level.WARNING, "engine", "a")
    log.add(Level.PRINT, "stdout", "b")
    log.count("w", Level.WARNING, "engine", "a")
    assert texts(log) == [("Traceback\nx", 3), ("a", 2), ("b", 1)]


def test_what_is_new() -> None:
    log = Log()
    log.add(Level.PRINT, "stdout", "a")
    log.add(Level.MESSAGE, "viewer", "b")
    assert log.unseen == 0
    log.add(Level.WARNING, "engine", "c")
    log.add(Level.ERROR, "viewer", "d")
    assert log.unseen == 2
    log.see()
    assert log.unseen == 0
    log.add(Level.ERROR, "viewer", "d")
    assert log.unseen == 1
    log.clear()
    assert log.unseen == 0 == len(log.entries())


def test_lines_are_added_to_their_entry() -> None:
    log = Log()
    number = log.add(Level.ERROR, "stderr", "Traceback (most recent call last):")
    log.add(Level.PRINT, "stdout", "another thread")
    assert log.extend(number, "ValueError: no")
    assert log.entries()[0].heading == "ValueError: no"
    assert not log.extend(99, "x")


def test_heading() -> None:
    log = Log()
    log.add(Level.PRINT, "stdout", "first\nsecond")
    assert log.entries()[0].heading == "first"
    assert Entry(0, Level.PRINT, "", "", log.entries()[0].first, log.entries()[0].last).heading == ""


def test_threads() -> None:
    log = Log()

    def write(name: str) -> None:
        for number in range(300):
            log.add(Level.PRINT, "stdout", f"{name} {number}")

    threads = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = log.entries()
    assert len(found) == 1200 and len({entry.number for entry in found}) == 1200
    for name in "abcd":
        assert [e.text for e in found if e.text[0] == name] == [f"{name} {number}" for number in range(300)]
