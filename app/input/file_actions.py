"""Actions that write files and have no key."""

from __future__ import annotations

from app.input.desk import Desk
from app.input.gesture import Gesture
from app.view.export_plots import begin_sensor_export


def export_sensors(desk: Desk, _: Gesture) -> None:
    """Write all sensors at every recorded step to a CSV file."""
    begin_sensor_export(desk.view, desk.snapshot, desk.send)
