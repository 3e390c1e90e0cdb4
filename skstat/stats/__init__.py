"""Procedures on scores that already exist. NumPy and SciPy only."""

from skstat.stats._anova import largest_t as largest_t
from skstat.stats._anova import repeated_measures_anova as repeated_measures_anova
from skstat.stats._auc import BinaryScores as BinaryScores
from skstat.stats._auc import delong as delong
from skstat.stats._auc import delong_wald as delong_wald
from skstat.stats._best import BestOutcome as BestOutcome
from skstat.stats._best import Candidates as Candidates
from skstat.stats._best import ConfidenceSetOutcome as ConfidenceSetOutcome
from skstat.stats._best import compare_with_best as compare_with_best
from skstat.stats._best import largest_lead as largest_lead
from skstat.stats._best import model_confidence_set as model_confidence_set
from skstat.stats._bootstrap import paired_bootstrap as paired_bootstrap
from skstat.stats._bootstrap_posterior import BootstrapPosterior as BootstrapPosterior
from skstat.stats._bootstrap_posterior import bootstrap_posterior as bootstrap_posterior
from skstat.stats._bradley_terry import BradleyTerryPosterior as BradleyTerryPosterior
from skstat.stats._bradley_terry import PairChances as PairChances
from skstat.stats._bradley_terry import PoorDrawsError as PoorDrawsError
from skstat.stats._bradley_terry import SideChance as SideChance
from skstat.stats._bradley_terry import WinChances as WinChances
from skstat.stats._bradley_terry import bradley_terry as bradley_terry
from skstat.stats._bradley_terry import win_shares as win_shares
from skstat.stats._chains import ChainsDisagreeError as ChainsDisagreeError
from skstat.stats._clustered_t import clustered_t as clustered_t
from skstat.stats._common import Quantity as Quantity
from skstat.stats._common import Reference as Reference
from skstat.stats._common import procedure as procedure
from skstat.stats._equivalence import EquivalenceOutcome as EquivalenceOutcome
from skstat.stats._equivalence import equivalence as equivalence
from skstat.stats._estimates import Estimate as Estimate
from skstat.stats._estimates import MeanEstimate as MeanEstimate
from skstat.stats._estimates import OutcomeEstimate as OutcomeEstimate
from skstat.stats._estimates import OutOfBagEstimate as OutOfBagEstimate
from skstat.stats._estimates import ReplicatesEstimate as ReplicatesEstimate
from skstat.stats._estimates import ShareEstimate as ShareEstimate
from skstat.stats._estimates import corrected_t_estimate as corrected_t_estimate
from skstat.stats._estimates import cross_validation_estimate as cross_validation_estimate
from skstat.stats._estimates import nested_cv_estimate as nested_cv_estimate
from skstat.stats._family import Comparison as Comparison
from skstat.stats._family import OmnibusOutcome as OmnibusOutcome
from skstat.stats._family import effect_sizes as effect_sizes
from skstat.stats._flips import cost as cost
from skstat.stats._flips import sign_flip as sign_flip
from skstat.stats._friedman import cochran_q as cochran_q
from skstat.stats._friedman import friedman as friedman
from skstat.stats._friedman import friedman_aligned as friedman_aligned
from skstat.stats._friedman import quade as quade
from skstat.stats._friedman import skillings_mack as skillings_mack
from skstat.stats._hierarchical import HierarchicalPosterior as HierarchicalPosterior
from skstat.stats._hierarchical import hierarchical_posterior as hierarchical_posterior
from skstat.stats._holdout import holdout_bootstrap_estimate as holdout_bootstrap_estimate
from skstat.stats._holdout import holdout_estimate as holdout_estimate
from skstat.stats._holdout import out_of_bag_estimate as out_of_bag_estimate
from skstat.stats._kernels import Kernel as Kernel
from skstat.stats._kernels import SumKernel as SumKernel
from skstat.stats._law import Law as Law
from skstat.stats._law import Student as Student
from skstat.stats._leaderboard import RankInterval as RankInterval
from skstat.stats._leaderboard import RankStability as RankStability
from skstat.stats._leaderboard import rank_intervals as rank_intervals
from skstat.stats._leaderboard import rank_stability as rank_stability
from skstat.stats._mcnemar import anytime_proportion_interval as anytime_proportion_interval
from skstat.stats._mcnemar import binomial as binomial
from skstat.stats._mcnemar import mcnemar as mcnemar
from skstat.stats._mcnemar import proportion_interval as proportion_interval
from skstat.stats._mean_ranks import bonferroni_dunn as bonferroni_dunn
from skstat.stats._mean_ranks import nemenyi as nemenyi
from skstat.stats._mean_ranks import pairwise_conover as pairwise_conover
from skstat.stats._mean_ranks import pairwise_mean_ranks as pairwise_mean_ranks
from skstat.stats._multiplicity import ReplicabilityOutcome as ReplicabilityOutcome
from skstat.stats._multiplicity import adjust_pvalues as adjust_pvalues
from skstat.stats._multiplicity import compact_letters as compact_letters
from skstat.stats._multiplicity import replicability as replicability
from skstat.stats._pairwise import PairwiseOutcome as PairwiseOutcome
from skstat.stats._pairwise import pairwise as pairwise
from skstat.stats._permutation import paired_permutation as paired_permutation
from skstat.stats._plan import Plan as Plan
from skstat.stats._plan import Size as Size
from skstat.stats._plans import plan_answers as plan_answers
from skstat.stats._plans import plan_from as plan_from
from skstat.stats._plans import plan_groups as plan_groups
from skstat.stats._plans import plan_precision as plan_precision
from skstat.stats._plans import plan_projection as plan_projection
from skstat.stats._plans import plan_rows as plan_rows
from skstat.stats._plans import plan_seeds as plan_seeds
from skstat.stats._plans import plan_splits as plan_splits
from skstat.stats._plans import plan_units as plan_units
from skstat.stats._plans_exact import plan_mcnemar as plan_mcnemar
from skstat.stats._plans_exact import plan_sign as plan_sign
from skstat.stats._plans_exact import plan_systems as plan_systems
from skstat.stats._plans_exact import plan_wilcoxon as plan_wilcoxon
from skstat.stats._posterior import BestPosterior as BestPosterior
from skstat.stats._posterior import Posterior as Posterior
from skstat.stats._posterior import StudentPosterior as StudentPosterior
from skstat.stats._posteriors import AgreementPosterior as AgreementPosterior
from skstat.stats._posteriors import SignedRankPosterior as SignedRankPosterior
from skstat.stats._posteriors import SignPosterior as SignPosterior
from skstat.stats._posteriors import agreement_posterior as agreement_posterior
from skstat.stats._posteriors import posterior as posterior
from skstat.stats._posteriors import sign_posterior as sign_posterior
from skstat.stats._posteriors import signed_rank_posterior as signed_rank_posterior
from skstat.stats._ranks import sign as sign
from skstat.stats._ranks import wilcoxon as wilcoxon
from skstat.stats._samples import AgreementTable as AgreementTable
from skstat.stats._samples import AlternativeError as AlternativeError
from skstat.stats._samples import DatasetSplits as DatasetSplits
from skstat.stats._samples import DependenceWarning as DependenceWarning
from skstat.stats._samples import PairedScores as PairedScores
from skstat.stats._samples import Predictions as Predictions
from skstat.stats._samples import Preferences as Preferences
from skstat.stats._samples import RowContributions as RowContributions
from skstat.stats._samples import ScorePairs as ScorePairs
from skstat.stats._samples import Scores as Scores
from skstat.stats._samples import ScoreTable as ScoreTable
from skstat.stats._samples import SeededPredictions as SeededPredictions
from skstat.stats._samples import SeedScores as SeedScores
from skstat.stats._samples import Successes as Successes
from skstat.stats._samples import Unit as Unit
from skstat.stats._samples import intraclass_correlation as intraclass_correlation
from skstat.stats._seeds import crossed_bootstrap as crossed_bootstrap
from skstat.stats._seeds import crossed_t as crossed_t
from skstat.stats._seeds import seed_average_t as seed_average_t
from skstat.stats._seeds import seed_means_t as seed_means_t
from skstat.stats._seeds import seeded_bootstrap as seeded_bootstrap
from skstat.stats._splits import block_jackknife_estimate as block_jackknife_estimate
from skstat.stats._splits import block_jackknife_t as block_jackknife_t
from skstat.stats._splits import five_by_two_f as five_by_two_f
from skstat.stats._splits import five_by_two_t as five_by_two_t
from skstat.stats._splits import one_sample_projection_t as one_sample_projection_t
from skstat.stats._splits import projection_estimate as projection_estimate
from skstat.stats._splits import projection_t as projection_t
from skstat.stats._strengths import strength_t as strength_t
from skstat.stats._strengths import strength_table as strength_table
from skstat.stats._sturdiness import Sturdiness as Sturdiness
from skstat.stats._sturdiness import sturdiness as sturdiness
from skstat.stats._t_tests import bouckaert_t as bouckaert_t
from skstat.stats._t_tests import corrected_t as corrected_t
from skstat.stats._t_tests import diebold_mariano as diebold_mariano
from skstat.stats._t_tests import one_sample_t as one_sample_t
from skstat.stats._t_tests import paired_t as paired_t
from skstat.stats._words import ConfidenceInterval as ConfidenceInterval

# What was a function of its own, and what says the same.
_INSTEAD = {
    "PairedPredictions": "Predictions of two systems",
    "PredictionCounts": "Predictions(y_true, outputs, counts=counts)",
    "correlated_posterior": "posterior(corrected_t(sample), rope)",
    "pairwise_sign": "pairwise(table, sign)",
    "pairwise_wilcoxon": "pairwise(table, wilcoxon)",
    "per_seed": "paired_t of every seed's scores",
    **dict.fromkeys(("CrossedScores", "SeedScoreTable"), "SeedScores({'a': ..., 'b': ...})"),
    **dict.fromkeys(
        ("FoldScores", "PairedFoldScores", "FoldScoreTable"), "rows= of its scores"
    ),
    "ClusteredScores": "PairedScores(..., groups=)",
    "ClusteredScoreTable": "ScoreTable(..., groups=)",
    "PairedStrengths": "PairedScores(..., n_items=)",
    "StrengthTable": "ScoreTable(..., n_items=)",
}


def __getattr__(name: str) -> object:
    instead = f"; use {_INSTEAD[name]}" if name in _INSTEAD else ""
    raise AttributeError(f"skstat.stats has no {name!r}{instead}.")


__all__ = [name for name in dir() if not name.startswith("_")]
