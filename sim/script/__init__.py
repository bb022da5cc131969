"""Functions for scripts: Python around kernels, with checked arguments."""
