"""The server of the page: `serve` starts it, `guard` decides which requests it answers, `routes` has its addresses."""

from problex.workbench.server.serve import Options, serve

__all__ = ["Options", "serve"]
