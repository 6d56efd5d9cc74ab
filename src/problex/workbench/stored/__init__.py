"""What the file of a session must contain, and whose it is."""

from problex.workbench.stored.content import check_content
from problex.workbench.stored.files import check_file, explained, no_session
from problex.workbench.stored.owner import is_signed, sign

__all__ = ["check_content", "check_file", "explained", "is_signed", "no_session", "sign"]
