"""The user's view of the run: camera, selection, options, preferences, session, keys and mouse."""
