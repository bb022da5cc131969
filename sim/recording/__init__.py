"""Recordings of runs: branches of steps that can be computed again to the bit, in memory and in files."""
