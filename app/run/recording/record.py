"""Records the run: writes a recording (.ktr) while the run continues, and saves one of the past."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

from app.model.problem import Problem
from app.run import commands as cmd
from app.run.live_run import LiveRun
from app.run.recording.run_recorder import RunRecorder
from app.run.run_state import RecordingReport
from app.run.status import Status
from sim.recording.carry import carry

# s between two times that what is new is handed over
PERIOD = 0.5
FAILED = "The run could not be recorded"


class Recording:
    """The recording that is being written, if any."""

    def __init__(self, live: LiveRun, status: Status, send: Callable[[cmd.Command], None]) -> None:
        self._live, self._status, self._send = live, status, send
        self._recorder: RunRecorder | None = None
        # when it was last handed anything
        self._followed = 0.0

    def start(self, command: cmd.StartRecording) -> None:
        """Record from now on, and all that is known of the past."""
        self.finish()
        try:
            self._recorder = self._new_recorder(command.path)
        except ValueError as error:
            self._status.update(problem=Problem(FAILED, str(error)))
            return
        self._recorder.keep_view(command.view)
        self._follow()

    def follow(self) -> None:
        """Now and then, hand over what is new."""
        if self._recorder is not None and self._live.now() >= self._followed + PERIOD:
            self._follow()

    def _new_recorder(self, path: str) -> RunRecorder:
        return RunRecorder(path, self._live.history, self._status.run.path, self._live.start_key)

    def stop(self, command: cmd.StopRecording) -> None:
        """End the recording."""
        self.finish(command.view)

    def finish(self, view: str = "") -> None:
        """End the recording, if there is one, and wait until it is written."""
        recorder, self._recorder = self._recorder, None
        if recorder is None:
            return
        recorder.close(view)
        fault = recorder.fault
        self._status.update(recording=RecordingReport(recorder.path, recorder.bytes, fault) if fault else None)
        if not fault:
            self._status.update(notification=f"saved {recorder.path}", made=recorder.path)
        self._status.warn(*recorder.warnings)

    def save(self, command: cmd.SaveRecording) -> None:
        """Write the past; a thread waits for the file."""
        try:
            recorder = self._new_recorder(command.path)
        except ValueError as error:
            self._status.update(problem=Problem(FAILED, str(error)))
            return
        self._live.history.keep_rest()
        recorder.follow()
        # the rest is the writer's
        threading.Thread(target=self._saved_recording, args=(recorder, command), name="recording").start()

    def _saved_recording(self, recorder: RunRecorder, command: cmd.SaveRecording) -> None:
        recorder.end(command.view)
        fault, saved = recorder.fault, command.path
        then = partial(_carried, command.video) if command.video else command.then
        if then is not None:
            try:
                if not fault:
                    saved = then(command.path)
            except ValueError as error:
                fault = str(error)
            finally:
                Path(command.path).unlink(missing_ok=True)
        if fault:
            self._send(cmd.Report(FAILED, fault))
        else:
            self._send(cmd.Notify(f"saved {saved}", command.video or command.result or command.path))
        for warning in recorder.warnings:
            self._send(cmd.Warn(warning))

    def _follow(self) -> None:
        """Hand over what is new."""
        recorder = self._recorder
        if recorder is None:
            return
        self._followed = self._live.now()
        try:
            recorder.follow()
        except ValueError as error:
            # a version of the model that cannot be recorded
            self._recorder = None
            recorder.end("")
            self._status.update(recording=RecordingReport(recorder.path, recorder.bytes, str(error)))
            return
        self._status.update(recording=RecordingReport(recorder.path, recorder.bytes, recorder.fault))
        if recorder.fault:
            self._recorder = None


def _carried(video: str, recording: str) -> str:
    """Let a video carry a recording."""
    carry(Path(video), Path(recording))
    return f"{video} with its recording"
