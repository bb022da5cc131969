"""What instruments cost the simulation: its step rate with each of them open, relative to all of them closed.

    python -m tests.bench.bench_instruments [SCENE ...] [--blocks 12] [--only WORD]

A simulation that never rests makes steps and publishes as its thread does; with each snapshot the threads beside the
window are asked what the instrument would ask in every frame. Blocks with it open and closed alternate; a ratio is the
median over pairs of them.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import sim
from app.background.field_choice import options_of
from app.background.probe import Question
from app.files.resources import find_scene
from app.instruments.ab.state import AbState
from app.instruments.code.code_questions import FieldQuestion, IndexQuestion
from app.instruments.contact.question import PathQuestion, TouchQuestion
from app.instruments.energy.question import EnergyQuestion
from app.instruments.energy.state import EnergyState
from app.instruments.forces.question import ForceQuestion
from app.instruments.lens.questions import LensQuestion, WhyQuestion
from app.instruments.lens.state import LensState
from app.instruments.softness.question import AskPair
from app.instruments.solver.questions import MatrixQuestion, StudyQuestion
from app.instruments.sweep.state import SweepState
from app.instruments.threads import Background
from app.run import commands as cmd
from app.run.history.breakpoints import Breakpoint
from app.run.simulation import Simulation
from app.run.snapshot import Snapshot
from app.view.view_state import ViewState
from tests.bench.bench_history import opened

BLOCK_SECONDS = 0.8
# a native call, as the simulation thread makes them, s
CALL = 0.004
# simulated before, so that there are contacts
START = 1.0
# of a sweep, and what it sweeps
SWEPT, SWEEP_SECONDS = "gravity z", 20.0
# breakpoints that never hit: a field, a measure, and five of them
PREDICATES = {
    "1 breakpoint, a field": ("d.qvel[0] > 1e9",),
    "1 breakpoint, a measure": ("normal_force() > 1e9",),
    "5 breakpoints": ("d.time < 0", "normal_force() > 1e9", "depth() > 1e9", "energy() > 1e99", "d.ncon > 1e9"),
}

# draws a frame of the panel, as far as the threads are concerned
Frame = Callable[[Snapshot, ViewState], object]


def asking(*questions: Question) -> Frame:
    """A panel that asks about the moment that is shown."""
    return lambda _, view: [view.instruments.ask(question) for question in questions]


def instruments(simulation: Simulation) -> dict[str, Frame]:
    """What each instrument asks in a frame."""
    model, data = simulation.live.model, simulation.live.data
    joint = model.njnt - 1
    tree = int(model.body_treeid[model.jnt_bodyid[joint]])
    study = StudyQuestion(None, (), -1, None)
    asked = {
        "none": asking(),
        "Forces, of a joint": asking(ForceQuestion("joint", joint)),
        "Forces, of a body": asking(ForceQuestion("body", int(model.jnt_bodyid[joint]))),
        "Solver": asking(study),
        "Solver, with H": asking(study, MatrixQuestion(study, "H", 0)),
        "Lens": lens(tree),
        "A/B": compare,
        "Sweep, while it runs": sweep,
        "Energy": energy,
        "Code": asking(IndexQuestion(0), FieldQuestion("d.qacc", -1)),
    }
    if data.ncon:
        first, second = (int(geom) for geom in data.contact.geom[0])
        asked["Contact"] = asking(TouchQuestion(first, second), PathQuestion(first, second))
        asked["Softness"] = asking(AskPair(first, second))
    return asked


def lens(tree: int) -> Frame:
    """Colours of all trees, and why one is awake."""

    def frame(snapshot: Snapshot, view: ViewState) -> None:
        view.of(LensState).tree = tree
        asking(LensQuestion(), WhyQuestion(tree))(snapshot, view)
        view.of(LensState).ask(snapshot)

    return frame


def compare(snapshot: Snapshot, view: ViewState) -> None:
    """A second simulation with half of the gravity, and a quantity."""
    if view.of(AbState).subject is None and snapshot.model is not None:
        (choice,) = (choice for choice in options_of(snapshot.model) if choice.name == SWEPT)
        view.of(AbState).change(choice, 0.5 * choice.value(snapshot.model))
        view.of(AbState).add("energy()")
    view.of(AbState).ask(snapshot)


def sweep(snapshot: Snapshot, view: ViewState) -> None:
    """Five values, again and again."""
    view.prefs.instruments = ["Sweep"]
    if view.of(SweepState).request is None and snapshot.model is not None:
        (choice,) = (choice for choice in options_of(snapshot.model) if choice.name == SWEPT)
        view.of(SweepState).choose(choice, snapshot.model)
        view.of(SweepState).seconds = SWEEP_SECONDS
        view.of(SweepState).run(snapshot)


def energy(snapshot: Snapshot, view: ViewState) -> None:
    """The moment, and the last seconds."""
    asking(EnergyQuestion())(snapshot, view)
    view.of(EnergyState).ask(snapshot)


def rate(simulation: Simulation, state: Mapping[str, Any], tick: Callable[[Snapshot], None]) -> float:
    """Steps per second of a block from a state; `tick` is called with each snapshot."""
    sim.restore_state(simulation.live.model, simulation.live.data, state)
    began, made, serial = time.perf_counter(), 0, -1
    while time.perf_counter() - began < BLOCK_SECONDS:
        simulation.receive(0.0)
        steps = max(int(CALL / max(simulation.live.clock.step_seconds, 1e-7)), 1)
        simulation.travel.step(steps)
        made += steps
        simulation.publish()
        if simulation.latest.serial != serial:
            serial = simulation.latest.serial
            tick(simulation.latest)
    return made / (time.perf_counter() - began)


def ratio(simulation: Simulation, blocks: int, opened_: Callable[[bool], Callable[[Snapshot], None]]) -> float:
    """The rate with an instrument open relative to closed, all from the same state."""
    state = sim.copy_state(simulation.live.model, simulation.live.data)
    ratios = []
    for _ in range(blocks):
        rates = [rate(simulation, state, opened_(on)) for on in (False, True)]
        ratios.append(rates[1] / rates[0])
    sim.restore_state(simulation.live.model, simulation.live.data, state)
    return float(np.median(ratios))


def ask(background: Background, frame: Frame) -> Callable[[bool], Callable[[Snapshot], None]]:
    """Ask in every frame, or ask nothing."""

    def opened_(on: bool) -> Callable[[Snapshot], None]:
        view = ViewState()

        def tick(snapshot: Snapshot) -> None:
            background.begin_frame(view, snapshot)
            if on:
                frame(snapshot, view)
            background.end_frame(view, snapshot)

        return tick

    return opened_


def watch(simulation: Simulation, texts: tuple[str, ...]) -> Callable[[bool], Callable[[Snapshot], None]]:
    """Set breakpoints, or none."""

    def opened_(on: bool) -> Callable[[Snapshot], None]:
        points = tuple(Breakpoint(number, text) for number, text in enumerate(texts)) if on else ()
        simulation.handle(cmd.SetBreakpoints(points))
        return lambda snapshot: None

    return opened_


def main() -> None:
    """Print a line for each scene and instrument."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scenes", nargs="*", default=["humanoid", "pile", "ragdolls"])
    parser.add_argument("--blocks", type=int, default=12)
    parser.add_argument("--only", default="", help="instruments whose name has this word")
    options = parser.parse_args()
    for name in options.scenes:
        simulation = opened(find_scene(name))
        background = Background(simulation.send)
        simulation.travel.step(round(START / float(simulation.live.model.opt.timestep)))
        # threads beside the window rest while it runs
        simulation.status.update(paused=False)
        cases = {title: ask(background, frame) for title, frame in instruments(simulation).items()}
        cases |= {title: watch(simulation, texts) for title, texts in PREDICATES.items()}
        for title, case in cases.items():
            if options.only in title:
                print(f"{name}: {title}: {ratio(simulation, options.blocks, case):.3f}", flush=True)
        background.close()
        simulation.handle(cmd.Quit())


if __name__ == "__main__":
    main()
