"""Explanations of a run: contact forces and slip, why bodies are awake, answers for instruments."""
