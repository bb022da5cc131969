"""What MjModel and MjData are made of: options, contacts and statistics, views of elements, names, absent fields."""
