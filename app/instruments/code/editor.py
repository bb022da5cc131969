"""The user's editor: the command that opens a file at a line, in whichever editor there is.

The one in the preferences, then $VISUAL and $EDITOR, then editors with a window that are installed, then those that
need a terminal. A command is a list of arguments: no shell reads it, so any file name is safe.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from os.path import basename
from pathlib import Path

from app.instruments.code.terminal import in_terminal

Which = Callable[[str], str | None]

# editors with a window -> what opens a file at a line
WINDOWED: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("code", "code-insiders", "codium", "vscodium", "cursor", "windsurf"), ("-g", "{file}:{line}")),
    **dict.fromkeys(("subl", "sublime_text", "zed", "zeditor", "lapce"), ("{file}:{line}",)),
    **dict.fromkeys(("pycharm", "charm", "idea", "clion"), ("--line", "{line}", "{file}")),
    **dict.fromkeys(("kate", "kwrite", "mousepad", "geany", "mate"), ("-l", "{line}", "{file}")),
    **dict.fromkeys(("gvim", "gedit", "gnome-text-editor", "xed", "pluma", "emacs"), ("+{line}", "{file}")),
    "emacsclient": ("-n", "-a", "emacs", "+{line}", "{file}"),
    "nvim-qt": ("{file}", "--", "+{line}"),
    "neovide": ("{file}", "--", "+{line}"),
}  # fmt: skip
# editors in a terminal
IN_TERMINAL: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("nvim", "vim", "vi", "nano", "micro", "kak", "joe", "ne"), ("+{line}", "{file}")),
    **dict.fromkeys(("hx", "helix"), ("{file}:{line}",)),
}  # fmt: skip
NONE_FOUND = "No editor was found: choose one with the pen icon next to the file name, or set $VISUAL."


def editor_command(
    file: Path, line: int, preferred: str, environment: Mapping[str, str], which: Which = shutil.which
) -> list[str] | str:
    """The arguments that open a file at a line, or a sentence that says why there is none."""
    for words in _candidates(preferred, environment):
        program = which(words[0])
        if program is None:
            if preferred and words == _words(preferred):
                return f"{words[0]} is not installed: choose another editor."
            continue
        command = [program, *words[1:], *_at(words, file, line)]
        if any("{file}" in word for word in words):
            command = [program, *(_filled(word, file, line) for word in words[1:])]
        if _needs_terminal(words):
            found = in_terminal(command, environment, which)
            if found is None:
                continue
            command = found
        return command
    return NONE_FOUND


def _candidates(preferred: str, environment: Mapping[str, str]) -> Iterator[list[str]]:
    """Editors as the words of a command, the most wanted first."""
    for text in (preferred, environment.get("VISUAL", ""), environment.get("EDITOR", "")):
        if words := _words(text):
            yield words
    yield from ([name] for name in (*WINDOWED, *IN_TERMINAL))


def _words(text: str) -> list[str]:
    """The words of a command; one with an open quote has none."""
    try:
        return shlex.split(text)
    except ValueError:
        return []


def _name(words: Sequence[str]) -> str:
    """The name of a program, without its folder and Windows' suffix."""
    name = basename(words[0])
    return name.removesuffix(".exe").removesuffix(".cmd")


def _needs_terminal(words: Sequence[str]) -> bool:
    return _name(words) in IN_TERMINAL or (_name(words) in ("emacs", "emacsclient") and bool({"-nw", "-t"} & {*words}))


def _at(words: Sequence[str], file: Path, line: int) -> list[str]:
    """What opens a file at a line; of an editor that is not known, only the file."""
    form = WINDOWED.get(_name(words)) or IN_TERMINAL.get(_name(words)) or ("{file}",)
    if _name(words) == "emacsclient" and _needs_terminal(words):
        form = ("+{line}", "{file}")
    return [_filled(word, file, line) for word in form]


def _filled(word: str, file: Path, line: int) -> str:
    """A word with the file and the line in their places; braces in a file name stay."""
    before, found, after = word.partition("{file}")
    filled = [part.replace("{line}", str(line)) for part in (before, after)]
    return f"{filled[0]}{file}{filled[1]}" if found else filled[0]
