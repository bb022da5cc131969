"""The parts of MjModel and MjData: options, contacts and statistics, views of elements, names, absent fields."""
