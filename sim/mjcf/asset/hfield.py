"""Compiles height fields: from a PNG image, a binary file, or the attribute elevation.

Rows are in the order of growing y, columns of growing x; images and elevation have the rows reversed. Heights are
normalized to [0, 1].
"""

from __future__ import annotations

import numpy as np

from sim.mjcf.asset.asset_file import PNG, content_type, read_asset, read_png
from sim.mjcf.asset.rows import Floats
from sim.mjcf.records import HField, MemoryBudget

HFIELD = "image/vnd.mujoco.hfield"
SHALLOWEST = 1e-14
FEWEST = 2  # rows and columns


def compile_hfield(field: HField, budget: MemoryBudget) -> None:
    """Set `heights`, `nrow` and `ncol`."""
    if min(field.size) <= 0:
        given = " ".join(f"{x:g}" for x in field.size)
        raise field.error(f"size is {given}", "all four numbers must be positive")
    rows = _from_file(field) if field.file else _from_xml(field, budget)
    where = f"file '{field.file}': " if field.file else ""
    nrow, ncol = rows.shape
    if min(nrow, ncol) < FEWEST:
        raise field.error(f"{where}it has {nrow} rows and {ncol} columns", "use at least two of each")
    if not np.isfinite(rows).all():
        raise field.error(f"{where}a height is not finite")
    low, high = rows.min(), rows.max()
    span = float(high) - float(low)
    if span > float(np.finfo(np.float32).max):
        raise field.error(f"{where}its heights span {span:.2g}", "scale them down: only their proportions matter")
    rows = rows - low
    if span > SHALLOWEST:
        rows = rows / (high - low)
    field.nrow, field.ncol = nrow, ncol
    field.heights = rows


def _from_xml(field: HField, budget: MemoryBudget) -> Floats:
    if field.nrow < 1 or field.ncol < 1:
        raise field.error(f"nrow is {field.nrow} and ncol is {field.ncol}", "set both, or specify a file")
    count = field.nrow * field.ncol
    budget.reserve(field, 4 * count)
    if not field.elevation:
        return np.zeros((field.nrow, field.ncol), np.float32)
    if len(field.elevation) != count:
        raise field.error(f"elevation has {len(field.elevation)} values", f"nrow times ncol is {count}")
    return np.array(field.elevation, np.float32).reshape(field.nrow, field.ncol)[::-1]


def _from_file(field: HField) -> Floats:
    data = read_asset(field, field.file)
    kind = content_type(field.file, field.content_type)
    try:
        if kind == PNG:
            return read_png(data, 1)[0][::-1, :, 0].astype(np.float32)
        return _binary(data)
    except ValueError as why:
        raise field.error(f"file '{field.file}': {why}") from None


def _binary(data: bytes) -> Floats:
    """Header (rows, columns), then the heights."""
    if len(data) < 8:
        raise ValueError("the file is too short for a header")
    nrow, ncol = (int(n) for n in np.frombuffer(data, "<i4", 2))
    if nrow < 1 or ncol < 1:
        raise ValueError(f"its header has {nrow} rows and {ncol} columns")
    if len(data) != 8 + 4 * nrow * ncol:
        raise ValueError(f"the file has {len(data)} bytes, but its header implies {8 + 4 * nrow * ncol}")
    return np.frombuffer(data, "<f4", offset=8).astype(np.float32).reshape(nrow, ncol)
