"""Draws what a script adds: its panels, texts, figures and images, and the panels of its files."""
