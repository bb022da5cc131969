"""Charts: axes, curves, what is drawn over them."""
