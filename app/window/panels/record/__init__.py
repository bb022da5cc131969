"""The record button of the toolbar and its menu."""
