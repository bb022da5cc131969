"""The Energy instrument: where energy comes from and goes to, and what is conserved."""
