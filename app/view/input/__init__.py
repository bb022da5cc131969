"""What keys and the mouse do: bindings, actions, picking and perturbing bodies, recording."""
