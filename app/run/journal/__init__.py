"""The journal: what the user changed, independent of the run that shows it."""
