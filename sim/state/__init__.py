"""The simulation state: integration, checks, checkpoints, copies and resets, as kernels."""
