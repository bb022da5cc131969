"""Doctor: likely faults of a model, the cause of a divergence, and fixes to try."""
