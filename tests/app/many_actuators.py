"""A model with many actuators: legs of ten hinges, each with a servo, a motor or a velocity servo."""

from __future__ import annotations

HINGES = 10
LAWS = ("position kp='5' dampratio='1' ctrlrange='-1 1'", "motor ctrlrange='-2 2'", "velocity kv='1'")


def many_actuators(count: int = 700) -> str:
    """MJCF of a model with so many actuators."""
    legs, actuators = [], []
    for leg in range(-(-count // HINGES)):
        links = min(HINGES, count - leg * HINGES)
        bodies = "".join(
            f"<body name='leg{leg}_link{k}' pos='0 0 -.1'>"
            f"<joint name='leg{leg}_hinge{k}' axis='0 1 0' range='-60 60' damping='.1' armature='.01'/>"
            "<geom type='capsule' fromto='0 0 0 0 0 -.1' size='.01'/>"
            for k in range(links)
        )
        legs.append(f"<body pos='{leg % 10 * 0.3} {leg // 10 * 0.3} 2'>{bodies}{'</body>' * links}</body>")
        actuators += [
            f"<{LAWS[k % 3]} name='leg{leg}_drive{k}' joint='leg{leg}_hinge{k}'/>" for k in range(links)
        ]  # fmt: skip
    return (
        f"<mujoco><worldbody><light pos='0 0 5'/><geom type='plane' size='5 5 .1'/>{''.join(legs)}</worldbody>"
        f"<actuator>{''.join(actuators)}</actuator>"
        "<keyframe><key name='bent' qpos='" + " ".join(["0.1"] * count) + "' ctrl='" + " ".join(["0.2"] * count) + "'/>"
        "</keyframe></mujoco>"
    )
