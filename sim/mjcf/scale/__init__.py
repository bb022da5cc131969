"""Scales of <frame> elements, applied to a parsed model before it is compiled."""
