"""The Kinetoscope viewer: a window, a renderer and panels around the engine `sim`.

The simulation runs on a thread of its own; this package sends it commands and draws the snapshots it
publishes. See `application.py` for the loop and `__main__.py` for the command line.
"""

__version__ = "0.1.0"
