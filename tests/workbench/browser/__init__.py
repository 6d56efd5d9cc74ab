"""The page in a real browser, as a person uses it."""
