"""The version of problex."""

__version__ = "0.1.0"
