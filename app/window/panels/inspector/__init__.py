"""The Inspector panel: everything about the selected element."""
