"""What is drawn over the view: axes of the camera, the mark of the selection, the force of a pull."""
