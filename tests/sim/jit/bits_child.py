"""Prints the exact results of toy kernels, or of scenes; for a process with another pipeline.

python -m tests.sim.jit.bits_child toy
python -m tests.sim.jit.bits_child SCENE ...
"""

import hashlib
import sys
from collections.abc import Iterator

import numpy as np

import sim
from sim.jit.kernel import Kernel
from sim.jit.loader import loader
from tests.sim.jit import toy

STEPS = 300
NUMBERS = (0.0, -0.0, 1.5, -2.25, 0.1, float("nan"), float("inf"))


def toy_lines() -> Iterator[str]:
    """Results of every kind of kernel: loops, branches, helpers, early returns, nested calls, errors."""
    m, d = toy.make(7, 2)
    # all at once: one batch of compilers
    kernels = [value for value in vars(toy).values() if isinstance(value, Kernel)]
    loader.load([unit for unit in kernels if unit not in (toy.does_not_compile, toy.writes_model)])
    rng = np.random.default_rng(0)
    for name in ("f", "deep", "wide", "single"):
        setattr(m, name, rng.normal(size=m.read(name).shape))
    m.long = rng.integers(-(1 << 40), 1 << 40, 7)
    toy.copy_all(m, d)
    yield digest(d)
    for start, stop, step in ((0, 9, 2), (5, -4, -3), (3, 3, 1), (0, 4, 0)):
        yield f"turns {toy.turns(m, start, stop, step)}"
    for x in NUMBERS:
        for y in NUMBERS[:5]:
            yield f"extremes {toy.extremes(m, x, y, 3)!r}"
            yield f"exact {toy.rest_of_square(m, x, y)!r} {toy.größe(m, x)!r}"
        yield f"quadruple {toy.quadruple(m, x)!r} {toy.chosen(m, int(x > 0))!r} {toy.root(m, abs(x))!r}"
    for n in range(12):
        yield f"joined {toy.joined(m, n)!r} {toy.no_turns(m, n)} {toy.first_above(m, 0.1 * n)}"
    for unit in (toy.total, toy.smooth):
        yield f"{unit.name} {unit(m, d)!r}"
    done = 0
    while done < 30:
        done += toy.run(m, d, 30 - done)
        d.grow_required()
    yield digest(d)
    yield f"asks {toy.asks(m, d, 2)!r} {toy.count(m, d, 5)} {toy.unsigned(m, 0.0)!r}"
    for call in (lambda: toy.nth_prime(m, 9), lambda: toy.read_at(m, d, 9, 1) if sim.jit.abi.CHECKED else None):
        try:
            yield f"no error {call()}"
        except (RuntimeError, IndexError) as error:
            yield f"{type(error).__name__} {error}"


def digest(d: sim.jit.Struct) -> str:
    """Hash of all fields."""
    values = d.values()
    return hashlib.sha256(b"".join(np.asarray(values[name]).tobytes() for name in sorted(values))).hexdigest()


def scene_lines(scene: str) -> Iterator[str]:
    """Hashes of the state and of every other number after some hundred steps."""
    m = sim.load(scene)
    d = sim.Data(m)
    sim.step(m, d, nstep=STEPS)
    yield f"{scene} {hashlib.sha256(sim.get_state(m, d).tobytes()).hexdigest()} ncon {d.ncon} nefc {d.nefc}"
    parts = (d.qacc, d.xpos, d.xquat, d.M, d.sensordata, d.contact.dist, d.contact.pos)
    yield hashlib.sha256(b"".join(np.ascontiguousarray(part).tobytes() for part in parts)).hexdigest()


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        print(*(toy_lines() if argument == "toy" else scene_lines(argument)), sep="\n")
    assert "numba" not in sys.modules
