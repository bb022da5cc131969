"""Builds the draw list of a snapshot: instances, lights, decor, cameras and picking. numpy only, no GL."""
