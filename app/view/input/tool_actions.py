"""The actions of the tools that place the selection: each takes its tool in hand, or puts it away."""

from __future__ import annotations

from app.view.input.desk import Desk
from app.view.input.gesture import Gesture
from app.view.tools import JOINT, MEASURE, MOVING, SCALING, SELECT, TURNING


def _take(desk: Desk, tool: str) -> None:
    tools = desk.view.tools
    tools.tool = SELECT if tools.tool == tool else tool
    tools.hovered, tools.points = -1, []


def move_tool(desk: Desk, _: Gesture) -> None:
    _take(desk, MOVING)


def turn_tool(desk: Desk, _: Gesture) -> None:
    _take(desk, TURNING)


def scale_tool(desk: Desk, _: Gesture) -> None:
    _take(desk, SCALING)


def joint_tool(desk: Desk, _: Gesture) -> None:
    _take(desk, JOINT)


def measure_tool(desk: Desk, _: Gesture) -> None:
    _take(desk, MEASURE)


def select_tool(desk: Desk, _: Gesture) -> None:
    _take(desk, SELECT)


def snapping(desk: Desk, _: Gesture) -> None:
    desk.view.tools.snap = not desk.view.tools.snap
