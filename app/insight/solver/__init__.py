"""What the Solver instrument asks: the iterations of a frozen problem, and its matrices."""
