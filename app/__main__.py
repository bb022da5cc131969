"""The command line: `kinetoscope [MODEL]` opens the viewer, subcommands work without a window.

Each command is a module of `app/cli`, or `command.py` of an instrument. An error is one readable message and exit
code 1.
"""

from __future__ import annotations

import os
import sys

# `python -m` searches the current folder first, where any file could hide a module of the standard library
if __name__ == "__main__" and not sys.flags.safe_path and sys.path[0] != os.path.dirname(os.path.dirname(__file__)):
    del sys.path[0]

import argparse
import io
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

from app.cli import EXIT_BAD_INPUT, EXIT_OK
from app.cli.arguments import joined_numbers
from app.instruments import FOLDERS

# subcommands of instruments -> their folders
INSTRUMENTS = {command: folder for folder, command in FOLDERS.items() if command}
# without one of these, the window
COMMANDS = (
    "run",
    "record",
    "render",
    "convert",
    "pack",
    "export",
    "bench",
    *INSTRUMENTS,
    "info",
    "scenes",
    "warmup",
    "cache",
    "manual",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    name = arguments[0] if arguments and arguments[0] in COMMANDS else ""
    command = command_module(name or "window")
    summary = (command.__doc__ or "").partition("\n")[0]
    program = f"kinetoscope {name}".rstrip()
    parser = argparse.ArgumentParser(
        program,
        description=summary,
        epilog=None if name else _commands(arguments),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_arguments(parser)
    parser.add_argument("--traceback", action="store_true", help="show the traceback of an error")
    script = script_place(arguments) if name == "run" else 0
    # what comes after a script is its own
    read = arguments[: script + 1] if script else arguments
    options = parser.parse_args(joined_numbers(read[1:] if name else read))
    try:
        if script:
            from app.cli.run_script import run_script

            run_script(arguments[script], arguments[script + 1 :], options.engine)
        return int(command.run(options))
    except KeyboardInterrupt:
        return EXIT_OK
    except Exception as error:
        # imported late, for it loads the engine
        from app.files.error_text import is_user_error, sentence

        # what ended a window may not happen again
        if options.traceback or not (name or is_user_error(error)):
            raise
        print(f"kinetoscope: {sentence(error)}", file=sys.stderr)
        return EXIT_BAD_INPUT


def script_place(arguments: Sequence[str]) -> int:
    """Which argument of `run` is a Python script, before any other than --engine; 0 if there is none."""
    place = 1
    while place < len(arguments) and arguments[place].startswith("--engine"):
        place += 1 if "=" in arguments[place] else 2
    return place if place < len(arguments) and arguments[place].endswith(".py") else 0


def program() -> NoReturn:
    """The program `kinetoscope`: exits as soon as the command has ended.

    Everything is written by then, and an orderly shutdown of LLVM and the GL driver's threads takes half a second more,
    on a busy machine a minute.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):
        # the bytes of a file name, whatever they are
        sys.stdout.reconfigure(errors="surrogateescape")
    if sys.argv[1:2] and sys.argv[1] in COMMANDS and not (sys.argv[1] == "run" and script_place(sys.argv[1:])):
        # the place in our source says nothing to a user
        warnings.formatwarning = lambda message, *_, **__: f"kinetoscope: {message}\n"
    code = main()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(code)


def command_module(name: str) -> Any:
    """The module of a command."""
    return import_module(f"app.instruments.{INSTRUMENTS[name]}.command" if name in INSTRUMENTS else f"app.cli.{name}")


def _commands(arguments: Sequence[str]) -> str:
    """All commands with their help, if help was requested: otherwise they need not be imported."""
    if not {"-h", "--help"} & set(arguments):
        return ""
    rows = [f"  {name + ':':<9}{(command_module(name).__doc__ or '').partition('.')[0]}" for name in COMMANDS]
    return "\n".join(["commands (details: COMMAND --help):", *rows])


if __name__ == "__main__":
    program()
