"""What keys and the mouse do: the table of bindings, the actions, dragging bodies, filming."""
