"""What the file of a session must contain."""

from problex.workbench.stored.content import check_content
from problex.workbench.stored.files import check_file, no_session

__all__ = ["check_content", "check_file", "no_session"]
