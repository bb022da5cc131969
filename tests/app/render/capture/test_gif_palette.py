"""Gifs (app/render/capture/gif_palette.py): exact rates, one palette while it will do, small files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from app.render.capture.gif_palette import RATES, SAMPLED, exact_rate
from app.render.capture.video import Pixels, VideoWriter
from tests.app.movie import read_frames


def picture(number: int, tint: tuple[int, int, int] = (220, 70, 40)) -> Pixels:
    """A block that moves over a smooth ground."""
    y, x = np.mgrid[0:90, 0:160]
    pixels = np.stack([x, 2 * y, np.full_like(x, 60)], axis=2).astype(np.uint8)
    pixels[20:50, 2 * number : 2 * number + 30] = tint
    return pixels


def written(path: Path, pictures: list[Pixels], fps: int = 25) -> Path:
    with VideoWriter(path, (160, 90), fps) as video:
        for pixels in pictures:
            video.write(pixels)
    assert video.frames == len(pictures)
    return path


@pytest.mark.parametrize(("fps", "rate"), [(1, 1), (3, 2), (10, 10), (24, 20), (25, 25), (30, 25), (60, 50), (240, 50)])
def test_rates_are_exact(tmp_path: Path, fps: int, rate: int) -> None:
    """A gif counts in hundredths of a second."""
    assert exact_rate(fps) == rate and all(100 % known == 0 for known in RATES)
    path = written(tmp_path / "x.gif", [picture(k) for k in range(3)], fps)
    with Image.open(path) as gif:
        assert gif.info["duration"] == 1000 / rate


@pytest.mark.parametrize("count", [1, SAMPLED - 1, SAMPLED, SAMPLED + 5])
def test_every_frame_comes_back(tmp_path: Path, count: int) -> None:
    """Those that wait for the palette too."""
    pictures = [picture(k) for k in range(count)]
    frames = list(read_frames(written(tmp_path / "x.gif", pictures)))
    assert len(frames) == count
    for drawn, frame in zip(pictures, frames, strict=True):
        assert np.abs(frame.astype(int) - drawn).mean() < 4


def test_what_does_not_change_costs_nothing(tmp_path: Path) -> None:
    still = written(tmp_path / "still.gif", [picture(0)] * 60).stat().st_size
    one = written(tmp_path / "one.gif", [picture(0)]).stat().st_size
    moving = written(tmp_path / "moving.gif", [picture(k) for k in range(60)]).stat().st_size
    assert still < 2 * one and moving < 6 * one


def test_colours_that_come_later_are_met(tmp_path: Path) -> None:
    """With another palette, from the frame that needs it."""
    later = [np.zeros((90, 160, 3), np.uint8) + np.array([20, 240, 250], np.uint8)] * 3
    frames = list(read_frames(written(tmp_path / "x.gif", [picture(k) for k in range(SAMPLED + 3)] + later)))
    assert np.abs(frames[-1].astype(int) - later[-1]).max() < 12
