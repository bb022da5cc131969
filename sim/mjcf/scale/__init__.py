"""Scales of <frame> elements, applied to a Spec before it is compiled."""
