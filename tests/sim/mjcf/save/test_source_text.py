"""Edits of texts change what was edited and nothing else, however the text is written: source_text.py."""

from __future__ import annotations

import pytest
from lxml import etree

from sim.mjcf.save.source_text import TextEdit, attributes, encode, start_tags
from sim.mjcf.source import Document, Node, XmlReader, decode


def new(tag: str, *children: Node, **attributes: str) -> Node:
    reader = XmlReader("m.xml")
    node = Node(tag, attributes, Document("m.xml", "", reader.folder, reader), 1)
    node.children = list(children)
    return node


HARD = """<?xml version="1.0"?>
<!DOCTYPE mujoco [ <!-- > ] --> <!ELEMENT mujoco ANY> <?x ]>?> ]>
<!-- <mujoco> is > a "comment' -->
<mujoco model = 'a > b "c"' >
\t<?pi <geom/> ?><![CDATA[ <geom size="1"/> ]]>
  <option
     timestep="0.01"
     gravity='0 0  -9.81'   />
  <worldbody><!-- <geom/> --><geom name="&lt;&quot;g&quot;" size=" 1
   2	3 "/><body/ ><geom></geom></body></worldbody>
</mujoco >
<!-- end -->""".replace("<body/ >", "<body >")


def test_start_tags_are_the_elements_of_the_parser() -> None:
    root = etree.fromstring(HARD.encode(), etree.XMLParser(remove_comments=True, remove_pis=True))
    tags = start_tags(HARD)
    assert [tag.name for tag in tags] == [node.tag for node in root.iter()]
    for tag, node in zip(tags, root.iter(), strict=True):
        assert [*attributes(HARD, tag)] == [*node.attrib]
        assert len(tag.children) == len(node)
        assert all(TextEdit(HARD).value(tags.index(tag), name) for name in node.attrib)
    assert TextEdit(HARD).value(3, "name") == '<"g"'
    assert TextEdit(HARD).value(3, "rgba") is None


def edited(text: str, what: str, *arguments: object) -> str:
    edit = TextEdit(text)
    getattr(edit, what)(*arguments)
    return edit.result


