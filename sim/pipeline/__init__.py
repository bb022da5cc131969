"""The pipeline: which stages run in which order, forward, inverse, and from one step to the next."""
