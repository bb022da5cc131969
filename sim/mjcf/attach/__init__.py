"""`attach` and `replicate`: the tree of nodes as it would be written without them."""
