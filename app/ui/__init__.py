"""ImGui in a window: events, fonts, colours, widgets."""
