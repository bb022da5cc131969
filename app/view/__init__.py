"""The user's view of the run: camera, selection, options, preferences, what a script adds."""
