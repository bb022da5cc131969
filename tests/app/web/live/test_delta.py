"""Frames for a page: what it has after them is what was drawn, and what has not changed is not sent again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.scene.camera import default_free_camera
from app.scene.decor.user_geoms import ARROW, UserGeom, user_geom_batches
from app.scene.scene import Scene, lod_levels
from app.scene.visual_options import VisualOptions
from app.web.live.assets import AssetStore
from app.web.live.delta import Delta, kept
from app.web.live.panels import MOST_CHANGES, PanelList, Textures
from app.web.live.picture import Picture
from app.web.live.scene_parts import SceneMaker, SceneParts
from sim.script.rotation import quat_to_mat
from tests.app.conftest import Views, world
from tests.app.web.live.page import Header, Shown

BODIES = "".join(
    f"<body pos='{x} 0 1'><freejoint/><geom type='{shape}' size='.1 .2 .3' rgba='1 0 0 {alpha}'/></body>"
    for x, (shape, alpha) in enumerate((("box", 1), ("sphere", 1), ("capsule", 1), ("box", 0.5), ("cylinder", 1)))
)
SCENE = world(f"<geom type='plane' size='0 0 1'/>{BODIES}")


def picture(scene: SceneParts | None = None, **changes: object) -> Picture:
    """A frame."""
    plain = Picture(1, (1000, 700), (0.1, 0.1, 0.1), (0, 0, 1000, 700), (), scene, (), ())
    return replace(plain, **changes)  # type: ignore[arg-type]


def header_of(shown: Shown, message: bytes | None) -> Header:
    """What a page takes in."""
    assert message is not None
    return shown.take(message)


def panel(name: str, text: bytes, wide: bool = False) -> PanelList:
    """A list with some vertices."""
    return PanelList(name, b"c" * 32, text * 20, bytes(12), wide)


def test_rows_as_they_move(views: Views) -> None:
    model, state = views(SCENE)
    scene, maker, delta, shown = Scene(model, VisualOptions()), SceneMaker(AssetStore()), Delta(), Shown()
    dice = np.random.default_rng(3)
    seen = np.array([0.0, -5.0, 2.0])

    for name in ("geom_xpos", "geom_xmat"):
        state.__dict__[name] = np.array(getattr(state, name))

    def parts(*arrows: UserGeom) -> SceneParts:
        drawn = scene.draw_list(state, seen)
        batches = user_geom_batches(arrows, lambda place, radius: lod_levels(place - seen, radius))
        drawn = replace(drawn, overlay=sum(batches, drawn.overlay))
        return maker.parts(model, drawn, default_free_camera(model).view(model), None)

    first = header_of(shown, delta.message(picture(parts())))
    assert first["rows"]["count"] == 6 and "full" in first["rows"]
    # the same frame is none
    assert delta.message(picture(parts())) is None
    for turn in range(30):
        # the one body that moves
        quat = dice.normal(size=4)
        state.geom_xpos[2] = dice.normal(size=3)
        turned = np.array(quat_to_mat((quat / np.linalg.norm(quat)).tolist()))
        state.geom_xmat[2] = turned.reshape(state.geom_xmat[2].shape)
        arrows = [UserGeom.between(ARROW, 0.05, (0, 0, 0), dice.normal(size=3), (1, 0, 0, 1)) for _ in range(turn % 4)]
        now = parts(*arrows)
        header = header_of(shown, delta.message(picture(now)))
        assert ("batches" in header) == (turn > 0)
        assert np.allclose(np.concatenate([*shown.rows.values()]), now.rows, atol=2e-4)
        assert shown.lods == now.lods.tolist()
        assert "look" not in header and "camera" not in header
    # what lies still costs next to nothing
    state.geom_xpos[2] += 1e-9
    assert delta.message(picture(parts(*arrows))) is None
    state.geom_xpos[2] += 0.1
    message = delta.message(picture(parts(*arrows)))
    assert message is not None and len(message) < 120
    assert [*header_of(shown, message)] == ["rows", "n"]


def test_what_has_no_rotation_is_sent_as_it_is(views: Views) -> None:
    model, state = views(SCENE)
    scene, maker, delta, shown = Scene(model, VisualOptions()), SceneMaker(AssetStore()), Delta(), Shown()

    def frame() -> SceneParts:
        drawn = scene.draw_list(state, np.zeros(3))
        return maker.parts(model, drawn, default_free_camera(model).view(model), None)

    state.__dict__["geom_xpos"] = np.array(state.geom_xpos)
    header_of(shown, delta.message(picture(frame())))
    # a body that has diverged
    state.geom_xpos[1] = np.nan
    header_of(shown, delta.message(picture(gone := frame())))
    assert np.allclose(np.concatenate([*shown.rows.values()]), gone.rows)
    assert delta.message(picture(gone)) is None


def test_panels() -> None:
    delta, shown = Delta(), Shown()
    a, b = panel("a", b"0123456789" * 50), panel("b", b"b")
    header_of(shown, delta.message(picture(lists=(a, b))))
    # one list changes in the middle, the other not
    text = bytearray(a.vertices)
    text[4000:4003] = b"xyz"
    changed = a._replace(vertices=bytes(text) + bytes(20))
    message = delta.message(picture(lists=(changed, b)))
    header = header_of(shown, message)
    assert [entry[0] for entry in header["ui"]["new"]] == [1]
    assert shown.lists[1][1] == changed.vertices
    assert shown.lists[2][1] == b.vertices
    # another order, one is gone, one is wide now
    wide = panel("b", b"b", wide=True)
    header_of(shown, delta.message(picture(lists=(wide, panel("c", b"c")))))
    assert [*shown.lists] == [2, 3]
    # input alone
    assert [*header_of(shown, delta.message(picture(lists=(wide, panel("c", b"c")), heard=9)))] == ["n"]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [(b"", b"abcd", (0, 0)), (b"abcd", b"abcd", (4, 0)), (b"aabbcc", b"aaxxbbcc", (2, 4)), (b"aaaa", b"aaaaaa", (4, 0)),
     (b"abab", b"acab", (0, 2)), (b"aabb", b"", (0, 0))],
)  # fmt: skip
def test_what_is_kept(before: bytes, after: bytes, expected: tuple[int, int]) -> None:
    front, behind = kept(before, after, 2)
    assert (front, behind) == expected
    assert before[:front] + after[front : len(after) - behind] + before[len(before) - behind :] == after


def test_textures() -> None:
    textures, shown, delta = Textures(), Shown(), Delta()
    white = np.full((64, 64, 4), 255, np.uint8)
    white[..., 3] = np.arange(64)
    letters, photo = (
        textures.create(white),
        textures.create(np.arange(128 * 64 * 4, dtype=np.uint8).reshape(128, 64, 4)),
    )
    header_of(shown, delta.message(picture(textures=textures.shown())))
    assert (shown.textures[letters] == white).all()
    assert isinstance(shown.textures[photo], bytes)
    held = textures.shown()
    for turn in range(MOST_CHANGES + 20):
        after = white.copy()
        after[turn % 60 : turn % 60 + 2, 5:9, 3] = turn % 250
        white = after
        textures.update(letters, white, [(5, turn % 60, 4, 2)])
        if turn in (3, 9):
            header = header_of(shown, delta.message(picture(textures=textures.shown())))
            assert {entry[1] for entry in header["tex"]} == {"part"}
            assert (shown.textures[letters] == white).all()
    # too many changes to know them all
    header = header_of(shown, delta.message(picture(textures=textures.shown())))
    assert [entry[1] for entry in header["tex"]] == ["new"]
    assert (shown.textures[letters] == white).all()
    # also if they come at once, as the letters of a page of text do
    white = white.copy()
    white[:10, ::2, 3] = 77
    textures.update(letters, white, [(x, y, 1, 1) for x in range(0, 64, 2) for y in range(10)])
    header_of(shown, delta.message(picture(textures=textures.shown())))
    assert (shown.textures[letters] == white).all()
    # what was taken before stays as it was
    assert (held[0].pixels[..., 3] == np.arange(64)).all()
    textures.destroy(photo)
    header_of(shown, delta.message(picture(textures=textures.shown())))
    assert [*shown.textures] == [letters]
