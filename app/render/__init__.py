"""Drawing with OpenGL 3.3: the only part of the viewer that knows GL, in a window as off screen."""
