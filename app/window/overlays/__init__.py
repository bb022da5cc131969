"""Overlays over the view: cards, labels, manual, command palette, gallery, dialogs."""
