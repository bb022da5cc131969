"""The log: its panel, and the badge of the status line."""
