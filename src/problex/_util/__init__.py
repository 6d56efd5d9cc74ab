"""Helpers that know nothing of texts or lexicons: files, threads, memory, progress, formatting.

Nothing here is public: other packages import the modules.
"""
