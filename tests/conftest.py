"""What all tests share: settings, the kernels they run on, which of them run, and in which order.

- Property tests repeat the same examples in each run and have no time limit: machines differ.
- What a process inherits from whoever starts it is the same: SIGINT is heard, also behind `&`, and the umask is usual.
- A callback is for all models of a process: the next test has none of the last one.
- Models are loaded as if for the first time.
- The stages of a step run with checked indices, everything else with the kernels that users have.
- Of a product of parameters (models, integrators), each value is tried once, and of seeds the first few; `--all` tries
  the whole product, and the tests marked `release` too.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from app.bootstrap import STAGES
from tests.progress import known_seconds

Value = tuple[tuple[str, int], ...]
# of a parameter that is called so
SEEDS = 4

settings.register_profile("kinetoscope", deadline=None, derandomize=True)
settings.load_profile("kinetoscope")

# in processes that tests start too
os.environ.setdefault("KINETOSCOPE_LOAD", "fresh")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
os.umask(0o022)


@pytest.fixture(autouse=True)
def no_callbacks() -> Iterator[None]:
    yield
    module = sys.modules.get("sim.callback")
    if module is not None and module.any_callback():
        for name in dir(module.callbacks):
            setattr(module.callbacks, name, None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="whole products of parameters, and what only a release needs")
    parser.addoption("--other-mujoco", action="store_true", help="what differs between versions of MuJoCo")


def pytest_configure(config: pytest.Config) -> None:
    """Choose the kernels, before anything imports them; other processes inherit the choice."""
    places = [Path(argument.partition("::")[0]).resolve() for argument in config.args]
    stages = [config.rootpath / path for path in STAGES]
    if places and all(any(place.is_relative_to(stage) for stage in stages) for place in places):
        os.environ.setdefault("KINETOSCOPE_CHECK", "1")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only a release needs; give the files that take longest to the processes first."""
    if not config.getoption("all") and not any("::" in argument for argument in config.args):
        kept = covering(item for item in items if not item.get_closest_marker("release"))
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = [item for item in items if item in kept]
    if hasattr(config, "workerinput"):
        seconds = known_seconds()
        items.sort(key=lambda item: (-seconds.get(item.nodeid.partition("::")[0], 0.0), item.path))


def covering(items: Iterable[pytest.Item]) -> set[pytest.Item]:
    """As few items as have every value of every parameter of each test function; all items without a product."""
    kept = set()
    groups: dict[str, list[tuple[set[Value], pytest.Item]]] = {}
    seeds: dict[str, set[object]] = {}
    for item in items:
        values, function = values_of(item), item.nodeid.partition("[")[0]
        if "seed" in getattr(item, "fixturenames", ()) and hasattr(item, "callspec"):
            seen, seed = seeds.setdefault(function, set()), item.callspec.params.get("seed")
            if seed not in seen and len(seen) >= SEEDS:
                continue
            seen.add(seed)
        if len(values) < 2:
            kept.add(item)
        else:
            groups.setdefault(function, []).append((values, item))
    for group in groups.values():
        found: set[Value] = set()
        while True:
            # the one with most new values
            new, number = max((len(values - found), -number) for number, (values, _) in enumerate(group))
            if not new:
                break
            found |= group[-number][0]
            kept.add(group[-number][1])
    return kept


def values_of(item: pytest.Item) -> set[Value]:
    """What the parameters of an item are; those of one table are one value, by identity."""
    params = item.callspec.params if hasattr(item, "callspec") else {}
    tables = [mark.args[0] for mark in item.iter_markers("parametrize")]
    tables = [re.split(r"[,\s]+", names) if isinstance(names, str) else names for names in tables]
    tabled = {name for names in tables for name in names}
    rows = [*tables, *([name] for name in params if name not in tabled)]
    return {tuple((name, id(params[name])) for name in names) for names in rows}
