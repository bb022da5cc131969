"""mj_saveModel and from_binary_path: a compiled model in a file. MuJoCo's own MJB files cannot be read."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from sim.fields import MODEL_LAYOUT
from sim.fields.references import REFERENCES, check_references
from sim.model import SIZES, Model
from sim.mujoco.binding import bound
from sim.mujoco.model import MjModel

# what a file starts with
MAGIC = b"kinetoscope model 1\n"


def _packed(m: MjModel) -> bytes:
    """The bytes of a model: arrays by field, and names."""
    values = m.values()
    text = json.dumps({"title": m.names.model_name, "names": dict(m.names.items())})
    out = io.BytesIO()
    np.savez(out, allow_pickle=False, _names=np.frombuffer(text.encode(), np.uint8), **values)
    return MAGIC + out.getvalue()


def _unpacked(data: bytes, name: str) -> MjModel:
    if not data.startswith(MAGIC):
        raise ValueError(f"{name} was not saved by this mj_saveModel; MuJoCo's own MJB files cannot be read")
    try:
        with np.load(io.BytesIO(data[len(MAGIC) :]), allow_pickle=False) as stored:
            words = json.loads(bytes(stored["_names"]).decode())
            values: dict[str, Any] = {key: stored[key] for key in stored.files if key in MODEL_LAYOUT.places}
    # the zip file has checksums; whatever the libraries say about it
    except Exception as why:
        raise ValueError(f"{name} is damaged") from why
    if not values.keys() >= {*SIZES}:
        raise ValueError(f"{name} was saved by a different version")
    model = Model(values, words["names"])
    check_references(model, tuple(REFERENCES))
    return MjModel.adopt(model, words["title"])


def load_model(filename: str | PathLike[str], assets: Mapping[str, bytes] | None) -> MjModel:
    """The model in a file, or in one of `assets`."""
    given = (assets or {}).get(str(filename))
    try:
        return _unpacked(Path(filename).read_bytes() if given is None else given, str(filename))
    except OSError as why:
        raise ValueError(f"cannot read {filename}: {why.strerror}") from None


@bound("m filename:any=None buffer:outu?*=None")
def mj_saveModel(m: Any, filename: Any, buffer: Any) -> None:
    """Save a model to a file, or to a buffer of mj_sizeModel bytes."""
    data = _packed(m)
    if buffer is not None:
        if len(buffer) < len(data):
            raise ValueError(f"the buffer has {len(buffer)} bytes, but the model needs {len(data)}")
        buffer[: len(data)] = np.frombuffer(data, np.uint8)
    elif filename is not None:
        Path(filename).write_bytes(data)


@bound("m", "int")
def mj_sizeModel(m: Any) -> int:
    """The number of bytes that mj_saveModel writes."""
    return len(_packed(m))
