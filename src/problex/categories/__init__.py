"""The compiled loops of `problex.lookups`."""
