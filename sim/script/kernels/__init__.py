"""The code of the step: where each kernel is, what it reads and writes, and a debugger for one of them."""
