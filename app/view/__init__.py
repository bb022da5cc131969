"""The user's view of the run: camera, selection, options, what is open, what a script adds."""
