"""Pictures of cameras in the window."""
