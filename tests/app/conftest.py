"""Fixtures of the viewer's tests: a fake engine, headless panels, an off-screen GL context, small models."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import moderngl
import pytest

from app.model.views import ModelView, StateView
from app.render.device import offscreen_context
from app.run.snapshot import view_model, view_state
from tests.app.fake_engine import FakeEngine
from tests.app.gui_driver import Gui, gui_context

Views = Callable[[str], tuple[ModelView, StateView]]


def world(geoms: str) -> str:
    """A world body around some geoms."""
    return f"<worldbody>{geoms}</worldbody>"


@pytest.fixture(autouse=True, scope="session")
def sessions_of_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Viewers that tests start and kill leave nothing to be offered to the user."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture
def fake_engine() -> FakeEngine:
    """An engine that does what the test tells it."""
    return FakeEngine()


@pytest.fixture
def gui(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gui]:
    """Panels without a window."""
    with gui_context():
        yield Gui(monkeypatch)


@pytest.fixture(scope="session")
def shared_context() -> Iterator[moderngl.Context]:
    """One for all tests, for it takes a while to make."""
    context = offscreen_context()
    yield context
    context.release()


@pytest.fixture
def gl(shared_context: moderngl.Context) -> Iterator[moderngl.Context]:
    """A GL context without a screen, the current one whatever other tests have left behind."""
    with shared_context:
        yield shared_context


@pytest.fixture
def views() -> Views:
    """From the body of an MJCF file to what the GUI thread would see of it."""
    import sim

    def make(body: str) -> tuple[ModelView, StateView]:
        model: Any = sim.loads(f"<mujoco>{body}</mujoco>")
        data = sim.Data(model)
        sim.place(model, data)
        return view_model(model), view_state(data)

    return make
