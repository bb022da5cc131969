"""Contacts: the table of a state, its filter, pairs of bodies, and what the microscope asks."""
