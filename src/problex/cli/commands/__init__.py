"""The commands: a module for each, or for a few that belong together, imported when one of them is called."""
