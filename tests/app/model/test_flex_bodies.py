"""Bodies of flexes: those of vertices or nodes, the nearest one, and what a contact of a flex belongs to."""

from __future__ import annotations

import numpy as np

import sim
from app.model.flex_bodies import NO_FLEX, flex_bodies, nearest_flex_body, touching_flexes
from app.model.selection import Selection
from app.run.snapshot import view_model, view_state
from tests.app.scene.flex_views import BALL, BOX, CABLE, CLOTH, FlexViews


def test_the_nearest_vertex_or_node() -> None:
    views = FlexViews()
    model, state = views.model, views.state
    for index in (CLOTH, CABLE, BOX):
        vertex = int(model.flex_vertadr[index]) + int(model.flex_vertnum[index]) // 2
        point = state.flexvert_xpos[vertex] + 1e-3
        assert nearest_flex_body(model, state, index, point) == model.flex_vertbodyid[vertex]
    # a trilinear flex has bodies at its nodes alone
    nodes = flex_bodies(model, BALL)
    assert len(nodes) == 8
    assert nearest_flex_body(model, state, BALL, state.xpos[nodes[5]] + 1e-3) == nodes[5]


def test_a_contact_is_of_a_geom_and_a_flex() -> None:
    views = FlexViews(steps=150)
    model, state = views.model, views.state
    of_box = [i for i in range(len(state.contact.dim)) if BOX in touching_flexes(state, i)]
    assert of_box
    contact = Selection("contact", of_box[0])
    assert contact.body(model, state) in flex_bodies(model, BOX)
    assert contact.title(model, state) == "contact of world / floor and flex box"
    assert np.isfinite(contact.radius(model, state))


def test_models_of_ours_have_none() -> None:
    model = sim.loads(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .09'><freejoint/><geom size='.1'/></body>"
        "</worldbody></mujoco>"
    )
    data = sim.Data(model)
    sim.forward(model, data)
    seen, state = view_model(model), view_state(data)
    assert seen.nflex == 0
    assert len(state.contact.dim) == 1
    assert touching_flexes(state, 0) == NO_FLEX
