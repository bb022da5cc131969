"""The run: the simulation on its thread, commands to it, its history, and the snapshots it publishes."""
