"""Actuators: from controls to forces.

`activation` the states and how they change; `force` gains, biases, limits and the projection on dofs;
`muscle` its curves; `motor` DC motors and PID controllers; `orientation` servos on a rotation.
"""

from sim.stages.actuation.activation import next_activations
from sim.stages.actuation.force import fwd_actuation

__all__ = ["fwd_actuation", "next_activations"]
