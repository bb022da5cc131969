"""The window: its layout, panels and overlays, and the pace of its frames."""
