"""The gate before native code: it is shut while kernels are exchanged."""

import threading

import pytest

from sim.jit import gate as module
from sim.jit.gate import Gate


def test_callers_wait_and_those_inside_go_on():
    gate = Gate()
    mine, theirs = gate.new_thread(), gate.new_thread()
    passed = threading.Event()

    def call():
        theirs.calls += 1
        if gate.shut:
            gate.wait(theirs)
        passed.set()
        theirs.calls -= 1

    with gate.closed(mine):
        thread = threading.Thread(target=call)
        thread.start()
        # a nested call is not asked to wait
        inner = gate.new_thread()
        inner.calls = 2
        gate.wait(inner)
        assert inner.calls == 2
        assert not passed.is_set()
    thread.join()
    assert passed.is_set()


def test_whoever_waits_inside_for_a_caller_is_let_go():
    gate = Gate()
    mine, first, second = gate.new_thread(), gate.new_thread(), gate.new_thread()
    called, entered = threading.Event(), threading.Event()

    def outer():
        first.calls += 1
        entered.set()
        called.wait()
        first.calls -= 1

    def caller():
        entered.wait()
        while not gate.shut:
            pass
        second.calls += 1
        gate.wait(second)
        called.set()
        second.calls -= 1

    threads = [threading.Thread(target=run) for run in (outer, caller)]
    for thread in threads:
        thread.start()
    entered.wait()
    with gate.closed(mine):
        assert called.is_set()
    for thread in threads:
        thread.join()


def test_it_is_opened_again_if_a_call_does_not_end(monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    monkeypatch.setattr(module, "SHUT_SECONDS", 0.0)
    gate = Gate()
    mine, theirs = gate.new_thread(), gate.new_thread()
    theirs.calls = 1
    with pytest.raises(TimeoutError, match="kernels were not exchanged"), gate.closed(mine):
        pass
    assert not gate.shut
    mine.calls = 1
    with pytest.raises(RuntimeError, match="native code calls"), gate.closed(mine):
        pass
