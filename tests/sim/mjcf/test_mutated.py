"""Mutated models: each loads or raises MjcfError, and nothing else happens; thousands in tests.soak.fuzz_mjcf."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from sim.mjcf import MjcfError, compile_text
from tests.sim.mjcf.attach.test_expand import REFERRED, REPLICATED
from tests.sim.mjcf.models import MODELS
from tests.sim.mjcf.mutate import mutated
from tests.sim.mjcf.pip_models import LARGE, pip_models
from tests.sim.mjcf.section_models import SECTIONS

ROOT = Path(__file__).resolve().parents[3]
SCENES = sorted((ROOT / "scenes").glob("*.xml"))
INLINE = [*MODELS.values(), *SECTIONS.values(), *REPLICATED.values(), *REFERRED.values()]
FILES = [*SCENES, *(path for path in pip_models() if not LARGE.search(str(path)))]


def tried(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile_text(text)
        except MjcfError as error:
            assert str(error)


def test_mutated_models_load_or_raise() -> None:
    for seed in range(40):
        pick = random.Random(seed)
        tried(mutated(pick.choice(INLINE), pick))


def test_mutated_files_load_or_raise(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(1000, 1040):
        pick = random.Random(seed)
        path = pick.choice(FILES)
        # files that a model names are sought in the folder it would lie in
        monkeypatch.chdir(path.parent)
        tried(mutated(path.read_text("utf-8", "replace"), pick))


def test_mutations_can_be_repeated() -> None:
    text = MODELS["chain"]
    assert mutated(text, random.Random(3)) == mutated(text, random.Random(3))
    made = [mutated(text, random.Random(seed)) for seed in range(50)]
    assert len(set(made)) > 40


@pytest.mark.release
def test_checked_engine_runs_what_loads() -> None:
    environment = {**os.environ, "KINETOSCOPE_CHECK": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tests.soak.fuzz_mjcf", "--count", "200"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
