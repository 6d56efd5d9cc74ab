"""Tables of Arrow as files of CSV, JSON lines, Parquet and Excel, and as tables of databases."""
