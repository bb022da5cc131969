"""The instrument Cameras: its panel, and what belongs to it."""

from __future__ import annotations

from app.instruments.cameras.panel import cameras_panel
from app.instruments.cameras.views import CameraViews
from app.instruments.entry import Instrument

INSTRUMENT = Instrument(
    "Cameras",
    "right below",
    cameras_panel,
    question="what do the cameras see? Colours, depth, segmentation",
    words="camera image rgb depth segmentation sensor picture in picture",
    pictures=CameraViews,
)
