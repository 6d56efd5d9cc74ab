"""Any table that a person has, as batches of Arrow columns, and back."""

__all__: list[str] = []
