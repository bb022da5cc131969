"""A Model back to MJCF."""
