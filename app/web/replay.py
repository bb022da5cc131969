"""A run for a browser: what is needed of a recording or a model, in one container."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import floor
from pathlib import Path
from typing import Any

import numpy as np

from app.run.snapshot import view_model
from app.web.look import Look
from app.web.payload import Container, Entry, quantise
from app.web.tracks import (
    Bounds,
    Frames,
    body_nodes,
    camera_poses,
    contact_table,
    fixed_to,
    light_poses,
    pose_tracks,
    tendon_table,
    with_nodes,
)
from sim.recording.frames import RecordingError
from sim.recording.recording import Recording
