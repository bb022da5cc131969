"""Video files: encodes frames as mp4 or gif at a constant rate.

An mp4 is fragmented, with a fragment each half second: if the process is killed, the file plays up to the last one. A
gif has one palette for many frames, and stores what changes. Frames of another size than the video are scaled to it.
Errors of the system (no folder, no permission, disk full) are a `VideoError` of one sentence, and what was written
stays, as does a file that was there before (`sim/recording/successor.py`). PyAV is imported late, as that takes 0.12 s.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from app.files.output import make_folder, reason
from app.render.capture.gif_palette import GifPalette, exact_rate
from sim.recording.carry import carry
from sim.recording.successor import begin, finish
from sim.user_error import UserError

if TYPE_CHECKING:
    from av import VideoFrame

Pixels = NDArray[np.uint8]

FRAGMENT_SECONDS = 0.5
FORMATS = (".mp4", ".gif")
# CRF, visually lossless; the default of 23 smears thin lines on a dark background
QUALITY = 18


class VideoError(UserError):
    """A video cannot be written; the message says why."""


class VideoWriter:
    """One video file. Use it in a `with`, or call `close`."""

    def __init__(self, path: Path, size: tuple[int, int], fps: int, carried: Path | None = None) -> None:
        import av

        if path.suffix.lower() not in FORMATS:
            raise VideoError(f"'{path.name}' should end in one of {', '.join(FORMATS)}")
        self.path, self._carried = path, carried
        # that were given, and that were encoded
        self.frames = self._encoded = 0
        self._gif = path.suffix.lower() == ".gif"
        self._palette = GifPalette()
        self.size = size if self._gif else even(size)
        self._fps = exact_rate(fps) if self._gif else fps
        try:
            make_folder(path)
            self._place = begin(path)
            self._container = av.open(str(self._place), "w", options=_container_options(self._gif))
        except OSError as error:
            raise VideoError(f"{path} cannot be written: {reason(error)}") from error
        self._stream: Any = self._add_stream()

    @property
    def fps(self) -> int:
        """Frames per second."""
        return self._fps

    def write(self, pixels: Pixels) -> None:
        """Append one frame: rows from top to bottom, RGB."""
        from av import VideoFrame

        frame = VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="rgb24")
        self.frames += 1
        if self._gif:
            scaled = frame.reformat(*self.size, interpolation="AREA") if frame_size(pixels) != self.size else frame
            self._put(self._palette.add(_pixels(scaled)))
        else:
            coded = frame.reformat(*self.size, format="yuv420p", dst_colorspace="ITU709", dst_color_range="MPEG")
            self._put([coded])

    def close(self, whole: bool = True) -> None:
        """Finish the file; may be called again. If it is not `whole`, an old one stays."""
        if self._stream is None:
            return
        try:
            if self.frames:
                self._put(self._palette.flush())
                self._encode(None)
        except BaseException:
            self._stop()
            raise
        if not self._stop() or not whole:
            return
        if self._carried is not None:
            carry(self._place, self._carried)
        try:
            finish(self._place, self.path)
        except OSError as error:
            raise VideoError(f"{self.path} cannot be written: {reason(error)}") from error

    def __enter__(self) -> VideoWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(whole=kind is None)

    def _add_stream(self) -> Any:
        """The one stream of the file."""
        if self._gif:
            stream: Any = self._container.add_stream("gif", rate=self._fps)
            stream.pix_fmt = "pal8"
        else:
            stream = self._container.add_stream("libx264", rate=self._fps)
            stream.pix_fmt = "yuv420p"
            stream.options = {"crf": str(QUALITY), "preset": "veryfast", "tune": "zerolatency"}
            stream.codec_context.gop_size = max(round(FRAGMENT_SECONDS * self._fps), 1)
            stream.codec_context.color_range = 1
            # BT.709, which players assume
            stream.codec_context.colorspace = stream.codec_context.color_primaries = 1
            stream.codec_context.color_trc = 1
        stream.width, stream.height = self.size
        return stream

    def _put(self, frames: list[Any]) -> None:
        """Encode frames, each 1 / fps after the one before."""
        for frame in frames:
            frame.pts, frame.time_base = self._encoded, Fraction(1, self._fps)
            self._encoded += 1
            self._encode(frame)

    def _encode(self, frame: Any) -> None:
        """Encode a frame, or flush with None; after an error the file is closed as it is."""
        from av import FFmpegError

        try:
            for packet in self._stream.encode(frame):
                self._container.mux(packet)
        except (OSError, FFmpegError) as error:
            seconds = max(self.frames - 1, 0) / self._fps
            self._stop()
            why = reason(error) if isinstance(error, OSError) else str(error)
            raise VideoError(f"{self._place} ends after {seconds:.1f} s of video: {why}") from error

    def _stop(self) -> bool:
        """Close the file, whatever state it is in; returns whether all of it is there."""
        self._stream = None
        try:
            self._container.close()
            if self._place.stat().st_size:
                return True
            # a video without frames leaves no file
            self._place.unlink()
        except OSError:
            # the end of the file is lost; its fragments are not
            return False
        return False


def even(size: tuple[int, int]) -> tuple[int, int]:
    """A size that h264 can have: it stores colours of 2 x 2 pixels."""
    return max(size[0] // 2 * 2, 2), max(size[1] // 2 * 2, 2)


def frame_size(pixels: Pixels) -> tuple[int, int]:
    """Width and height of an image."""
    return pixels.shape[1], pixels.shape[0]


def _pixels(frame: VideoFrame) -> Pixels:
    return frame.to_ndarray(format="rgb24").astype(np.uint8, copy=False)


def _container_options(gif: bool) -> dict[str, str]:
    if gif:
        return {"loop": "0"}
    return {"movflags": "frag_keyframe+empty_moov+default_base_moof", "flush_packets": "1"}
