"""The mixing rule against contacts of both engines, and which contacts an edit of a geom or pair would reach."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import sim
from sim.analysis.contact_mixing import BOTH, FIRST, OVERRIDE, PAIR, SECOND, depends_on, mixing, pair_of
from tests.sim.analysis.pressing import scene

A, B = 'solref="0.01 0.5" solimp="0.3 0.8 0.01 0.4 3"', 'solref="0.05 1.5" solimp="0.7 0.99 0.002 0.6 1.5"'
PAIRED = (
    '<contact><pair geom1="thing" geom2="floor" solref="0.07 0.9" condim="4" friction="0.3 0.3 0.1 0 0"/></contact>'
)
CASES = {
    "average": (BOTH, {"floor": A, "thing": B}),
    "solmix": (BOTH, {"floor": f'{A} solmix="3"', "thing": B}),
    "no solmix": (BOTH, {"floor": f'{A} solmix="0"', "thing": f'{B} solmix="0"'}),
    "solmix of one": (BOTH, {"floor": f'{A} solmix="0"', "thing": f'{B} solmix="2"'}),
    "direct and standard": (BOTH, {"floor": 'solref="-100 -5"', "thing": B}),
    "both direct": (BOTH, {"floor": 'solref="-100 -50"', "thing": 'solref="-300 -10"'}),
    "first": (FIRST, {"floor": f'{A} priority="2" friction="0.2"', "thing": f'{B} condim="6"'}),
    "second": (SECOND, {"floor": f'{A} condim="4"', "thing": f'{B} priority="1" friction="0.3" condim="1"'}),
    "pair": (PAIR, {"floor": f'{A} priority="5"', "thing": B, "rest": PAIRED}),
    "override": (
        OVERRIDE,
        {
            "floor": A,
            "thing": B,
            "rest": PAIRED + '<option o_solref="0.09 2" o_friction="0.6 0.6 0 0 0"><flag override="enable"/></option>',
        },
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_parameters_are_mixed_as_both_engines_do_it(case):
    decider, parts = CASES[case]
    xml = scene(**parts)
    m, mj = sim.loads(xml), mujoco.MjModel.from_xml_string(xml)
    d, dj = sim.Data(m), mujoco.MjData(mj)
    sim.forward(m, d)
    mujoco.mj_forward(mj, dj)
    found = mixing(m, int(d.contact.geom[0, 0]), int(d.contact.geom[0, 1]))
    assert found.decider == decider
    for contact in (d.contact, dj.contact):
        np.testing.assert_allclose(found.solref, contact.solref[0], rtol=1e-14)
        np.testing.assert_allclose(found.solimp, contact.solimp[0], rtol=1e-14)
        assert (found.condim, found.friction) == (contact.dim[0], pytest.approx(contact.friction[0, 0]))


def test_the_rule_is_told():
    words = {
        "average": "50% geom 1 and 50% geom 2",
        "solmix": "75% geom 1 and 25% geom 2",
        "both direct": "the smaller of each number",
        "first": "geom 1 decides: its priority is 2, the other's is 0",
        "second": "geom 2 decides",
        "pair": "an explicit pair decides",
        "override": "o_solref",
    }
    for case, expected in words.items():
        assert expected in mixing(sim.loads(scene(**CASES[case][1])), 0, 1).rule


def test_an_edit_reaches_the_contacts_that_depend_on_it():
    def reaches(case, decider, index):
        return depends_on(mixing(sim.loads(scene(**CASES[case][1])), 0, 1), decider, index)

    assert reaches("average", BOTH, 0)
    assert reaches("average", FIRST, 1)
    assert not reaches("average", FIRST, 2)
    assert not reaches("average", PAIR, 0)
    assert reaches("both direct", FIRST, 1)
    assert not reaches("solmix of one", FIRST, 0)
    assert (reaches("first", FIRST, 0), reaches("first", FIRST, 1)) == (True, False)
    assert (reaches("pair", PAIR, 0), reaches("pair", PAIR, 1), reaches("pair", FIRST, 0)) == (True, False, False)
    assert reaches("override", OVERRIDE, 0)


def test_a_pair_is_found_in_either_order():
    m = sim.loads(scene(**CASES["pair"][1]))
    assert (pair_of(m, 0, 1), pair_of(m, 1, 0), pair_of(m, 0, 0)) == (0, 0, -1)
