"""Lens: why a tree is awake, and what its island costs."""
