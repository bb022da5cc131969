"""The state of a simulation: how it advances, is checked, saved and restored."""
