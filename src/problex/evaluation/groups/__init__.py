"""Documents counted by group and probability, and what their differences say without labels."""
