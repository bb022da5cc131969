"""The command palette: entries, ranking, numbers, panel."""
