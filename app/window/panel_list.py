"""All panels: the side on which each starts, and words by which the palette finds it."""

from __future__ import annotations

from app.instruments import instruments
from app.ui.docking import Panel
from app.window.panels.constraint_rows import rows_panel
from app.window.panels.contacts import contacts_panel
from app.window.panels.controls import controls_panel
from app.window.panels.edits import edits_panel
from app.window.panels.inspector.panel import inspector_panel
from app.window.panels.islands import islands_panel
from app.window.panels.joints import joints_panel
from app.window.panels.log import log_panel
from app.window.panels.physics import physics_panel, visual_panel
from app.window.panels.plots import plots_panel
from app.window.panels.rendering import rendering_panel
from app.window.panels.simulation import simulation_panel
from app.window.panels.timeline.panel import timeline_panel
from app.window.panels.tree import tree_panel

PANELS = (
    Panel("Simulation", "left", simulation_panel, "keyframes speed camera"),
    Panel(
        "Rendering", "left", lambda _snapshot, view, _send: rendering_panel(view), "graphics picture visual switches"
    ),
    Panel("Visual", "left", visual_panel, "colours scale"),
    Panel("Model tree", "left below", tree_panel, "bodies hierarchy outline elements"),
    Panel("Joints", "left below", joints_panel, "pose sliders qpos"),
    Panel("Controls", "left below", controls_panel, "actuators motors ctrl sliders"),
    Panel("Physics", "right", physics_panel, "options flags solver settings"),
    Panel("Inspector", "right", inspector_panel, "properties attributes selection"),
    Panel("Edits", "right", edits_panel, "changes history"),
    Panel("Timeline", "bottom", timeline_panel, "history replay scrub time"),
    Panel("Plots", "bottom", plots_panel, "graph chart curves measure distance watch"),
    Panel("Log", "bottom", log_panel, "messages output console terminal errors warnings"),
    Panel("Contacts", "bottom", contacts_panel, "contact table collisions"),
    Panel("Constraints", "bottom", rows_panel, "constraint rows efc nefc"),
    Panel("Islands", "bottom", islands_panel, "sleep trees awake"),
)


def panels() -> tuple[Panel, ...]:
    """Those that are always there, then instruments."""
    return (*PANELS, *instruments().values())
