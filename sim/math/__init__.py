"""Vectors, rotations, spatial algebra and sparse solves: helpers without Model and Data."""
