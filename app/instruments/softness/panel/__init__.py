"""The panel of Softness."""
