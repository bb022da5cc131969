"""Images and videos: of the window, off screen, and for scripts."""
