"""Linearization of a step: transition matrices by finite differences and analytically."""
