"""Lockstep: both engines from the same state: where and since when they differ, and which one is right."""
