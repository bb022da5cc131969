"""What the commands about recordings (.ktr) do: write one while the run goes on, save one of the past, open one."""

from __future__ import annotations

import threading
from pathlib import Path

from app.model.problem import Problem
from app.run import commands as cmd
from app.run.recording.open_recording import OpenedRecording
from app.run.recording.run_recorder import RunRecorder
from app.run.run_state import RecordingReport
from app.run.time_travel import TimeTravel
from sim.recording.carry import carry

# s between two times that what is new is handed over
PERIOD = 0.5
FAILED = "The run could not be recorded"


class RecordableSimulation(TimeTravel):
    """A run that can be recorded, or was."""

    # the keyframe to which a reset returns
    _start_key: int | None = None
    _recorder: RunRecorder | None = None
    _followed = 0.0

    def _start_recording(self, command: cmd.StartRecording) -> None:
        """Record from now on, and all that is known of the past."""
        self._finish_recording()
        try:
            self._recorder = self._new_recorder(command.path)
        except ValueError as error:
            self._update(problem=Problem(FAILED, str(error)))
            return
        self._recorder.keep_view(command.view)
        self._follow()

    def _new_recorder(self, path: str) -> RunRecorder:
        return RunRecorder(path, self._history, self._run.path, self._start_key)

    def _stop_recording(self, command: cmd.StopRecording) -> None:
        self._finish_recording(command.view)

    def _finish_recording(self, view: str = "") -> None:
        """End the recording, if there is one, and wait until it is written."""
        recorder, self._recorder = self._recorder, None
        if recorder is None:
            return
        recorder.close(view)
        fault = recorder.fault
        self._update(recording=RecordingReport(recorder.path, recorder.bytes, fault) if fault else None)
        if not fault:
            self._update(notification=f"saved {recorder.path}")
        self._warn_of(recorder)

    def _save_recording(self, command: cmd.SaveRecording) -> None:
        """Write the past; a thread waits for the file."""
        try:
            recorder = self._new_recorder(command.path)
        except ValueError as error:
            self._update(problem=Problem(FAILED, str(error)))
            return
        self._history.keep_rest()
        recorder.follow()
        # the rest is the writer's
        threading.Thread(target=self._saved_recording, args=(recorder, command), name="recording").start()

    def _saved_recording(self, recorder: RunRecorder, command: cmd.SaveRecording) -> None:
        recorder.end(command.view)
        fault, saved = recorder.fault, command.path
        if command.video:
            saved = f"{command.video} with its recording"
            try:
                if not fault:
                    carry(Path(command.video), Path(command.path))
            except ValueError as error:
                fault = str(error)
            finally:
                Path(command.path).unlink(missing_ok=True)
        if fault:
            self.send(cmd.Report(FAILED, fault))
        else:
            self.send(cmd.Notify(f"saved {saved}"))
        for warning in recorder.warnings:
            self.send(cmd.Warn(warning))

    def _notify(self, command: cmd.Notify) -> None:
        self._update(notification=command.text)

    def _warn_of(self, recorder: RunRecorder) -> None:
        warnings = (*self._run.warnings, *recorder.warnings)
        self._update(warnings=tuple(dict.fromkeys(warnings)))

    def _follow(self) -> None:
        """Hand over what is new, now and then."""
        recorder = self._recorder
        if recorder is None:
            return
        self._followed = self._now()
        try:
            recorder.follow()
        except ValueError as error:
            # a version of the model that cannot be recorded
            self._recorder = None
            recorder.end("")
            self._update(recording=RecordingReport(recorder.path, recorder.bytes, str(error)))
            return
        self._update(recording=RecordingReport(recorder.path, recorder.bytes, recorder.fault))
        if recorder.fault:
            self._recorder = None

    def _publish(self) -> None:
        if self._recorder is not None and self._now() >= self._followed + PERIOD:
            self._follow()
        super()._publish()

    # ---- opening

    def _show_recording(self, opened: OpenedRecording) -> None:
        """The start of a recorded run, paused."""
        branch = max(opened.run.branches)
        self._update(paused=True, replaying=False)
        if not self._show(branch, 0):
            return
        if opened.damage:
            self._update(problem=Problem("Part of the recording is damaged", opened.damage))
        warnings = (*self._run.warnings, *opened.warnings)
        self._update(warnings=tuple(dict.fromkeys(warnings)))
