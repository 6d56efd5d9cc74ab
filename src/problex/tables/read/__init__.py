"""Readers of file formats: delimited text, JSON lines, plain text, Parquet, workbooks, databases, Stata, SPSS, R."""
