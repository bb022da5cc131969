"""The pages: a replay as one HTML file, and the files of the live viewer.

A replay has page, style, client and payload, with a content security policy that lets only this client run. The modules
of a client are joined into one: their imports of each other, the word `export` and indents are left out, which needs
top-level names to differ and no text over several lines. Texts of a model are in the payload, which is base64, and in
the title, escaped. The live page loads script and style from next to it; what it shows comes over a connection.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
import re
from functools import cache
from hashlib import sha256
from pathlib import Path

from app.files.error_text import printable
from app.web.payload import LEVEL
from app.web.shaders import FILES, PANEL_FILES, web_shaders

CLIENT = Path(__file__).parent / "client"
IMPORT = re.compile(r'^import \{[^}]*\} from "\./\w+\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(async )?function|const|let|class)", re.MULTILINE)
# lines that are a comment and nothing else
COMMENT = re.compile(r"^[ \t]*(//.*|/\*\*(?:[^*]|\*(?!/))*\*/)[ \t]*\n", re.MULTILINE)
INDENT = re.compile(r"^[ \t]+", re.MULTILINE)
PLACE = re.compile(r"\{\{(\w+)\}\}")
POLICY = (
    "default-src 'none'; {scripts}style-src 'sha256-{style}'; img-src blob: data:; base-uri 'none'; form-action 'none'"
)
# no script but the one that is served with the page; the connection goes back to where it came from
LIVE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob: data:; "
    "base-uri 'none'; form-action 'none'"
)


def page(title: str, container: bytes) -> str:
    """The page of a replay."""
    # the same run gives the same file
    payload = base64.b64encode(gzip.compress(container, LEVEL, mtime=0)).decode("ascii")
    module, style = client_module(), _text("style.css")
    policy = POLICY.format(scripts=f"script-src 'sha256-{_digest(module)}'; ", style=_digest(style))
    parts = {
        "title": html.escape(printable(title)),
        "style": style,
        "module": module,
        "shaders": script_json(web_shaders()),
        "payload": payload,
        "csp": html.escape(policy),
    }
    # in one pass: what is put in is not searched
    return PLACE.sub(lambda place: parts[place[1]], _text("page.html"))


@cache
def live_files() -> dict[str, tuple[str, bytes]]:
    """The files of the live page by address: content type and content."""
    parts = {"csp": html.escape(LIVE_POLICY), "shaders": script_json(web_shaders((*FILES, *PANEL_FILES)))}
    document = PLACE.sub(lambda place: parts[place[1]], _text("live.html"))
    files = {
        "": ("text/html", document),
        "client.js": ("text/javascript", client_module("live_order.txt")),
        "style.css": ("text/css", _text("live.css")),
    }
    return {name: (f"{kind}; charset=utf-8", text.encode("utf-8")) for name, (kind, text) in files.items()}


@cache
def client_module(order: str = "order.txt") -> str:
    """The modules of a client as one."""
    names = _text(order).split()
    source = "".join(_text(f"{name}.js") for name in names)
    return "\n" + INDENT.sub("", EXPORT.sub("", IMPORT.sub("", COMMENT.sub("", source))))


def script_json(value: object) -> str:
    """JSON for a script element: nothing in it ends the element or begins a comment."""
    return json.dumps(value).replace("<", "\\u003c")


def style_policy(style: str) -> str:
    """The policy of a page without scripts."""
    return POLICY.format(scripts="", style=_digest(style))


def iframe(document: str, height: int) -> str:
    """A document inside of another one, with all that it needs."""
    style = f"width:100%;height:{height}px;border:0;border-radius:6px"
    return f'<iframe srcdoc="{html.escape(document)}" style="{style}" allowfullscreen loading="lazy"></iframe>'


def _text(name: str) -> str:
    return (CLIENT / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return base64.b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii")
