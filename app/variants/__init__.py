"""Variants: edited copies of the model that run beside the simulation, from its state and with its controls."""
