"""The program `problex`, also as `python -m problex`."""

from problex.cli import main

if __name__ == "__main__":
    main()
