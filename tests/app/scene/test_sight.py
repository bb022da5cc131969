"""What moves and leaves the view is noticed, a user who looks away is not disturbed; sight.py."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.scene.camera import OrbitCamera, default_free_camera
from app.scene.sight import LOOK_SECONDS, Sight
from tests.app.conftest import Views

WORLD = "<statistic center='0 0 0' extent='2'/><worldbody><geom type='plane' size='5 5 1'/>{}</worldbody>"
BALL = "<body pos='0 0 .5'><freejoint/><geom size='.1'/></body>"


class Watch:
    """A clock, a camera, and a ball that can be put anywhere."""

    def __init__(self, views: Views, bodies: str = BALL) -> None:
        self.model, self.state = views(WORLD.format(bodies))
        self.camera, self.sight, self.now = default_free_camera(self.model), Sight(), 100.0
        self.places: Any = np.array(self.state.geom_xpos)
        self.state.__dict__["geom_xpos"] = self.places

    def after(self, seconds: float) -> bool:
        """Look on for a while, as frames come."""
        for _ in range(round(seconds / 0.05)):
            self.now += 0.05
            view, pose = self.camera.view(self.model), self.camera.pose()
            self.sight.look(self.model, self.state, view, pose, 1.5, self.now)
        return self.sight.lost


def test_what_falls_is_lost_until_it_is_seen_again(views: Views) -> None:
    watch = Watch(views)
    assert not watch.after(3)
    watch.places[1] = (0, 0, -40)
    assert not watch.after(0.7)
    assert watch.after(1)
    # an empty view makes one turn the camera
    watch.camera.orbit(0.1, 0.0)
    assert watch.after(0.1)
    watch.camera.lookat = watch.places[1]
    assert not watch.after(0.05)
    # and it goes on falling
    watch.places[1] = (0, 0, -90)
    assert watch.after(2)
    watch.places[1] = (0, 0, -40)
    assert not watch.after(2 * LOOK_SECONDS)


def test_who_looks_away_is_left_alone(views: Views) -> None:
    watch = Watch(views)
    assert not watch.after(1)
    watch.camera = OrbitCamera(lookat=np.array((50.0, 0.0, 0.0)))
    assert not watch.after(5)
    watch.camera.orbit(0.1, 0.1)
    assert not watch.after(5)


@pytest.mark.parametrize("bodies", ["", "<body pos='0 0 -40'><geom size='.1'/></body>"])
def test_nothing_moves(views: Views, bodies: str) -> None:
    assert not Watch(views, bodies).after(5)
