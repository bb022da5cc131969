"""The Code instrument: the kernel that computes a stage or a field."""
