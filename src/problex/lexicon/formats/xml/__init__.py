"""Formats of XML: Yoshikoder and Lexicoder 2, and sentiment lexicons such as those of Pattern."""
