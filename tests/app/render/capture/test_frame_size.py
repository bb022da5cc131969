"""Sizes of images and videos (frame_size.py), and options that are kept (recording.py)."""

from __future__ import annotations

from typing import Any

import pytest

from app.render.capture.frame_size import PRESETS, parse_size, scaled_down, size_cost, size_fault
from app.render.capture.recording import GIF_WIDTH, RecordingOptions, remembered_options


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1280x720", (1280, 720)),
        (" 1280 x 720 ", (1280, 720)),
        ("1280X720", (1280, 720)),
        ("1280×720", (1280, 720)),
        ("1280, 720", (1280, 720)),
        ("1280 720", (1280, 720)),
        ("1280", None),
        ("1280x", None),
        ("0x720", None),
        ("-1x720", None),
        ("wide", None),
        ("", None),
        ("1e3x20", None),
    ],
)
def test_what_may_be_typed(text: str, size: tuple[int, int] | None) -> None:
    assert parse_size(text) == size


def test_presets_are_sizes() -> None:
    assert all(parse_size(key) and not size_fault(parse_size(key) or (0, 0)) for key in PRESETS if key)


def test_too_large_says_the_limit() -> None:
    assert size_fault((4096, 4096), 4096) == ""
    assert "at most 4096 pixels" in size_fault((4097, 10), 4096)
    assert "at most 16384 pixels" in size_fault((16385, 10), 32768)
    assert "67 million pixels" in size_fault((16384, 8192), 16384)


def test_scaling_keeps_the_aspect() -> None:
    assert scaled_down((1400, 900), 640) == (640, 411)
    assert scaled_down((600, 900), 640) == (600, 900)
    assert scaled_down((1400, 900), 0) == (1400, 900)
    assert scaled_down((9000, 1), 640) == (640, 1)


def test_cost() -> None:
    assert size_cost((1280, 720), (1280, 720)) == "" == size_cost((3840, 2160), (0, 0))
    assert "9 times the view" in size_cost((3840, 2160), (1280, 720))


def test_sizes_of_a_video() -> None:
    options = RecordingOptions()
    assert options.drawn_size((701, 501)) == (701, 501)
    assert options.video_size((701, 501)) == (700, 500)
    options.size = "1920x1080"
    assert options.drawn_size((701, 501)) == (1920, 1080)
    options.gif = True
    assert options.video_size((1920, 1080)) == (GIF_WIDTH, 360)
    assert options.rate == 25
    # twice as large as it will be, for smooth edges
    assert options.drawn_size((701, 501)) == (1920, 1080)
    assert options.frame_size((701, 501)) == (2 * GIF_WIDTH, 720)
    options.gif_width, options.gif_fps = 0, 30
    assert options.video_size((1921, 1081)) == (1921, 1081)
    assert options.rate == 25


def test_options_are_remembered() -> None:
    options = RecordingOptions(fps=30, gif=True, size="1080x1080", gif_width=0, with_recording=True, speed=2.0)
    again = remembered_options(options.to_remember())
    # what is about one video is not
    assert again == RecordingOptions(fps=30, gif=True, size="1080x1080", gif_width=0)


@pytest.mark.parametrize(
    "values", [{"size": "wide"}, {"size": 7}, {"fps": "60"}, {"gif": 1}, {"gif_width": 1.5}, {"unknown": 1}]
)
def test_what_makes_no_sense_is_the_default(values: dict[str, Any]) -> None:
    assert remembered_options(values) == RecordingOptions()


def test_numbers_stay_within_their_limits() -> None:
    found = remembered_options({"fps": 10**9, "gif_width": -5, "gif_fps": -1})
    assert (found.fps, found.gif_width, found.rate) == (240, 0, 240)
    found.gif = True
    assert found.rate == 1
