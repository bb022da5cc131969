"""What the viewer knows about the elements and fields of any model: words, units, steps, legal values."""
