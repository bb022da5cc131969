"""Cards of numbers over the view, and their places."""
