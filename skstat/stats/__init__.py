"""Procedures on scores that already exist. NumPy and SciPy only."""

from skstat.stats._adjust import adjust_pvalues
from skstat.stats._effect_sizes import effect_sizes
from skstat.stats._five_by_two import FiveByTwoOutcome, five_by_two_f, five_by_two_t
from skstat.stats._outcomes import ConfidenceInterval, MeanOutcome, Outcome
from skstat.stats._paired_t import bouckaert_t, corrected_t, one_sample_t, paired_t
from skstat.stats._samples import DependenceWarning, PairedScores, Scores, Unit
from skstat.stats._sign import SignOutcome, sign_test
from skstat.stats._sign_flip import SignFlipOutcome, sign_flip
from skstat.stats._wilcoxon import SignedRankOutcome, wilcoxon

__all__ = [
    "ConfidenceInterval",
    "DependenceWarning",
    "FiveByTwoOutcome",
    "MeanOutcome",
    "Outcome",
    "PairedScores",
    "Scores",
    "SignFlipOutcome",
    "SignOutcome",
    "SignedRankOutcome",
    "Unit",
    "adjust_pvalues",
    "bouckaert_t",
    "corrected_t",
    "effect_sizes",
    "five_by_two_f",
    "five_by_two_t",
    "one_sample_t",
    "paired_t",
    "sign_flip",
    "sign_test",
    "wilcoxon",
]
