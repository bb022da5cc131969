"""Run a model without a window until something happens, or make sure that it never does.

    kinetoscope run drop.xml --until 'touching("ball", "floor")'
    kinetoscope run robot.xml --never 'depth() > 0.01' --never 'not converged()' --time 60
    kinetoscope run run.ktr --until 'normal_force("foot") > 500'     # searches a recording
    kinetoscope run controller.py --gain 3                           # a script for MuJoCo: app/cli/run_script.py

Expressions are those of breakpoints. One line says when, at which step, what, and the element; the exit code is for CI.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.cli import EXIT_DIVERGED, EXIT_HAPPENED, EXIT_OK, EXIT_TIME_LIMIT
from app.cli.arguments import Progress, add_engine, add_key, add_model, existing, not_negative, positive, progress_bar
from app.files.output import make_folder
from app.files.recordings import SUFFIX, is_recording
from app.files.resources import start_key

if TYPE_CHECKING:
    from app.run.history.breakpoints import Hit, Watch
    from sim import Data, Model

SECONDS, EVERY = 10.0, 0.1
# steps between two times that progress is shown
SHOWN = 200
CODES = (
    f"exit code: {EXIT_OK} an --until condition was met (without --until: the time was reached), "
    f"{EXIT_HAPPENED} a --never condition was met, {EXIT_TIME_LIMIT} no --until condition was met in time, "
    f"{EXIT_DIVERGED} the simulation diverged, 1 bad model or expression, 2 bad options"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which model, for how long, what to wait for."""
    add_model(parser)
    add_engine(parser)
    expression: dict[str, Any] = {"action": "append", "default": [], "metavar": "EXPR"}
    parser.add_argument("--until", **expression, help="stop when this becomes true (or is already true at the start)")
    parser.add_argument("--never", **expression, help="stop and fail when this becomes true")
    help_time = f"maximum simulated time in seconds; default {SECONDS:g}, or the whole recording"
    parser.add_argument("--time", type=positive, metavar="T", help=help_time)
    parser.add_argument("--watch", **expression, help="print this at regular intervals")
    help_every = f"simulated seconds between these lines; default {EVERY:g}"
    parser.add_argument("--every", type=positive, default=EVERY, metavar="T", help=help_every)
    add_key(parser)
    parser.add_argument("--noise", type=not_negative, default=0.0, metavar="S", help="control noise, 0 to 1")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the noise")
    parser.add_argument("--record", type=Path, metavar="FILE", help=f"save the run as a recording, {SUFFIX}")
    parser.epilog = CODES


def run(options: argparse.Namespace) -> int:
    """Step or search, print what happened."""
    from app.run.history.breakpoints import Breakpoint, Watch
    from sim.user_error import UserError

    path = existing(options.model)
    if is_recording(path) and (options.record or options.key or options.noise):
        raise UserError("--record, --key and --noise are for models, but this is a recording")
    texts = [*options.until, *options.never]
    watch = Watch()
    watch.set([Breakpoint(number, text) for number, text in enumerate(texts)])
    with progress_bar("loading") as progress, ExitStack() as stack:
        moments = _recorded(options, path) if is_recording(path) else _stepped(options, path, stack, progress)
        return Search(options, watch, progress).run(moments)


@dataclass(frozen=True)
class Now:
    """A moment: its step, Model and Data, and whether what follows from the state has been computed."""

    step: int
    model: Model
    data: Data
    forwarded: bool
    # why there is no next one
    fault: str = ""


