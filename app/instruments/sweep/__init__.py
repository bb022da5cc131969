"""Sweep: several values of one field, each with its outcome."""
