"""Settings that every test shares, and the order in which several processes take up test files.

Property tests are repeatable (the same examples each run) and have no time limit: machines differ.
"""

from collections import Counter

import pytest
from hypothesis import settings

settings.register_profile("kinetoscope", deadline=None, derandomize=True)
settings.load_profile("kinetoscope")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give long files to the processes first, short ones last: so they all end at the same time."""
    if not hasattr(config, "workerinput"):
        return
    tests = Counter(item.path for item in items)
    long = {item.path for item in items if item.get_closest_marker("slow") or item.get_closest_marker("window")}
    items.sort(key=lambda item: (item.path not in long, -tests[item.path], item.path))
