"""The Plots panel: expressions over recorded time."""
