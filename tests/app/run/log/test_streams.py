"""What Python prints (app/run/log/streams.py, app/run/log/lines.py): it reaches the log and its old place."""

from __future__ import annotations

import contextlib
import io
import sys
import threading
import traceback
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from app.run.log import streams
from app.run.log.log import Level, Log


class Console:
    """The streams of the process, as pytest reads them."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def getvalue(self) -> str:
        """What was written, to stderr last."""
        return "".join(self._capsys.readouterr())


@pytest.fixture
def out(capsys: pytest.CaptureFixture[str]) -> Iterator[Console]:
    """What the process writes; after each test nothing listens."""
    console = Console(capsys)
    yield console
    assert not streams._listening


@contextlib.contextmanager
def listening(clock: float | None = None) -> Iterator[Log]:
    """A log that hears what is printed; afterwards the streams are what they were."""
    log, before = Log(), (sys.stdout, sys.stderr)
    streams.listen(log, lambda: clock)
    try:
        yield log
    finally:
        streams.stop(log)
    assert streams._listening or (sys.stdout, sys.stderr) == before


def found(log: Log) -> list[tuple[Level, str, str]]:
    return [(entry.level, entry.source, entry.text) for entry in log.entries()]


def test_prints_go_both_ways(out: Console) -> None:
    with listening(2.5) as log:
        print("hello", 3)
        sys.stderr.write("from stderr\n")
        sys.stdout.writelines(["a\n", "b\n"])
    assert out.getvalue() == "hello 3\na\nb\nfrom stderr\n"
    assert found(log) == [
        (Level.PRINT, "stdout", "hello 3"),
        (Level.PRINT, "stderr", "from stderr"),
        (Level.PRINT, "stdout", "a"),
        (Level.PRINT, "stdout", "b"),
    ]
    assert log.entries()[0].first.simulated == 2.5


def test_streams_are_restored(out: Console) -> None:
    with listening() as first, listening() as second:
        assert type(sys.stdout).__name__ == "Passing" == type(sys.stderr).__name__
        print("both")
    assert type(sys.stdout).__name__ != "Passing" != type(sys.stderr).__name__
    print("after")
    assert [entry.text for log in (first, second) for entry in log.entries()] == ["both", "both"]
    assert out.getvalue() == "both\nafter\n"


def test_the_stream_behaves_as_before(out: Console) -> None:
    encoding = sys.stdout.encoding
    with listening():
        assert sys.stdout.write("abc") == 3
        assert sys.stdout.encoding == encoding
        assert not sys.stdout.isatty() and sys.stdout.writable()
        sys.stdout.flush()
        with pytest.raises(TypeError):
            sys.stdout.write(3)  # type: ignore[arg-type]


def test_someone_else_replaces_the_stream(out: Console) -> None:
    """What is redirected goes where it should, and nothing is told twice."""

    class Upper:
        def __init__(self, below: Any) -> None:
            self.below = below

        def write(self, text: str) -> int:
            written: int = self.below.write(text.upper())
            return written

        def flush(self) -> None:
            """Nothing waits."""

    with listening() as log:
        with contextlib.redirect_stdout(io.StringIO()) as elsewhere:
            print("redirected")
        before = sys.stdout
        setattr(sys, "stdout", Upper(before))  # noqa: B010
        with listening() as second:
            print("once")
        sys.stdout = before
        print("end")
    assert elsewhere.getvalue() == "redirected\n"
    assert [entry.text for entry in second.entries()] == ["once"]
    assert [entry.text for entry in log.entries()][:1] == ["once"]
    assert out.getvalue() == "ONCE\nend\n"


def test_without_a_console(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    with listening():
        assert sys.stdout is None
    assert sys.stdout is None


def test_pieces_become_lines(out: Console) -> None:
    with listening() as log:
        print("a", end="")
        print("b", end=" ")
        assert found(log) == []
        print("c\n\nd\ne", end="")
    assert [entry.text for entry in log.entries()] == ["ab c", "d", "e"]


def test_progress_bars_keep_their_last_state(out: Console) -> None:
    with listening() as log:
        for share in range(3):
            print(f"\r{share} of 2", end="")
        print()
    assert [entry.text for entry in log.entries()] == ["2 of 2"]


def test_a_traceback_is_one_entry(out: Console) -> None:
    with listening() as log:
        for _ in range(3):
            try:
                raise ValueError("no such thing")
            except ValueError:
                traceback.print_exc()
        print("after", file=sys.stderr)
    first, second = log.entries()
    assert (first.level, first.times, first.heading) == (Level.ERROR, 3, "ValueError: no such thing")
    assert __file__ in first.text and 'raise ValueError("no such thing")' in first.text
    assert (second.level, second.text) == (Level.PRINT, "after")
    assert out.getvalue().count("Traceback") == 3


def test_a_traceback_with_a_cause_is_one_entry(out: Console) -> None:
    def fail() -> None:
        try:
            raise KeyError("inner")
        except KeyError as error:
            raise ValueError("outer") from error

    with listening() as log:
        sys.stderr.write(warnings.formatwarning("before", RuntimeWarning, __file__, 1))
        for _ in range(2):
            try:
                fail()
            except ValueError:
                traceback.print_exc()
        print("During handling of the above exception, nothing", file=sys.stderr)
    _, first, *rest = log.entries()
    assert first.text.count("Traceback") == 2 and first.times == 2
    assert "KeyError: 'inner'" in first.text and first.heading == "ValueError: outer"
    assert len(rest) == 1


def test_warnings(out: Console) -> None:
    with listening() as log:
        sys.stderr.write(warnings.formatwarning("take care", RuntimeWarning, __file__, 1))
        print("after")
    first, second = log.entries()
    assert first.level == Level.WARNING and "RuntimeWarning: take care" in first.text
    assert second.level == Level.PRINT


def test_threads_do_not_mix_their_lines(out: Console) -> None:
    def write(name: str) -> None:
        for number in range(100):
            sys.stdout.write(f"{name} ")
            sys.stdout.write(f"{number}\n")

    with listening() as log:
        threads = [threading.Thread(target=write, args=(name,)) for name in ("one", "two")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(entry.text for entry in log.entries()) == sorted(
        f"{n} {k}" for n in ("one", "two") for k in range(100)
    )


def test_what_a_log_prints_is_not_told_again(out: Console) -> None:
    log = Log()

    def clock() -> float:
        print("the clock was asked")
        return 1.0

    streams.listen(log, clock)
    try:
        print("once")
    finally:
        streams.stop(log)
    assert [entry.text for entry in log.entries()] == ["once"]
    assert out.getvalue() == "once\nthe clock was asked\n"


def test_a_log_that_fails_stops_no_script(out: Console) -> None:
    log = Log()

    def clock() -> float:
        raise RuntimeError("no time")

    streams.listen(log, clock)
    try:
        print("goes on")
    finally:
        log.clock = lambda: None
        streams.stop(log)
    assert out.getvalue() == "goes on\n"


def test_an_interrupted_print_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    class Closed(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError("the reader has gone")

    monkeypatch.setattr(sys, "stdout", Closed())
    with listening(), pytest.raises(BrokenPipeError):
        print("x")
