"""What this process may use of the machine: cores and memory."""

from __future__ import annotations

import os
import re
from pathlib import Path

MEMINFO = Path("/proc/meminfo")
CGROUP = Path("/sys/fs/cgroup")


def cores() -> int:
    """Number of cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def free_memory() -> float:
    """Bytes that may be allocated without swapping: of the machine, or of its container; infinite if unknown."""
    return min(_machine_memory(), _container_memory())


def _machine_memory() -> float:
    found = re.search(r"MemAvailable:\s+(\d+) kB", _text(MEMINFO))
    return 1024.0 * int(found[1]) if found else float("inf")


def _container_memory() -> float:
    """The limit of this control group less what is in use; files kept in memory do not count."""
    limit, used = _text(CGROUP / "memory.max").strip(), _text(CGROUP / "memory.current").strip()
    if not limit.isdecimal() or not used.isdecimal():
        return float("inf")
    cached = re.search(r"^inactive_file (\d+)", _text(CGROUP / "memory.stat"), re.MULTILINE)
    return float(int(limit) - int(used) + (int(cached[1]) if cached else 0))


def _text(path: Path) -> str:
    """Contents of a file; empty if there is none."""
    try:
        return path.read_text()
    except OSError:
        return ""
