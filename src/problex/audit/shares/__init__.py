"""Shares of labels by group, estimated from the labels of an audit, with intervals."""
