"""Helpers that do not depend on texts or lexicons: files, threads, memory, progress, formatting.

Nothing here is public: other packages import the modules.
"""
