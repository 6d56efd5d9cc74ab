"""Packages that a damaged file can crash, run in a process of their own: `process` asks, `child` answers."""
