"""Collision detection: which geoms touch, where, and with which contact parameters.

`broadphase.py` pairs of bodies whose boxes overlap; `filter.py` who may touch whom; `midphase.py` pairs of geoms of
two bodies; `hook.py` the user's filter and routines; `driver.py` the stage, the table of pair routines and the contacts
made of their hits. A pair routine is a kernel `name(m, d, g1, g2, margin) -> int`: it writes what it finds into rows of
`d.hit` and returns how many.
"""
