"""The palette of a gif: one for many frames, so that the encoder stores only pixels that have changed.

It is made from the first frames, and again when the colours of a later frame are no longer met. There is no dithering:
its pattern would change with every frame.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

Pixels = NDArray[np.uint8]

# frames per second whose length is a whole number of 1/100 s, as gif has it; browsers slow down faster ones
RATES = (50, 25, 20, 10, 5, 4, 2, 1)
COLOURS = 256
# the first frames, of which every few make the palette
SAMPLED, EVERY = 25, 6
# a frame that is further off than this many times the first ones, and this many levels more, needs other colours
WORSE, LEVELS = 1.5, 2.0


def exact_rate(fps: int) -> int:
    """The largest rate up to `fps` that a gif can have."""
    return next(rate for rate in RATES if rate <= max(fps, 1))


class GifPalette:
    """Turns frames into indices of a palette, each time as many as have gathered."""

    def __init__(self) -> None:
        self._waiting: list[Pixels] = []
        self._palette: Image.Image | None = None
        self._colours = np.zeros((0, 3), np.uint8)
        self._usual = 0.0

    def add(self, pixels: Pixels) -> list[Any]:
        """Take one more frame; returns those that can be encoded now."""
        if self._palette is None:
            self._waiting.append(pixels)
            return self.flush() if len(self._waiting) == SAMPLED else []
        return [self._frame(pixels)]

    def flush(self) -> list[Any]:
        """The frames that wait for a palette."""
        waiting, self._waiting = self._waiting, []
        if waiting:
            self._make(np.concatenate(waiting[::EVERY]))
            self._usual = self._error(waiting[0], self._quantise(waiting[0]))
        return [self._frame(pixels) for pixels in waiting]

    def _make(self, pixels: Pixels) -> None:
        """Choose colours, and leave one free: the encoder writes it for what has not changed."""
        # 20 ms at 1280x720; median cut takes 700 ms and is no closer
        self._palette = Image.fromarray(pixels).quantize(COLOURS - 1, Image.Quantize.FASTOCTREE)
        self._colours = np.array(self._palette.getpalette() or [], np.uint8).reshape(-1, 3)

    def _quantise(self, pixels: Pixels) -> Pixels:
        image = Image.fromarray(pixels).quantize(palette=self._palette, dither=Image.Dither.NONE)
        indices: Pixels = np.minimum(np.asarray(image), len(self._colours) - 1).astype(np.uint8)
        return indices

    def _error(self, pixels: Pixels, indices: Pixels) -> float:
        """The mean distance of a quantised frame, in levels of 0 to 255; every other line will do."""
        return float(np.abs(self._colours[indices[::2]].astype(np.int16) - pixels[::2]).mean())

    def _frame(self, pixels: Pixels) -> Any:
        """A frame for the encoder."""
        from av import VideoFrame

        indices = self._quantise(pixels)
        if self._error(pixels, indices) > WORSE * self._usual + LEVELS:
            self._make(pixels)
            indices = self._quantise(pixels)
            self._usual = self._error(pixels, indices)
        # the library keeps colours as ARGB words
        words = np.zeros((COLOURS, 4), np.uint8)
        words[: len(self._colours), 0], words[: len(self._colours), 1:] = 255, self._colours
        frame_type: Any = VideoFrame
        return frame_type.from_ndarray((indices, words), format="pal8")
