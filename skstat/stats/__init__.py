"""Procedures on scores that already exist. NumPy and SciPy only."""

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

# What was a function of its own, and what says the same.
_INSTEAD = {
    "bonferroni_dunn": "nemenyi(table, control=control)",
    "friedman_aligned": "friedman(table, ranking='aligned')",
    "pairwise_conover": "pairwise_mean_ranks(table, method='t')",
    "quade": "friedman(table, ranking='quade')",
    "bouckaert_t": "corrected_t(sample, calibrated=True)",
    "seed_average_t": "crossed_t(sample, random='instances')",
    "seed_means_t": "crossed_t(sample, random='seeds')",
    "anytime_proportion_interval": "proportion_interval(k, n, method='anytime')",
    "holdout_bootstrap_estimate": "holdout_estimate(predictions)",
    "largest_lead": "compare_with_best(table, method='lead')",
    "plan_sign": "plan_units(sd, test='sign')",
    "plan_wilcoxon": "plan_units(sd, test='wilcoxon')",
    "correlated_posterior": "posterior(corrected_t(sample), rope)",
    "one_sample_projection_t": "projection_t(scores.against(constant))",
    "one_sample_t": "paired_t(scores.against(constant)), or corrected_t of splits",
    "pairwise_sign": "pairwise(table, sign)",
    "pairwise_wilcoxon": "pairwise(table, wilcoxon)",
    "per_seed": "paired_t of every seed's scores",
    "crossed_bootstrap": "seeded_bootstrap",
    **dict.fromkeys(("block_jackknife_estimate", "corrected_t_estimate"), "t_estimate"),
    "projection_estimate": "t_estimate",
}


def __getattr__(name: str) -> object:
    instead = f"; use {_INSTEAD[name]}" if name in _INSTEAD else ""
    raise AttributeError(f"skstat.stats has no {name!r}{instead}.")


__all__ = [name for name in dir() if not name.startswith("_")]
