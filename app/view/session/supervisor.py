"""What a restarted viewer's first process becomes: waits for the newest one, and ends with its exit code.

A shell waits for the process that it started, so that one stays, without anything of the viewer in it. Ctrl+C reaches
the viewer from the terminal; a request to end that comes to this process alone is passed on. Where the system allows
it, later viewers become children of this process when the one that started them ends.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from pathlib import Path

# of Linux: orphans below become children of this process
PR_SET_CHILD_SUBREAPER = 36
# a terminal or a service sends a signal to the whole group: then nothing needs to be passed on
GRACE_SECONDS = 1


def children() -> list[int]:
    """The processes whose parent this one is."""
    try:
        return [int(word) for word in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]
    except OSError:
        return [int(word) for word in sys.argv[1:2]]


def pass_on(*_: object) -> None:
    """End those that have not ended by themselves."""
    for child in children():
        os.kill(child, signal.SIGTERM)


def main() -> int:
    """Wait for all children; returns the exit code of the last."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGALRM, pass_on)
    signal.signal(signal.SIGTERM, lambda *_: signal.alarm(GRACE_SECONDS))
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    code = 0
    while True:
        try:
            code = os.waitstatus_to_exitcode(os.wait()[1])
        except ChildProcessError:
            # as a shell reports a signal
            return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main())
