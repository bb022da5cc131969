"""The doctor: what is likely wrong with a model, why a run exploded, and fixes that can be tried."""
