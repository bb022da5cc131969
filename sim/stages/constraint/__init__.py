"""Constraint rows of equalities, dry friction, limits and contacts: Jacobian, impedance, reference acceleration.

`assemble.py` is the stage that makes all rows; `row.py` writes rows of the Jacobian; `equality.py`, `friction.py`,
`limit.py` and `contact.py` make one type of row each; `impedance.py` computes impedance and regularizer; `reference.py`
velocities and reference accelerations; `island.py` finds the constraint islands.
"""
