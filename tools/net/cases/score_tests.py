"""Every named test of scores, by kind of unit, and of data sets every test of several."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from skstat import compare_scores, rank_systems, stats
from skstat.stats import PairedScores, ScoreTable, adjust_pvalues, proportion_interval
from tools.net.case import Case, case
from tools.net.cases import data
from tools.net.cases.scores import UNITS

TESTS = (
    "block_jackknife_t", "bouckaert_t", "corrected_t", "cost", "diebold_mariano",
    "five_by_two_f", "five_by_two_t", "mcnemar", "paired_t", "projection_t", "seed_means_t",
    "sign", "sign_flip", "strength_t", "wilcoxon", "clustered_t", "crossed_t",
)  # fmt: skip
OF_TABLES = (
    "cochran_q", "friedman", "friedman_aligned", "quade", "repeated_measures_anova",
    "skillings_mack",
)  # fmt: skip
POST_HOC = (
    "wilcoxon", "sign", "sign_flip", "paired_t", "mean_ranks", "exact_mean_ranks",
    "aligned_ranks", "quade", "conover", "conover_quade", "nemenyi", "bonferroni_dunn",
)  # fmt: skip
ASKED = {
    "greater": {"alternative": "greater"},
    "margin": {"margin": 0.02},
    "rope": {"rope": 0.01},
    "a loss": {"scoring": "error", "alternative": "less"},
}
SUIT = {
    "repeated splits": ("corrected_t", "paired_t", "wilcoxon"),
    "paired seeds": ("paired_t", "wilcoxon", "sign_flip"),
    "rows": ("paired_t", "sign", "sign_flip", "wilcoxon"),
    "groups": ("clustered_t", "sign", "sign_flip", "wilcoxon"),
    "data sets": ("paired_t", "sign", "sign_flip", "wilcoxon"),
}


def cases() -> Iterator[Case]:
    """Yield the cases."""
    for unit, tests in SUIT.items():
        n, design = UNITS[unit]
        for test in TESTS if unit == "rows" else tests:  # those that do not suit are refused
            scores = data.scores(2, n, width=5)
            yield case(f"{test}, {unit}", compare_scores, scores, test=test, **design)
        for test in tests:
            for what, asked in ASKED.items():
                name = f"{test}, {unit}, {what}"
                scores = data.scores(2, n, width=5)
                yield case(name, compare_scores, scores, test=test, **asked, **design)
            three = data.scores(3, n, width=5)
            yield case(f"{test}, {unit}, 3", compare_scores, three, test=test, **design)
    for test in ("five_by_two_f", "five_by_two_t"):
        halves = {"n_train": 100, "n_test": 100, "n_repeats": 5, "test": test}
        yield case(f"{test}, 5 x 2 halves", compare_scores, data.scores(2, 10), **halves)
    whole = {"n_train": 180, "n_test": 20, "n_repeats": 10, "test": "bouckaert_t"}
    yield case("bouckaert_t, 10 x 10", compare_scores, data.scores(2, 100), **whole)
    right = data.answers(2, 120)
    for test in ("mcnemar", "sign", "sign_flip", "paired_t"):
        yield case(
            f"{test}, right and wrong", compare_scores, right, unit="instance", test=test
        )
    yield from _of_tables()
    yield from _ordered()
    yield from _bare()


def _of_tables() -> Iterator[Case]:
    _, design = UNITS["data sets"]
    table = data.scores(4, 14, width=5)
    for test in OF_TABLES:
        for k, n in ((4, 14), (3, 5)):
            scores, variants = data.scores(k, n, width=5), stats.friedman.declared.variants
            ranked = partial(stats.friedman, **variants.get(test, {}))
            ask = getattr(stats, test, ranked)
            yield case(f"{test}, {k} x {n}", compare_scores, scores, test=ask, **design)
    right = {"test": "cochran_q", **design}
    yield case("cochran_q, right and wrong", compare_scores, data.answers(4, 90), **right)
    for post_hoc in POST_HOC:
        options = {"test": post_hoc, **design}
        yield case(f"in pairs by {post_hoc}", compare_scores, table, **options)
        yield case(
            f"against one by {post_hoc}", compare_scores, table, control="s01", **options
        )
    for post_hoc in ("wilcoxon", "mean_ranks", "paired_t"):
        for what, asked in ASKED.items():
            name = f"in pairs by {post_hoc}, {what}"
            yield case(name, compare_scores, table, test=post_hoc, **asked, **design)
        for adjustment in ("shaffer", "bergmann-hommel", "hommel", "fdr_by"):
            name = f"in pairs by {post_hoc}, {adjustment}"
            options = {"test": post_hoc, "adjustment": adjustment}
            yield case(name, compare_scores, table, **options, **design)
    holes = {name: column.copy() for name, column in table.items()}
    holes["s02"][[1, 4]] = np.nan
    holes["s03"][[4, 9]] = np.nan
    yield case("missing cells", compare_scores, holes, **design)
    yield case("missing cells, named", compare_scores, holes, test="skillings_mack", **design)
    yield case("missing cells, ranked", rank_systems, holes, **design)


def _ordered() -> Iterator[Case]:
    a, b = data.scores(2, 60).values()
    for test in ("auto", "diebold_mariano", "sign_flip"):
        sample = PairedScores(a, b, unit="instance", ordered=True)
        yield case(f"in time order, {test}", compare_scores, sample, test=test)


def _bare() -> Iterator[Case]:
    """Functions of `skstat.stats` that have no door: what they return, as it is printed."""
    p = [0.001, 0.011, 0.02, 0.02, 0.4, 0.9]
    for method in ("bonferroni", "sidak", "holm", "hochberg", "hommel", "fdr_bh", "fdr_by"):
        yield case(f"adjust_pvalues, {method}", adjust_pvalues, p, method)
    for method in ("wilson", "clopper-pearson", "jeffreys"):
        for right, n in ((0, 8), (17, 40), (8, 8)):
            name = f"proportion_interval, {method}, {right} of {n}"
            yield case(name, proportion_interval, right, n, method=method)

    def letters():
        names = list(data.scores(4, 14))
        table = ScoreTable(
            np.column_stack(list(data.scores(4, 14).values())), systems=names, unit="dataset"
        )
        return {one.name: one.letters for one in compare_scores(table).systems}

    yield case("letters", letters)
