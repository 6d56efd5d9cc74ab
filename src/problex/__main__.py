"""`python -m problex`."""

from problex.cli.application import main

main()
