"""Runs for a browser: one page with a client and the tracks of a run, and animated glTF."""
