"""The audit of energy and momentum: work by source from one recorded state to the next, and conservation laws."""
