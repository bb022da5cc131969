"""The history of a run: moments, branches, checkpoints, and what the timeline shows of them."""