@pytest.mark.parametrize(
    ("text", "what", "arguments", "result"),
    [
        # values in their quotes, with their spaces
        ('<a b="1"/>', "set_attribute", (0, "b", "2"), '<a b="2"/>'),
        ("<a b = '1' c='>'/>", "set_attribute", (0, "b", 'x"y'), "<a b = 'x\"y' c='>'/>"),
        ("<a b='1'/>", "set_attribute", (0, "b", "it's"), "<a b='it&apos;s'/>"),
        ('<a b=" 1  2\n\t3 "/>', "set_attribute", (0, "b", "4 5 6"), '<a b=" 4  5\n\t6 "/>'),
        ('<a b="1  2"/>', "set_attribute", (0, "b", "1 3 4"), '<a b="1  3 4"/>'),
        ('<a b="1 2  3"/>', "set_attribute", (0, "b", "1 3"), '<a b="1 3"/>'),
        ('<a b="x &amp; y"/>', "set_attribute", (0, "b", "<z>"), '<a b="&lt;z&gt;"/>'),
        ('<a b=""/>', "set_attribute", (0, "b", "1 2"), '<a b="1 2"/>'),
        # new attributes
        ("<a/>", "set_attribute", (0, "b", "1"), '<a b="1"/>'),
        ("<a />", "set_attribute", (0, "b", "1"), '<a b="1" />'),
        ('<a c="/>" ></a>', "set_attribute", (0, "b", "1"), '<a c="/>" b="1" ></a>'),
        ('<a b="1"\r\n   c="2"/>', "set_attribute", (0, "d", "3"), '<a b="1"\r\n   c="2"\r\n   d="3"/>'),
        ('<a b="1" c="2"\n   d="3"/>', "set_attribute", (0, "e", "4"), '<a b="1" c="2"\n   d="3" e="4"/>'),
        # removed ones
        ('<a b="1" c="2"/>', "remove_attribute", (0, "b"), '<a c="2"/>'),
        ('<a b="1"\n  c="2"/>', "remove_attribute", (0, "c"), '<a b="1"/>'),
        ("<a/>", "remove_attribute", (0, "c"), "<a/>"),
        # tags
        ("<a><b x='1'><!--</b>--></b ></a>", "rename", (1, "long"), "<a><long x='1'><!--</b>--></long ></a>"),
        ("<a>\n  <b/>\n  <c/>\n</a>", "remove_element", (1,), "<a>\n  <c/>\n</a>"),
        ("<a>\r\n  <b></b>\r\n</a>", "remove_element", (1,), "<a>\r\n</a>"),
        ("<a><b/> <c/></a>", "remove_element", (1,), "<a> <c/></a>"),
        ("<a>\n  <b/> <!-- about b -->\n</a>", "remove_element", (1,), "<a>\n   <!-- about b -->\n</a>"),
        # children
        ("<a/>", "add_child", (0, new("n", x="1")), '<a><n x="1"/></a>'),
        ("<r>\n  <a b='1' />\n</r>", "add_child", (1, new("n")), "<r>\n  <a b='1'>\n    <n/>\n  </a>\n</r>"),
        ("<r>\n\t<a>\n\t</a>\n</r>", "add_child", (1, new("n")), "<r>\n\t<a>\n\t\t<n/>\n\t</a>\n</r>"),
        ("<r>\n    <a></a>\n</r>", "add_child", (1, new("n")), "<r>\n    <a>\n        <n/>\n    </a>\n</r>"),
        ("<r>\r\n <a/>\r\n</r>\r\n", "add_child", (0, new("n")), "<r>\r\n <a/>\r\n <n/>\r\n</r>\r\n"),
        ("<r>\n <!-- a --> <a/>\n</r>", "add_child", (0, new("n"), -1), "<r>\n <n/>\n <!-- a --> <a/>\n</r>"),
        ("<r>\n <!-- a -->\n <a/>\n</r>", "add_child", (0, new("n"), -1), "<r>\n <n/>\n <!-- a -->\n <a/>\n</r>"),
        ("<r><a/><b/></r>", "add_child", (0, new("n"), 1), "<r><a/><n/><b/></r>"),
        (
            "<r>\n  <a/>\n</r>",
            "add_child",
            (0, new("n", new("k", x="&"))),
            '<r>\n  <a/>\n  <n>\n    <k x="&amp;"/>\n  </n>\n</r>',
        ),
        # sections
        (
            "<m>\n <compiler/>\n <asset/>\n</m>",
            "add_section",
            (0, new("option")),
            "<m>\n <compiler/>\n <option/>\n <asset/>\n</m>",
        ),
        ("<m>\n <asset/>\n</m>", "add_section", (0, new("option")), "<m>\n <option/>\n <asset/>\n</m>"),
        ("<m>\n <asset/>\n</m>", "add_section", (0, new("keyframe")), "<m>\n <asset/>\n <keyframe/>\n</m>"),
    ],
)  # fmt: skip
def test_edit(text: str, what: str, arguments: tuple[object, ...], result: str) -> None:
    assert edited(text, what, *arguments) == result


def test_several_edits_of_one_element() -> None:
    edit = TextEdit("<r>\n  <a x='1'/>\n</r>")
    edit.add_child(1, new("n"))
    edit.set_attribute(1, "y", "3")
    edit.set_attribute(1, "x", "2")
    edit.add_child(1, new("k"))
    assert edit.result == "<r>\n  <a x='2' y=\"3\">\n    <n/>\n    <k/>\n  </a>\n</r>"
    assert edit.lines == (2,)


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", b""),
        ("utf-8", b"\xef\xbb\xbf"),
        ("utf-16-le", b"\xff\xfe"),
        ("utf-16-be", b"\xfe\xff"),
        ("latin-1", b""),
    ],
)
def test_encoding(encoding: str, mark: bytes) -> None:
    text = "<a b='größe'/>\r\n"
    data = mark + text.encode(encoding)
    assert decode(data, "") == text
    assert encode(text, data) == data
    assert encode(text.replace("ö", "ä"), data) == mark + text.replace("ö", "ä").encode(encoding)
    assert decode(encode("<a b='größe €'/>", data), "").replace("&#8364;", "€") == "<a b='größe €'/>"
