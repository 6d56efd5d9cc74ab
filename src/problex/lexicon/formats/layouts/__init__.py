"""The layouts of tables of words: which columns hold the words, their lists and their weights."""
