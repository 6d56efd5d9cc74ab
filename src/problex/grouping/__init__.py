"""Rows by the values of a column: its groups, or the periods of its dates."""
