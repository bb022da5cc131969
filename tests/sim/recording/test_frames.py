"""Frames of recordings: what is packed is unpacked the same; a reader of the documented bytes agrees."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from sim.recording import file_format as ff
from sim.recording.frames import MOST_BYTES, FrameFile, RecordingError, frame
from sim.recording.run import CellValue, Change, Key, ModelEdits
from sim.recording.stored_rows import signature
from tests.sim.recording.made_runs import MODEL, made_run, record


def read_as_documented(data: bytes) -> list[tuple[bytes, bytes]]:
    """A second reader, from the text of frames.py alone."""
    assert data[:12] == bytes.fromhex("894B54520D0A1A0A 01000000")
    found, at = [], 12
    while at < len(data):
        type_, length, crc, head_crc = struct.unpack_from("<4sIII", data, at)
        assert zlib.crc32(data[at : at + 12]) == head_crc
        payload = data[at + 16 : at + 16 + length]
        assert zlib.crc32(payload) == crc
        found.append((type_, payload))
        at += 16 + length
    return found


def rows_as_documented(payload: bytes) -> np.ndarray:
    """Rows, from the text of file_format.py alone, number by number."""
    count, width = struct.unpack_from("<II", payload)
    planes = zlib.decompress(payload[8:])
    rows = np.zeros((count, width))
    for column in range(width):
        for row in range(count):
            at = column * count + row
            rows[row, column] = struct.unpack("<d", bytes(planes[plane * width * count + at] for plane in range(8)))[0]
    return rows


def test_the_documentation_is_enough(tmp_path: Path) -> None:
    import sim

    made, path = made_run(sim.loads(MODEL)), tmp_path / "run.ktr"
    record(made, path)
    frames = read_as_documented(path.read_bytes())
    file = FrameFile(str(path))
    assert frames == [(found.type.encode(), file.payload(found)) for found in file.frames()]
    first = next(payload for type_, payload in frames if type_ == b"ROWS")
    assert rows_as_documented(first)[0].tobytes() == made.rows[0, 0].tobytes()
    assert signature(made.model, made.edits) == sim.record_signature(made.model)


def test_rows_of_any_bits() -> None:
    rows = np.random.default_rng(0).integers(-(1 << 63), 1 << 63, (7, 13)).view(np.float64)
    assert ff.unpack_rows(ff.pack_rows(rows)).tobytes() == rows.tobytes()
    assert ff.unpack_rows(ff.pack_rows(np.zeros((3, 0)))).shape == (3, 0)


def test_edits_with_any_numbers() -> None:
    cells = (CellValue(3, 0, 0.1 + 0.2), CellValue(4, 0, float("-inf")), CellValue(5, 0, 5e-324))
    edits = ModelEdits({"geom_friction": cells}, (Key("ä", (("key_time", (1.5,)),)),))
    assert ff.unpack_edits(ff.pack_edits(edits)) == edits


@pytest.mark.parametrize("text", ["[]", '{"cells":{}}', '{"cells":{"a":[[0,0]]},"keys":[]}', '{"cells":3,"keys":[]}',
                                  '{"cells":{"a":[[0,true,1]]},"keys":[]}', '{"cells":{},"keys":[["a"]]}',
                                  '{"cells":{},"keys":[["a",{"b":["c"]}]]}', "nonsense"])  # fmt: skip
def test_edits_of_another_shape(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not|is missing|contains a non-number|Expecting"):
        ff.unpack_edits(text.encode())


def test_segments_with_and_without_a_change() -> None:
    change = Change(np.array([1, 5], np.int32), np.array([np.nan, -0.0]))
    for one in (change, None, Change(np.zeros(0, np.int32), np.zeros(0))):
        segment = ff.SegmentFrame(1, 2, 3, 0, 4, 0.5, 0.01, True, one, b'{"a":1}')
        found = ff.unpack_segment(ff.pack_segment(segment))
        assert found._replace(change=None) == segment._replace(change=None)
        assert (found.change is None) == (one is None)
        if one is not None and found.change is not None:
            assert found.change.indices.tolist() == one.indices.tolist()
            assert found.change.values.tobytes() == one.values.tobytes()


def test_a_closed_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"content")
    file = FrameFile(str(path))
    file.close()
    file.close()
    with pytest.raises(RecordingError, match="closed"):
        file.bytes_at(0, 1)


def test_a_frame_that_is_too_long() -> None:
    class Long(bytes):
        def __len__(self) -> int:
            return MOST_BYTES + 1

    with pytest.raises(ValueError, match="the maximum is"):
        frame("FILE", Long())
