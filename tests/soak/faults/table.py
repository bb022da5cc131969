"""All kinds of planted faults, in one table."""

from __future__ import annotations

from tests.soak.faults import actuators, contacts, inertia, joints, settings
from tests.soak.faults.fault import Fault

FAULTS: dict[str, Fault] = {
    fault.id: fault for topic in (inertia, joints, actuators, contacts, settings) for fault in topic.FAULTS
}
