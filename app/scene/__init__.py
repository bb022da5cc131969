"""From a snapshot to a draw list: what is drawn, where, in which colours. numpy only, no GL."""
