"""The log: what scripts print, and what the engine and the viewer have to say."""
