"""Actuators: from controls to forces.

`activation` activation states and their dynamics; `force` gains, biases, limits and the projection onto dofs;
`muscle` muscle curves; `motor` DC motors and PID controllers; `orientation` orientation servos.
"""

from sim.stages.actuation.activation import next_activations
from sim.stages.actuation.force import fwd_actuation

__all__ = ["fwd_actuation", "next_activations"]
