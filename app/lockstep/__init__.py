"""Lockstep: both engines, ours and MuJoCo, from the same state: where they differ, since when, whose doing it is."""
