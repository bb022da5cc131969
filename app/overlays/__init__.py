"""Overlays over the view: cards, labels, help, command palette, gallery, dialogs."""
