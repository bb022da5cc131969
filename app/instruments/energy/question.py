"""The question of the Energy instrument about the moment that is shown: its energies, and the power of each source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sim.analysis.audit.instant import Energies, instant
from sim.analysis.audit.step_work import power
from sim.analysis.audit.walker import LARGEST
from sim.analysis.audit.work_source import WorkSource

if TYPE_CHECKING:
    from app.background.probe import Moment


@dataclass(frozen=True, eq=False)
class EnergyAnswer:
    """Energies, J, and powers, W; positive is what increases the kinetic energy."""

    energies: Energies
    power: Mapping[WorkSource, float]


@dataclass(frozen=True)
class EnergyQuestion:
    """There is only one."""

    def answer(self, moment: Moment) -> EnergyAnswer:
        """Of the whole scene."""
        m, d = moment.model, moment.data
        if not (np.abs(d.qpos) < LARGEST).all() or not (np.abs(d.qvel) < LARGEST).all():
            raise ValueError("The state is not finite here, so its energy is undefined. Go back to an earlier time.")
        here = instant(m, d, [], [])
        return EnergyAnswer(here.energies, power(here))
