"""A session: what is saved and restored when the viewer restarts with changed source."""
