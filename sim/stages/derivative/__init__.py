"""How smooth forces change with velocities: qDeriv = d(qfrc_actuator + qfrc_passive - qfrc_bias) / d(qvel).

`smooth` all of it, dampers and tendons; `actuator` gains and biases; `fluid` drag and lift; `bias` Coriolis and
centrifugal forces; `solve` the factor of M - h qDeriv and what single free bodies need.
A row of qDeriv has the dof's ancestors, itself and its descendants as columns, ascending.
"""
