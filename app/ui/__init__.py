"""Parts of any panel: ImGui's context, input events, fonts, theme, widgets, tables, charts."""
