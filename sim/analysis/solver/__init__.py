"""The constraint solver in plain numpy: its problem, its iterations on each island, and its matrices."""
