"""Procedures on scores that already exist. NumPy and SciPy only."""

from skstat.stats._adjust import adjust_pvalues
from skstat.stats._aligned import friedman_aligned
from skstat.stats._best import BestOutcome, compare_with_best
from skstat.stats._binary_scores import AUCSummary, BinaryScores
from skstat.stats._binomial import BinomialOutcome, binomial
from skstat.stats._bootstrap import BootstrapOutcome, paired_bootstrap
from skstat.stats._clustered_t import clustered_t
from skstat.stats._clusters import ClusteredScores, intraclass_correlation
from skstat.stats._cochran import cochran_q
from skstat.stats._confidence_set import ConfidenceSetOutcome, model_confidence_set
from skstat.stats._conover import pairwise_conover
from skstat.stats._cost import EmpiricalLikelihoodOutcome, cost
from skstat.stats._crossed import CrossedScores
from skstat.stats._crossed_bootstrap import CrossedBootstrapOutcome, crossed_bootstrap
from skstat.stats._crossed_t import CrossedOutcome, crossed_t
from skstat.stats._delong import DelongOutcome, delong, delong_wald
from skstat.stats._diebold_mariano import LongRunOutcome, diebold_mariano
from skstat.stats._effect_sizes import effect_sizes
from skstat.stats._equivalence import EquivalenceOutcome, equivalence
from skstat.stats._estimate_bootstrap import out_of_bag_estimate
from skstat.stats._estimate_folds import cross_validation_estimate, nested_cv_estimate
from skstat.stats._estimate_holdout import holdout_bootstrap_estimate, holdout_estimate
from skstat.stats._estimate_splits import conservative_z_estimate, corrected_t_estimate
from skstat.stats._estimates import (
    Estimate,
    MeanEstimate,
    OutcomeEstimate,
    OutOfBagEstimate,
    ReplicatesEstimate,
    ShareEstimate,
)
from skstat.stats._five_by_two import (
    FirstDifferenceOutcome,
    FiveByTwoOutcome,
    five_by_two_f,
    five_by_two_t,
)
from skstat.stats._friedman import friedman
from skstat.stats._kernels import Kernel, SumKernel
from skstat.stats._largest_t import largest_t
from skstat.stats._letters import compact_letters
from skstat.stats._max_t import SimultaneousOutcome
from skstat.stats._mcnemar import McNemarOutcome, mcnemar
from skstat.stats._mean_ranks import MeanRankOutcome
from skstat.stats._nemenyi import (
    CriticalDifferenceOutcome,
    JointMeanRankOutcome,
    bonferroni_dunn,
    nemenyi,
)
from skstat.stats._omnibus import OmnibusOutcome
from skstat.stats._outcomes import ConfidenceInterval, MeanOutcome, Outcome
from skstat.stats._paired_t import bouckaert_t, corrected_t, one_sample_t, paired_t
from skstat.stats._pairwise import (
    PairwiseOutcome,
    pairwise,
    pairwise_sign,
    pairwise_wilcoxon,
)
from skstat.stats._pairwise_mean_ranks import pairwise_mean_ranks
from skstat.stats._permutation import paired_permutation
from skstat.stats._permutation_outcome import PermutationOutcome
from skstat.stats._predictions import PairedPredictions, Predictions, SinglePredictions
from skstat.stats._procedure import procedure
from skstat.stats._proportions import proportion_interval
from skstat.stats._quade import quade
from skstat.stats._quantity import Quantity
from skstat.stats._repeated_measures import repeated_measures_anova
from skstat.stats._replicability import ReplicabilityOutcome, replicability
from skstat.stats._resampled import ResampledOutcome
from skstat.stats._samples import (
    AlternativeError,
    DependenceWarning,
    PairedScores,
    Scores,
    Unit,
)
from skstat.stats._score_table import ScoreTable
from skstat.stats._seed_scores import SeedScores, SeedScoreTable
from skstat.stats._seed_tests import PerSeed, per_seed, seed_average_t, seed_means_t
from skstat.stats._seeded import SeededOutcome, seeded_bootstrap
from skstat.stats._seeded_predictions import SeededPredictions
from skstat.stats._sign import SignOutcome, sign
from skstat.stats._sign_flip import SignFlipOutcome, sign_flip
from skstat.stats._skillings_mack import skillings_mack
from skstat.stats._splits.block_jackknife import (
    block_jackknife_estimate,
    block_jackknife_t,
)
from skstat.stats._splits.block_scores import PairedBlockScores
from skstat.stats._splits.block_table import BlockScoreTable
from skstat.stats._splits.fold_scores import FoldScores, FoldScoreTable, PairedFoldScores
from skstat.stats._splits.projection import (
    ProjectionOutcome,
    one_sample_projection_t,
    projection_estimate,
    projection_t,
)
from skstat.stats._splits.row_contributions import RowContributions
from skstat.stats._tables import AgreementTable, Successes
from skstat.stats._wilcoxon import SignedRankOutcome, wilcoxon

