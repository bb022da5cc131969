"""Panels: free functions that read state and send commands. They need ImGui but no window and no GL."""
