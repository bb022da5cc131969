"""Other engines behind the viewer: MuJoCo, its memory bound into the Model and Data of `sim`."""
