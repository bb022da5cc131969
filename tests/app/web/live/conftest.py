"""A viewer in this process that is shown to pages."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import sim
from app import web_host
from app.application import Application
from app.run.commands import open_command
from app.run.sim_thread import SimThread
from app.ui.windows import WebWish, WindowWish
from tests.patience import PATIENCE

MODEL = """<mujoco><worldbody><light pos="0 0 4"/><geom name="floor" type="plane" size="2 2 .1"/>
<body name="ball" pos="0 0 1"><freejoint/><geom name="skin" size=".2"/></body></worldbody></mujoco>"""
PASSWORD = "a good password"


@dataclass
class Host:
    """A viewer, its address with the secret, and its model."""

    application: Application
    address: str
    model: Path


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """A paused viewer on a ball, for the owner and for who knows the password."""
    folder = tmp_path_factory.mktemp("host")
    model = folder / "ball.xml"
    model.write_text(MODEL)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("DISPLAY", "WAYLAND_DISPLAY"):
            patch.delenv(name, raising=False)
        patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        # of the machine
        patch.setenv("no_proxy", "127.0.0.1")
        patch.chdir(folder)
        addresses: list[str] = []
        patch.setattr(web_host, "announce", lambda _, address: addresses.append(address))
        ready: queue.SimpleQueue[Application | BaseException] = queue.SimpleQueue()
        sim.prepare(sim.load(model))

        def show() -> None:
            simulation = SimThread(sim, paused=True)
            simulation.start()
            simulation.send(open_command(model))
            try:
                application = Application(simulation, wish=WindowWish(web=WebWish(port=0, password=PASSWORD)))
            except BaseException as error:
                ready.put(error)
                raise
            ready.put(application)
            application.run()

        thread = threading.Thread(target=show)
        thread.start()
        application = ready.get()
        assert isinstance(application, Application)
        yield Host(application, addresses[0], model)
        application.close()
        thread.join(PATIENCE)
        assert not thread.is_alive()
