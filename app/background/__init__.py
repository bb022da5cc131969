"""What computes next to the simulation: threads that answer, copies of models, curves, second runs, exports."""
