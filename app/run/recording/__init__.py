"""Recordings of a run: written while it goes on, saved from its past, opened to go on from."""
