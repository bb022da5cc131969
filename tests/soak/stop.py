"""A plugin of pytest for tests.soak.mutations: notes tests that fail in STOP_FAILED, runs only STOP_ONLY.

After STOP_SECONDS of work of its process and of those that tests have started, the run ends: waiting does not count.
"""

from __future__ import annotations

import os

import pytest


def note(name: str) -> None:
    """Add a line to the file of failures."""
    with open(os.environ["STOP_FAILED"], "a", encoding="utf-8") as file:
        file.write(f"{name}\n")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep some tests."""
    only = os.environ["STOP_ONLY"].splitlines()
    items[:] = [item for item in items if not only or item.nodeid in only]


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Note a file that cannot be imported."""
    if report.failed:
        note(report.nodeid)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note a test that fails."""
    if report.failed:
        note(report.nodeid)


def pytest_runtest_teardown(item: pytest.Item) -> None:
    """End the run when its time is over."""
    if sum(os.times()[:4]) > float(os.environ["STOP_SECONDS"]):
        item.session.shouldstop = "its seconds are over"
