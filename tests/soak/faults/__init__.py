"""Faults that people make in models, one file for each topic: how to plant one, and whether it matters."""
