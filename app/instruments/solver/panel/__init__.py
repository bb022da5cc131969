"""The Solver instrument: a frozen step, solved again iteration by iteration."""
