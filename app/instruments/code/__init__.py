"""Code: the kernels behind the current state, found by stage and field, and debugged as Python."""
