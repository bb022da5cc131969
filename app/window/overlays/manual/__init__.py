"""The manual over the view: its window, and the layout of a page."""
