"""mj_setConst: constants of a Model computed at qpos0: invweight0, lengths, length ranges of actuators."""
