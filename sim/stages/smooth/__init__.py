"""Smooth dynamics: kinematics, inertia, tendons, transmissions, passive and bias forces, smooth acceleration."""
