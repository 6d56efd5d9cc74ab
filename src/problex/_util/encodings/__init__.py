"""The encoding of a file, guessed from its first bytes: `guess_encoding` of `guessing`."""
