"""The sections of MJCF beside the body tree: contact, equality, tendon, actuator, sensor, custom, keyframe."""
