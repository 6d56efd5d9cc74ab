"""Threshold and probabilities of a model, moved by the labels of an audit."""

from problex.audit.thresholds.labelled_model import LabelEffect, LabelledTexts, effect_of_labels, with_labels

__all__ = ["LabelEffect", "LabelledTexts", "effect_of_labels", "with_labels"]
