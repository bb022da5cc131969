"""The editor's command: each known editor at a line, the user's choice, odd file names, and nothing installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from app.instruments.code.editor import IN_TERMINAL, NONE_FOUND, WINDOWED, editor_command
from app.instruments.code.terminal import TERMINALS, in_terminal

FILE = Path("/home/a b/it's {line} $(rm) ü.py")
SCREEN = {"DISPLAY": ":0"}


def only(*names: str) -> object:
    """A machine with these programs."""
    return lambda name: f"/bin/{Path(name).name}" if Path(name).name in names else None


def command(preferred: str, installed: tuple[str, ...], environment: dict[str, str] | None = None) -> list[str] | str:
    which = only(*installed)
    return editor_command(FILE, 12, preferred, SCREEN if environment is None else environment, which)  # type: ignore[arg-type]


EXPECTED = {
    "code": ["-g", f"{FILE}:12"], "codium": ["-g", f"{FILE}:12"], "subl": [f"{FILE}:12"], "zed": [f"{FILE}:12"],
    "pycharm": ["--line", "12", str(FILE)], "idea": ["--line", "12", str(FILE)], "kate": ["-l", "12", str(FILE)],
    "gvim": ["+12", str(FILE)], "gedit": ["+12", str(FILE)], "emacs": ["+12", str(FILE)],
    "emacsclient": ["-n", "-a", "emacs", "+12", str(FILE)], "nvim-qt": [str(FILE), "--", "+12"],
}  # fmt: skip


@pytest.mark.parametrize("editor", EXPECTED)
def test_editors_with_a_window(editor: str) -> None:
    expected = [f"/bin/{editor}", *EXPECTED[editor]]
    assert command("", (editor,)) == command(editor, (editor,)) == expected
    assert command("", (editor,), {"VISUAL": f"/usr/bin/{editor}"}) == expected


@pytest.mark.parametrize("editor", IN_TERMINAL)
@pytest.mark.parametrize("terminal", TERMINALS)
def test_editors_in_a_terminal(editor: str, terminal: str) -> None:
    found = command("", (editor, terminal), {**SCREEN, "EDITOR": editor})
    place = [f"{FILE}:12"] if editor in ("hx", "helix") else ["+12", str(FILE)]
    assert found == [f"/bin/{terminal}", *TERMINALS[terminal], f"/bin/{editor}", *place]


@pytest.mark.parametrize("editor", [*WINDOWED, *IN_TERMINAL])
def test_the_file_is_one_argument(editor: str) -> None:
    found = command(editor, (editor, "xterm"))
    assert isinstance(found, list)
    assert sum(str(FILE) in word for word in found) == 1 and any("12" in word for word in found)


def test_the_order_of_wishes() -> None:
    everything = ("code", "gvim", "kate", "vim", "xterm")
    environment = {**SCREEN, "VISUAL": "gvim", "EDITOR": "vim"}
    assert command("kate", everything, environment)[0] == "/bin/kate"
    assert command("", everything, environment)[0] == "/bin/gvim"
    assert command("", everything, {**SCREEN, "EDITOR": "vim"})[:3] == ["/bin/xterm", "-e", "/bin/vim"]
    assert command("", everything)[0] == "/bin/code"
    # what is not installed is passed over, unless the user has named it here
    assert command("", everything, {"VISUAL": "gone"})[0] == "/bin/code"
    assert command("gone", everything) == "gone is not installed: choose another editor."


def test_arguments_and_places_of_the_user() -> None:
    assert command("code --reuse-window", ("code",)) == ["/bin/code", "--reuse-window", "-g", f"{FILE}:12"]
    assert command("mine --at {line} '{file}' x", ("mine",)) == ["/bin/mine", "--at", "12", str(FILE), "x"]
    # an editor that is not known gets the file
    assert command("mine -w", ("mine",)) == ["/bin/mine", "-w", str(FILE)]
    found = command("emacsclient -t", ("emacsclient", "xterm"))
    assert found == ["/bin/xterm", "-e", "/bin/emacsclient", "-t", "+12", str(FILE)]
    # an open quote
    assert command("co'de", ("kate",)) == ["/bin/kate", "-l", "12", str(FILE)]


def test_no_editor() -> None:
    assert command("", ()) == NONE_FOUND
    # vim without a terminal or a screen
    assert command("", ("vim",)) == command("", ("vim", "xterm"), {}) == NONE_FOUND


def test_the_user_s_terminal_comes_first() -> None:
    which = only("xterm", "mine", "kitty")
    assert in_terminal(["a"], {**SCREEN, "TERMINAL": "mine"}, which) == ["/bin/mine", "-e", "a"]  # type: ignore[arg-type]
    assert in_terminal(["a"], {"WAYLAND_DISPLAY": "w", "TERMINAL": "gone"}, which) == ["/bin/kitty", "a"]  # type: ignore[arg-type]


def test_no_shell_reads_the_name(tmp_path: Path) -> None:
    """A real program gets the odd name as one argument."""
    out = tmp_path / "out"
    script = f"import sys; open({str(out)!r}, 'w').write('|'.join(sys.argv[1:]))"
    found = editor_command(FILE, 3, f'{sys.executable} -c "{script}" {{line}} {{file}}', {})
    assert isinstance(found, list)
    subprocess.run(found, check=True)
    assert out.read_text(encoding="utf-8") == f"3|{FILE}"
