"""Vectors, rotations, spatial algebra, dense and sparse matrices: helpers independent of Model and Data."""
