"""Tests of two systems with several seeds each, one file each.

Imports the tests on one test set and what is below them.
"""

from skstat.stats._seeds.crossed_bootstrap import CrossedBootstrapOutcome, crossed_bootstrap
from skstat.stats._seeds.crossed_t import CrossedOutcome, crossed_t
from skstat.stats._seeds.seed_tests import PerSeed, per_seed, seed_average_t, seed_means_t
from skstat.stats._seeds.seeded_bootstrap import SeededOutcome, pseudo_values, seeded_bootstrap
