"""The pipeline: forward dynamics, inverse dynamics and time integration, as sequences of stages."""
