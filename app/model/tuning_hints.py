"""Tuning hints: the effect of increasing a value, one sentence per MJCF attribute.

Meaning and unit of a field are in the engine's table of fields. A key is an attribute of MJCF, `joint/margin`, or its
last part, `margin`, for all elements that have it. Units that depend on the joint type are here too.
"""

from __future__ import annotations

_SOLREF = (
    "A larger time constant, in s, is softer and slower, a larger damping ratio bounces less; "
    "two negative numbers are -stiffness and -damping instead."
)
_SOLIMP = (
    "dmin and dmax nearer to 1 are harder; a larger width, in m or rad, lets it give way farther "
    "before the hardness has risen from dmin to dmax."
)
_LIMIT_MARGIN = "Turned up, the limit pushes back earlier, before the end of the range is reached."

EFFECTS = {
    # contacts and other constraints
    **dict.fromkeys(("solref", "solreflimit", "solreffriction", "o_solref"), _SOLREF),
    **dict.fromkeys(("solimp", "solimplimit", "solimpfriction", "o_solimp"), _SOLIMP),
    **dict.fromkeys(
        ("friction", "o_friction"),
        "Turned up, it takes more force to slide (no unit), and more torque to spin and to roll (both in m); "
        "condim says which of them act.",
    ),
    **dict.fromkeys(
        ("margin", "o_margin"), "Turned up, contacts push before the surfaces touch, and things rest on that distance."
    ),
    "joint/margin": _LIMIT_MARGIN,
    "tendon/margin": _LIMIT_MARGIN,
    "gap": "Turned up, contacts are found and listed earlier, and push no earlier.",
    # joints and tendons
    "damping": "Turned up, motion dies out faster.",
    "stiffness": "Turned up, the spring drives it back to its rest position with more force.",
    "armature": "Turned up, it speeds up and slows down less easily, as with a rotor behind gears, and is more stable.",
    "frictionloss": "Turned up, it takes more force to get it moving, and motion stops sooner.",
    "springref": "Turned up, the spring rests farther along the joint.",
    "gravcomp": "Turned up from 0, less of its weight is felt; at 1 the body floats, above that it rises.",
    **dict.fromkeys(
        ("contype", "conaffinity"),
        "Two geoms touch if a bit of one's contype is also in the other's conaffinity; 0 in both: it touches nothing.",
    ),
    "condim": "1: no friction; 3: it resists sliding; 4: also spinning about the normal; 6: also rolling.",
    "data": "What it holds at: an anchor, a pose, the coefficients of a polynomial, or a distance.",
    # actuators
    "delay": "Turned up, it responds later; its buffer has to be long enough.",
    "cranklength": "Turned up, the rod from crank to slider is longer.",
    "actrange": "A wider range lets the activation go farther; without actlimited it is not applied.",
    "gainprm": "The first number is the gain of a motor and the kp of a servo: "
    "turned up, the same control acts with more force.",
    "biasprm": "The force is the first number, plus the second times length, plus the third times velocity; "
    "a servo has 0 -kp -kv: farther below zero, it holds harder and damps more.",
    "dynprm": "The first number is the time constant of a filter, in s: turned up, force lags more behind control.",
    "gear": "Turned up, the same force of the actuator drives the joint harder, "
    "and the actuator moves farther for the same motion.",
    "ctrlrange": "A wider range lets larger controls through, in the unit of the control; "
    "without ctrllimited it is not applied.",
    "forcerange": "A wider range lets the actuator push and pull harder; without forcelimited it is not applied.",
    # options
    "timestep": "Turned up, a second takes fewer steps and less work; motion gets less accurate and finally unstable.",
    "integrator": "Euler is the cheapest; implicitfast stays stable with strong damping, implicit with fast spins, "
    "implicitspringdamper with stiff springs; RK4 is the most accurate without contacts, at four times the work.",
    "solver": "Newton takes the fewest iterations; CG does less work in each, for models with very many joints; "
    "PGS solves constraint by constraint and often stops far from the solution.",
    "cone": "elliptic friction is equal in all directions; pyramidal is a cheaper approximation.",
    "impratio": "Turned up, contacts that should stick creep less, best with elliptic cones; the solver has more work.",
    "iterations": "Turned up, the solver may work longer on a hard step, so forces get more accurate and steps slower.",
    "tolerance": "Turned up, the solver stops earlier: faster steps, less accurate forces.",
    "noslip_iterations": "Turned up from 0, contacts that should stick stop creeping, at some work for each iteration.",
    "noslip_tolerance": "Turned up, noslip stops earlier: faster steps, a little more creeping.",
    "density": "Turned up, drag grows, with the square of the velocity; air has 1.2, water 1000.",
    "viscosity": "Turned up, drag grows, in proportion to the velocity; air has 0.00002, water 0.001.",
}

# units in the engine's table of fields -> for rotation, for translation
JOINT_UNITS = {
    "q": ("rad", "m"),
    "F": ("N·m", "N"),
    "F/q": ("N·m/rad", "N/m"),
    "F·s/q": ("N·m·s/rad", "N·s/m"),
    "F·s²/q": ("kg·m²", "kg"),
}


def effect(attribute: str) -> str:
    """The effect of increasing it, or an empty string."""
    return EFFECTS.get(attribute) or EFFECTS.get(attribute.rpartition("/")[2], "")
