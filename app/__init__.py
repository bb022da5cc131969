"""The Kinetoscope viewer: a window, a renderer and panels around the engine `sim`.

The simulation runs on its own thread; this package sends it commands and draws the snapshots that it publishes. See
`application.py` for the frame loop and `__main__.py` for the command line.
"""

__version__ = "0.1.0"
