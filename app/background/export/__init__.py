"""Exports of a moment: a test, a script or an archive that reproduces what is seen."""
