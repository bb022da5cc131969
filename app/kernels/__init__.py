"""Kernels behind what is shown: found by stage and field, debugged as Python, taken up again when they change."""
