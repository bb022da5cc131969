"""Smooth dynamics: kinematics, inertia, transmissions, passive forces, bias forces, the smooth acceleration."""
