"""The window and ImGui: input events, fonts, theme, widgets, error boundary."""
