"""A session: what of a run is carried over when the program restarts."""
