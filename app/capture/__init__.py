"""Pictures and videos: of the window, off screen, for scripts."""
