"""The Sweep instrument: several values of a field, each with its outcome."""
