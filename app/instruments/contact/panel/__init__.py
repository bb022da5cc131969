"""The panel of Contact."""
