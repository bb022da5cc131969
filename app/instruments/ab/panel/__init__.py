"""The A/B instrument: a second simulation with other values, as a ghost."""