@dataclass
class Search:
    """Looks at one moment after the other."""

    options: argparse.Namespace
    watch: Watch
    progress: Progress

    def run(self, moments: Iterator[Now]) -> int:
        """Until something happens, or there are no more; returns the exit code."""
        end, due = self.options.time, 0.0
        if self.options.watch:
            print("time", *self.options.watch, sep="\t")
        for now in moments:
            if now.fault:
                print(f"diverged at {_when(now.step, float(now.data.time))}: {now.fault}")
                return EXIT_DIVERGED
            hits = self._look(now)
            if self.options.watch and (float(now.data.time) >= due - 1e-9 or hits):
                self._print_watched(now)
                due = float(now.data.time) + self.options.every
            if hits:
                return self._happened(hits, now)
            if now.step % SHOWN == 0:
                self.progress(round(1000 * float(now.data.time)), round(1000 * (end or 0)), "running")
        self._check_values()
        length = f"{float(now.data.time):.6g} s ({now.step} steps)"
        for text in self.options.until:
            print(f"not in {length}: {text}")
        if not (self.options.until or self.options.watch):
            print(f"{length}, and nothing happened" if self.options.never else length)
        return EXIT_TIME_LIMIT if self.options.until else EXIT_OK

    def _look(self, now: Now) -> list[Hit]:
        """What becomes true here, or is at the start."""
        if not self.watch.on:
            return []
        if now.step > 0:
            return self.watch.check(now.model, now.data, (0, now.step), now.forwarded)
        hits = self.watch.start(now.model, now.data, (0, 0), now.forwarded)
        # what no state gives a value to is a mistake, and is said at once
        self._check_values(self.watch.hopeless)
        return hits

    def _check_values(self, which: Callable[[int], bool] | None = None) -> None:
        """UserError if an expression has no value, and never had one."""
        from sim.user_error import UserError

        for point in self.watch.points:
            if point.error and (which is None or which(point.number)):
                raise UserError(f"{point.expression}: {point.error}")

    def _print_watched(self, now: Now) -> None:
        from sim.script.expression import evaluate

        data = now.data if now.forwarded else self.watch.forwarded(now.model, now.data)
        values = [evaluate(text, now.model, data) for text in self.options.watch]
        print(f"{float(now.data.time):.6g}", *(f"{value:.6g}" for value in values), sep="\t")

    def _happened(self, hits: Sequence[Hit], now: Now) -> int:
        from app.run.history.breakpoints import pointed

        never = [hit for hit in hits if hit.number >= len(self.options.until)]
        data = now.data if now.forwarded else self.watch.forwarded(now.model, now.data)
        for hit in never or hits:
            where = _element(now.model, data, pointed(now.model, data, hit.expression))
            print(f"{_when(now.step, hit.time)}: {hit.text}{where}")
        return EXIT_HAPPENED if never else EXIT_OK


def _when(step: int, time: float) -> str:
    return f"{time:.6g} s, step {step}"


def _element(model: Model, data: Data, selection: Any) -> str:
    """The element that a hit is about, in words."""
    from sim.analysis.element_names import described, element_name

    if selection is None:
        return ""
    if selection.kind == "contact":
        geoms = [int(geom) for geom in data.contact.geom[selection.index] if geom >= 0]
        sides = [(int(model.geom_bodyid[geom]), geom) for geom in geoms]
        # what does not move is known by its geoms
        named = [("body", body) if body else ("geom", geom) for body, geom in sides]
        return f" [{' and '.join(element_name(model, *side) for side in named)}]"
    return f" [{described(model, selection.kind, selection.index)}]"


def _recorded(options: argparse.Namespace, path: Path) -> Iterator[Now]:
    """The moments of a recording, of the branch that was recorded last."""
    import sim
    from app.run.engine.recorded import LOADERS

    recording = sim.load_recording(path, LOADERS)
    times = recording.times()
    for step, time in enumerate(times.tolist()):
        if options.time is not None and time > times[0] + options.time:
            return
        data = recording.restore(step)
        yield Now(step, data.model, data, forwarded=True)


def _stepped(options: argparse.Namespace, path: Path, stack: ExitStack, progress: Progress) -> Iterator[Now]:
    """The moments of a run of a model, from its start."""
    import sim
    from app.run.engine.choice import engine_named, open_model_saying

    model = open_model_saying(engine_named(options.engine), path)
    engine = model.engine
    data = engine.Data(model)
    key = _key(options.key, model) if options.key is not None else start_key(path, model.names["key"])
    engine.reset(model, data, key)
    data.noise.scale, data.noise.seed = options.noise, options.seed
    engine.prepare(model, progress, edits=False)
    advance: Callable[[], None] = lambda: engine.step(model, data)  # noqa: E731
    if options.record is not None:
        make_folder(options.record)
        advance = stack.enter_context(sim.Recorder(model, data, options.record, key, path.name)).step
    seconds, before = options.time or SECONDS, 0.0
    yield Now(0, model, data, forwarded=False)
    for step in range(round(seconds / float(model.opt.timestep))):
        before = float(data.time)
        advance()
        if fault := _fault(model, data):
            data.time = before
            yield Now(step, model, data, False, fault)
            return
        yield Now(step + 1, model, data, forwarded=False)


def _fault(model: Model, data: Data) -> str:
    """Which number became bad, if one did."""
    from app.run.history.divergence import FIELDS, owner, warned

    if not warned(data):
        return ""
    warning = next(warning for warning in FIELDS if data.warning.number[warning])
    field, index = FIELDS[warning], int(data.warning.lastinfo[warning])
    return f"{field}[{index}], {owner(model, field, index)}"


def _key(text: str, model: Model) -> int:
    """The number of a keyframe that is given by name or number."""
    from app.render.capture.free_camera import element_id

    return element_id(model.names["key"], text, "keyframe")
