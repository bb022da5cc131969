"""Explanations of a run: contact forces and slip, causes of divergence, why bodies are awake."""
