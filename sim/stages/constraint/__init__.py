"""Constraint rows: what equalities, dry friction, limits and contacts ask of the acceleration.

`assemble.py` the stage that makes all rows; `row.py` how a row is opened and which dofs it has; `equality.py`,
`friction.py`, `limit.py`, `contact.py` one kind of row each; `impedance.py` how soft and how damped a row is;
`reference.py` velocities of the rows and the accelerations they want.
"""
