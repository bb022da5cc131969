"""Actions that write files and have no key."""

from __future__ import annotations

from app.view.export_plots import begin_sensor_export
from app.view.input.desk import Desk
from app.view.input.gesture import Gesture


def export_sensors(desk: Desk, _: Gesture) -> None:
    """Write all sensors at every recorded step to a CSV file."""
    begin_sensor_export(desk.view, desk.snapshot, desk.send)
