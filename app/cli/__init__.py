"""The commands of the command line, one file each.

A command is a module with `add_arguments(parser)` and `run(options)`, which returns the exit code; the first line of
its docstring is its help. `app/__main__.py` lists them, and those of instruments.
"""

EXIT_OK, EXIT_BAD_INPUT = 0, 1
# the doctor has found errors; 2 is argparse's own
EXIT_FINDINGS = 3
# of `run`: what must never happen did, no --until condition was met in time, the simulation diverged
EXIT_HAPPENED, EXIT_TIME_LIMIT, EXIT_DIVERGED = 3, 4, 5
