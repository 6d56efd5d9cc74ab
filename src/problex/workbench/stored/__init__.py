"""What the file of a session must contain."""

from problex.workbench.stored.content import check_content

__all__ = ["check_content"]
