"""The formats that a model can have: a table, and one file for each reader.

A reader makes the tree of MJCF nodes of a file; what follows is the same for all formats.
"""
