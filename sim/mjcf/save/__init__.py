"""Saves a Model as MJCF, with the edits made since it was loaded."""
