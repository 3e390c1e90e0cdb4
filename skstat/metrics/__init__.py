"""How metrics behave under resampling."""

from skstat.metrics._linear import is_linear_in_labels

__all__ = ["is_linear_in_labels"]
