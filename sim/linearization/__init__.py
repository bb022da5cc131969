"""Linear models of a step: transition matrices by finite differences and from formulas."""
