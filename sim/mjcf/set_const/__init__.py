"""Constants of a Model that follow from qpos0: inverse weights, lengths, length ranges of actuators."""
