"""Energy: power by source over recorded time, and conservation laws."""
