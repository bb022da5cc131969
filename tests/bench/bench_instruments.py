"""What instruments cost the simulation: its step rate with each of them open, relative to all of them closed.

    python -m tests.bench.bench_instruments [SCENE ...] [--blocks 12]

A simulation that never rests makes steps and publishes as its thread does, and the probe answers beside it what the
instrument would ask in every frame. Blocks with it open and closed alternate; a ratio is the median over pairs of them.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import sim
from app.files.resources import find_scene
from app.history.breakpoints import Breakpoint
from app.insight.contacts.question import PathQuestion, TouchQuestion
from app.insight.force_question import ForceQuestion
from app.insight.probe import Probe, Question
from app.insight.softness_question import AskPair
from app.run import commands as cmd
from app.run.simulation import Simulation
from tests.bench.bench_history import opened

BLOCK_SECONDS = 0.8
# a native call, as the simulation thread makes them, s
CALL = 0.004
# simulated before, so that there are contacts
START = 1.0
# breakpoints that never hit: a field, a measure, and five of them
PREDICATES = {
    "1 breakpoint, a field": ("d.qvel[0] > 1e9",),
    "1 breakpoint, a measure": ("normal_force() > 1e9",),
    "5 breakpoints": ("d.time < 0", "normal_force() > 1e9", "depth() > 1e9", "energy() > 1e99", "d.ncon > 1e9"),
}


def instruments(simulation: Simulation) -> dict[str, frozenset[Question]]:
    """What each instrument asks about the present state."""
    model, data = simulation._model, simulation._data
    joint = model.njnt - 1
    asked: dict[str, frozenset[Question]] = {
        "Forces, of a joint": frozenset([ForceQuestion("joint", joint)]),
        "Forces, of a body": frozenset([ForceQuestion("body", int(model.jnt_bodyid[joint]))]),
    }
    if data.ncon:
        first, second = (int(geom) for geom in data.contact.geom[0])
        asked["Contact"] = frozenset([TouchQuestion(first, second), PathQuestion(first, second)])
        asked["Softness"] = frozenset([AskPair(first, second)])
    return asked


def rate(simulation: Simulation, state: Mapping[str, Any], tick: Callable[[int], None]) -> float:
    """Steps per second of a block from a state; `tick` is called with each snapshot."""
    sim.restore_state(simulation._model, simulation._data, state)
    began, made, serial = time.perf_counter(), 0, -1
    while time.perf_counter() - began < BLOCK_SECONDS:
        simulation._receive(0.0)
        steps = max(int(CALL / max(simulation._clock.step_seconds, 1e-7)), 1)
        simulation._step(steps)
        made += steps
        simulation._publish()
        if simulation.latest.serial != serial:
            serial = simulation.latest.serial
            tick(serial)
    return made / (time.perf_counter() - began)


def ratio(simulation: Simulation, blocks: int, opened_: Callable[[bool], Callable[[int], None]]) -> float:
    """The rate with an instrument open relative to closed, all from the same state."""
    state = sim.copy_state(simulation._model, simulation._data)
    ratios = []
    for _ in range(blocks):
        rates = [rate(simulation, state, opened_(on)) for on in (False, True)]
        ratios.append(rates[1] / rates[0])
    sim.restore_state(simulation._model, simulation._data, state)
    return float(np.median(ratios))


def ask(probe: Probe, questions: frozenset[Question]) -> Callable[[bool], Callable[[int], None]]:
    """Ask in every frame, or ask nothing."""
    return lambda on: lambda serial: probe.want(questions if on else frozenset(), serial, running=True)


def watch(simulation: Simulation, texts: tuple[str, ...]) -> Callable[[bool], Callable[[int], None]]:
    """Set breakpoints, or none."""

    def opened_(on: bool) -> Callable[[int], None]:
        points = tuple(Breakpoint(number, text) for number, text in enumerate(texts)) if on else ()
        simulation._handle(cmd.SetBreakpoints(points))
        return lambda serial: None

    return opened_


def main() -> None:
    """Print a line for each scene and instrument."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", nargs="*", default=["humanoid", "pile", "ragdolls"])
    parser.add_argument("--blocks", type=int, default=12)
    options = parser.parse_args()
    for name in options.scenes:
        simulation = opened(find_scene(name))
        probe = Probe(simulation.send)
        probe.start()
        simulation._step(round(START / float(simulation._model.opt.timestep)))
        cases = {title: ask(probe, asked) for title, asked in {"none": frozenset(), **instruments(simulation)}.items()}
        cases |= {title: watch(simulation, texts) for title, texts in PREDICATES.items()}
        for title, case in cases.items():
            print(f"{name}: {title}: {ratio(simulation, options.blocks, case):.3f}", flush=True)
        probe.close()
        simulation._handle(cmd.Quit())


if __name__ == "__main__":
    main()
