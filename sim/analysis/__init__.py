"""What a moment of a simulation says: pure functions of Model and Data that has been `forward`ed."""