__all__ = [
    "AUCSummary",
    "AgreementTable",
    "AlternativeError",
    "BestOutcome",
    "BinaryScores",
    "BinomialOutcome",
    "BlockScoreTable",
    "BootstrapOutcome",
    "ClusteredScores",
    "ConfidenceInterval",
    "ConfidenceSetOutcome",
    "CriticalDifferenceOutcome",
    "CrossedBootstrapOutcome",
    "CrossedOutcome",
    "CrossedScores",
    "DelongOutcome",
    "DependenceWarning",
    "EmpiricalLikelihoodOutcome",
    "EquivalenceOutcome",
    "Estimate",
    "FirstDifferenceOutcome",
    "FiveByTwoOutcome",
    "FoldScoreTable",
    "FoldScores",
    "JointMeanRankOutcome",
    "Kernel",
    "LongRunOutcome",
    "McNemarOutcome",
    "MeanEstimate",
    "MeanOutcome",
    "MeanRankOutcome",
    "OmnibusOutcome",
    "OutOfBagEstimate",
    "Outcome",
    "OutcomeEstimate",
    "PairedBlockScores",
    "PairedFoldScores",
    "PairedPredictions",
    "PairedScores",
    "PairwiseOutcome",
    "PerSeed",
    "PermutationOutcome",
    "Predictions",
    "ProjectionOutcome",
    "Quantity",
    "ReplicabilityOutcome",
    "ReplicatesEstimate",
    "ResampledOutcome",
    "RowContributions",
    "ScoreTable",
    "Scores",
    "SeedScoreTable",
    "SeedScores",
    "SeededOutcome",
    "SeededPredictions",
    "ShareEstimate",
    "SignFlipOutcome",
    "SignOutcome",
    "SignedRankOutcome",
    "SimultaneousOutcome",
    "SinglePredictions",
    "Successes",
    "SumKernel",
    "Unit",
    "adjust_pvalues",
    "binomial",
    "block_jackknife_estimate",
    "block_jackknife_t",
    "bonferroni_dunn",
    "bouckaert_t",
    "clustered_t",
    "cochran_q",
    "compact_letters",
    "compare_with_best",
    "conservative_z_estimate",
    "corrected_t",
    "corrected_t_estimate",
    "cost",
    "cross_validation_estimate",
    "crossed_bootstrap",
    "crossed_t",
    "delong",
    "delong_wald",
    "diebold_mariano",
    "effect_sizes",
    "equivalence",
    "five_by_two_f",
    "five_by_two_t",
    "friedman",
    "friedman_aligned",
    "holdout_bootstrap_estimate",
    "holdout_estimate",
    "intraclass_correlation",
    "largest_t",
    "mcnemar",
    "model_confidence_set",
    "nemenyi",
    "nested_cv_estimate",
    "one_sample_projection_t",
    "one_sample_t",
    "out_of_bag_estimate",
    "paired_bootstrap",
    "paired_permutation",
    "paired_t",
    "pairwise",
    "pairwise_conover",
    "pairwise_mean_ranks",
    "pairwise_sign",
    "pairwise_wilcoxon",
    "per_seed",
    "procedure",
    "projection_estimate",
    "projection_t",
    "proportion_interval",
    "quade",
    "repeated_measures_anova",
    "replicability",
    "seed_average_t",
    "seed_means_t",
    "seeded_bootstrap",
    "sign",
    "sign_flip",
    "skillings_mack",
    "wilcoxon",
]
