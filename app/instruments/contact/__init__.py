"""Contact: the contacts of a state as a table, pairs of bodies, and one contact under the microscope."""
