"""Panels: functions that draw a snapshot with ImGui and send commands. They need no window and no GL."""
