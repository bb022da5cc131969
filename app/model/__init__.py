"""The elements and fields of any model as the viewer shows them: names, units, steps, legal values."""
