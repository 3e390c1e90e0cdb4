"""Procedures on scores that already exist. NumPy and SciPy only."""

from skstat.stats import _procedure
from skstat.stats._auc import BinaryScores, delong, delong_wald
from skstat.stats._bootstrap import bootstrap_posterior, paired_bootstrap
from skstat.stats._bradley_terry import (
    BradleyTerryPosterior,
    bradley_terry,
    strength_t,
    strength_table,
    win_shares,
)
from skstat.stats._counts import AgreementTable, Preferences, Successes
from skstat.stats._estimates import (
    Estimate,
    cross_validation_estimate,
    holdout_estimate,
    nested_cv_estimate,
    out_of_bag_estimate,
    t_estimate,
)
from skstat.stats._family import Comparison, Law, Student, effect_sizes
from skstat.stats._flips import cost, sign_flip
from skstat.stats._hierarchical import hierarchical_posterior
from skstat.stats._kernels import SumKernel
from skstat.stats._leaderboard import (
    compare_with_best,
    model_confidence_set,
    rank_intervals,
    rank_stability,
)
from skstat.stats._mcnemar import binomial, mcnemar, proportion_interval
from skstat.stats._mean_ranks import nemenyi, pairwise_mean_ranks
from skstat.stats._multiplicity import adjust_pvalues, compact_letters, replicability
from skstat.stats._omnibus import (
    cochran_q,
    friedman,
    largest_t,
    repeated_measures_anova,
    skillings_mack,
)
from skstat.stats._pairwise import OmnibusOutcome, PairwiseOutcome, equivalence, pairwise
from skstat.stats._permutation import paired_permutation
from skstat.stats._plan import Plan
from skstat.stats._plans import (
    plan_answers,
    plan_from,
    plan_groups,
    plan_precision,
    plan_projection,
    plan_rows,
    plan_seeds,
    plan_splits,
)
from skstat.stats._plans_exact import plan_mcnemar, plan_systems, plan_units
from skstat.stats._posterior import Posterior
from skstat.stats._posteriors import (
    agreement_posterior,
    posterior,
    sign_posterior,
    signed_rank_posterior,
)
from skstat.stats._predictions import Predictions
from skstat.stats._procedure import Reference, procedure
from skstat.stats._ranks import sign, wilcoxon
from skstat.stats._row_contributions import RowContributions
from skstat.stats._score_table import DatasetSplits, ScoreTable
from skstat.stats._scores import DependenceWarning, PairedScores, Scores, intraclass_correlation
from skstat.stats._seeds import SeedScores, crossed_t, seeded_bootstrap
from skstat.stats._sturdiness import sturdiness
from skstat.stats._t_tests import (
    block_jackknife_t,
    clustered_t,
    corrected_t,
    diebold_mariano,
    five_by_two_f,
    five_by_two_t,
    paired_t,
    projection_t,
)


def __getattr__(name: str) -> object:
    raise _procedure.lacks(name, {public: globals()[public] for public in __all__})


__all__ = [name for name in dir() if not name.startswith("_")]
