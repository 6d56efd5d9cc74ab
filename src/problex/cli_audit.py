"""`problex audit`: label a few documents, and know."""
