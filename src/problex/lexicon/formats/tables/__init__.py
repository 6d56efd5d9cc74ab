"""Tables of words: what their columns hold, which layout they have, and the entries that are read from them."""
