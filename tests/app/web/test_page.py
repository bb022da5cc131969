"""Pages: texts of a model are data whatever they are; only the client may run."""

from __future__ import annotations

import base64
import html
import re
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest

import app.web.replay as replays
import sim
from app.web.page import CLIENT, client_module, iframe, page, script_json
from sim.recording.marks import Mark, marks_note
from sim.recording.write import RecordingWriter
from tests.app.web.decoder import replay_of_page
from tests.sim.recording.made_runs import made_run

HOSTILE = (
    '</script><script>document.title="run"</script>',
    "</title><img src=x onerror=alert(1)>",
    "<!--<script>",
    "-->]]>{{payload}}{{module}}",
    '" onload="alert(1)',
    "&lt;b&gt; \u2028\u2029\u202e",
    "\x01\x07\x1b[31m\x7f\x85",
    "'-alert(1)-'",
    "\\u003cscript\\u003e \\",
)


class Tree(HTMLParser):
    """Elements with their attributes, and what scripts and styles hold."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.held: dict[str, str] = {}
        self._inside = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.elements.append(f"{tag} {sorted(given.items(), key=str)}")
        self._inside = f"{tag} {given.get('id') or given.get('type') or ''}".strip()

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        self.held[self._inside] = self.held.get(self._inside, "") + data

    def handle_comment(self, data: str) -> None:
        self.elements.append(f"comment {data}")


def hostile_run(path: Path, text: str) -> sim.Recording:
    """A recording whose names and marks are a text; XML cannot hold control characters, other parts can."""
    name = html.escape("".join(c for c in text if c.isprintable()))
    m = sim.loads(f"""<mujoco model="{name}"><worldbody>
        <geom name="{name} floor" type="plane" size="5 5 .1"/>
        <camera name="{name}" pos="0 -3 1"/>
        <body name="{name}" pos="0 0 .4">
          <freejoint name="{name}"/><geom name="{name}" size=".1"/><site name="{name}"/>
        </body>
        <body name="arm"><joint axis="0 1 0"/><geom size=".1"/></body>
        </worldbody><sensor><framepos name="{name}" objtype="body" objname="arm"/></sensor></mujoco>""")
    made = made_run(m)
    with RecordingWriter(path) as writer:
        writer.model(0, made.model, None, f"{text}.xml")
        writer.sync(made.run)
        writer.note("marks", marks_note(0, 0, [Mark("PERTURB", text, 5, 9, 0)]))
    return sim.load_recording(path)


def exported(folder: Path, text: str) -> str:
    run = hostile_run(folder / "run.ktr", text)
    return replays.Replay(run, branch=0, fps=30, title=text, remarks=lambda model: [("note", text)]).html()


@pytest.fixture(scope="module")
def harmless(tmp_path_factory: pytest.TempPathFactory) -> Tree:
    return Tree(exported(tmp_path_factory.mktemp("harmless"), "ball"))


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_is_data(tmp_path: Path, harmless: Tree, text: str) -> None:
    """The page has the same elements and scripts as one of a harmless model, and the text is in its data."""
    written = exported(tmp_path, text)
    tree = Tree(written)
    assert tree.elements == harmless.elements
    different = {name for name in tree.held.keys() | harmless.held if tree.held.get(name) != harmless.held.get(name)}
    assert different == {"title", "script payload"}
    assert tree.held["title"] == text
    header = replay_of_page(written).header
    assert header["marks"][0]["text"] == header["title"] == header["remarks"][0]["text"] == text


def test_only_the_client_may_run(harmless: Tree) -> None:
    """The policy has the hashes of module and style; nothing else is allowed, and no element has a handler."""
    policy = next(element for element in harmless.elements if "Content-Security-Policy" in element)
    assert "default-src 'none'; script-src 'sha256-" in policy
    assert "unsafe" not in policy and "http:" not in policy and "https:" not in policy
    hashes = re.findall(r"sha256-([\w+/=]+)", policy)
    held = [next(text for name, text in harmless.held.items() if name == key) for key in ("script module", "style")]
    assert hashes == [base64.b64encode(sha256(text.encode()).digest()).decode() for text in held]
    for element in harmless.elements:
        assert not re.search(r"\('(on\w+|style|href|src)',", element), element


def test_the_client_is_one_module() -> None:
    """No import or export is left, and no top-level name occurs twice."""
    module = client_module()
    assert not re.findall(r"^\s*(?:import|export)\b.*", module, re.MULTILINE)
    # with indents, which tell what is at the top
    files = "".join((CLIENT / f"{name}.js").read_text() for name in (CLIENT / "order.txt").read_text().split())
    names = re.findall(r"^(?:export )?(?:async )?(?:function\*?|class|const|let) (\w+)", files, re.MULTILINE)
    assert len(names) == len(set(names)) > 50
    assert len(module) < 150_000
    assert "</script" not in module.lower() and "<!--" not in module


def test_json_in_a_script_element() -> None:
    """It neither ends the element nor begins a comment."""
    assert script_json({"a": "</script><!--\u2028"}) == '{"a": "\\u003c/script>\\u003c!--\\u2028"}'


def test_an_iframe_holds_the_whole_page() -> None:
    """In a notebook the page is the value of an attribute."""
    document = page('"title" & <more>', b"")
    tree = Tree(iframe(document, 400))
    assert len(tree.elements) == 1
    assert dict(re.findall(r"\('(\w+)', '((?:[^'\\]|\\.)*)'\)", tree.elements[0]))["style"].startswith(
        "width:100%;height:400px"
    )
    assert html.unescape(re.findall(r'srcdoc="([^"]*)"', iframe(document, 400))[0]) == document


def test_the_same_run_gives_the_same_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for the time at which it was made."""
    run = hostile_run(tmp_path / "run.ktr", "ball")
    pages = []
    for _ in range(2):
        replay = replays.Replay(run, branch=0, fps=30)
        replay.content.header["created"] = ""
        pages.append(replay.html())
    assert pages[0] == pages[1]
