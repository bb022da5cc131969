"""Analysis of a moment: where forces come from, how soft contacts are, measures by name for expressions."""
