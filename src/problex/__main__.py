"""`python -m problex`."""

from problex.cli import main

main()
