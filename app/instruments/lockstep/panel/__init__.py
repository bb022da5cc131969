"""The panel of Lockstep."""
