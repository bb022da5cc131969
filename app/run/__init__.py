"""The run: engines, the simulation on its thread, commands to it, edits, history, snapshots, the log."""
