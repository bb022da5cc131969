"""Collision detection: broad phase, mid phase, narrow phase and contact parameters.

`broadphase.py` finds pairs of bodies with overlapping AABBs; `midphase.py` pairs of geoms of two bodies; `filter.py`
decides which pairs can collide; `hook.py` holds the user's filter and collision functions; `driver.py` is the stage and
dispatches geom pairs to collision functions. A collision function is a kernel `name(m, d, g1, g2, margin) -> int`: it
writes the contact manifold of a pair to the rows of `d.manifold` and returns the number of its points.
"""
