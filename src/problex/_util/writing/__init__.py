"""Writers of Arrow tables: files of CSV, JSON lines and Parquet, workbooks, databases."""
