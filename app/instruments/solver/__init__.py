"""Solver: the iterations of one step, and its matrices."""
