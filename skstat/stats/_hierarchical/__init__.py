"""One model of many data sets and the splits on each, and its Markov chains.

Imports the tests on paired scores and what is below them.
"""

from skstat.stats._hierarchical.hierarchical_posterior import (
    FEWEST_DATASETS,
    HierarchicalPosterior,
    hierarchical_posterior,
)
from skstat.stats._hierarchical.sampler import ChainsDisagreeError, effective_size, split_rhat
