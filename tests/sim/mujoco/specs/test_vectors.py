"""Vectors of specs, against MuJoCo's: items can be read and set, but not appended, and types are checked."""

from __future__ import annotations

from typing import Any

import mujoco
import pytest

from sim import mujoco as ours


@pytest.fixture(params=[ours, mujoco], ids=["ours", "mujoco"])
def geom(request: Any) -> Any:
    return request.param.MjSpec().worldbody.add_geom(userdata=[1, 2, 3])


def test_items(geom: Any) -> None:
    data = geom.userdata
    assert len(data) == 3 and list(data) == [1.0, 2.0, 3.0] and data[2] == 3.0
    data[1] = 9
    assert list(geom.userdata) == [1.0, 9.0, 3.0]
    for place in (3, -1):
        with pytest.raises(IndexError):
            data[place]
        with pytest.raises(IndexError):
            data[place] = 1
    assert not hasattr(data, "append")


def test_assignment(geom: Any) -> None:
    geom.userdata = (4, 5)
    assert list(geom.userdata) == [4.0, 5.0]
    for bad in ("x", 3):
        with pytest.raises((TypeError, RuntimeError)):
            geom.userdata = bad


def test_texts() -> None:
    for mj in (ours, mujoco):
        spec = mj.MjSpec()
        made = spec.add_tuple(objname=["a", "b"])
        made.objname[1] = "c"
        assert list(made.objname) == ["a", "c"]
        with pytest.raises(TypeError):
            made.objname[0] = 3
        spec.compiler.eulerseq = "ZYX"
        assert "".join(spec.compiler.eulerseq) == "ZYX"
