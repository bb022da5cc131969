"""What the Energy instrument asks: power by source over recorded time, and conservation laws."""
