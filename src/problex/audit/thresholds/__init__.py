"""Threshold and probabilities of a model, moved by the labels of an audit."""

from problex.audit.thresholds.labelled_model import LabelledTexts, cross_validated_accuracy, with_labels

__all__ = ["LabelledTexts", "cross_validated_accuracy", "with_labels"]
