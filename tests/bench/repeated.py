"""Stages many times in one native call, so that a benchmark does not measure the way from Python."""

from sim.enums import STAGE_ACC, STAGE_POS, STAGE_VEL
from sim.jit import kernel
from sim.stages.collision.driver import collision
from sim.stages.sensor.sensors import any_sensors, sensor_acc, sensor_pos, sensor_vel
from sim.stages.smooth.subtree import invalidate_subtrees


@kernel
def collision_repeated(m, d, n: int):
    for _ in range(n):
        collision(m, d)


@kernel
def sensors_repeated(m, d, n: int):
    for _ in range(n):
        invalidate_subtrees(d)
        if any_sensors(m, STAGE_POS):
            sensor_pos(m, d)
        if any_sensors(m, STAGE_VEL):
            sensor_vel(m, d)
        if any_sensors(m, STAGE_ACC):
            sensor_acc(m, d)
