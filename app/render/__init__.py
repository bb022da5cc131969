"""Rendering with OpenGL 3.3, in a window or off screen: the only part of the viewer that uses GL."""
