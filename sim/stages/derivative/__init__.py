"""Velocity derivatives of smooth forces: qDeriv = d(qfrc_actuator + qfrc_passive - qfrc_bias) / d(qvel).

`smooth` the total, joint and tendon dampers; `actuator` gains and biases; `fluid` drag and lift; `bias` Coriolis and
centrifugal forces; `solve` the LU factorization of M - h qDeriv, and single free bodies.
A row of qDeriv has the dof's ancestors, the dof itself and its descendants as columns, ascending.
"""
