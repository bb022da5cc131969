"""Expands `attach` and `replicate` in the XML tree, before it is read."""
