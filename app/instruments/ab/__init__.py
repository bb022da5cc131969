"""A/B: a second simulation with another value, model or branch, as a ghost."""
