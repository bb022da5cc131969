"""Files of the viewer and of the user: bundled resources, settings, recent files, output paths."""
