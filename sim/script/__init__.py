"""What only scripts call: Python functions around kernels, with their arguments checked."""
