"""Readers of binary files: Parquet and Arrow, workbooks, databases, statistics programs, archives."""
