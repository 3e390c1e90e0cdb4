"""One score per seed, for systems whose seeds are not paired."""

import inspect
from typing import Any

from skstat import stats
from skstat.comparison._engine.family import AskedPairs
from skstat.comparison._engine.pair import ask_sample, design_with_seed, seeds_drawn_by
from skstat.comparison._engine.systems import report_on
from skstat.comparison._guide import choose
from skstat.comparison._procedures import Procedure, sample_types
from skstat.comparison._question import Question
from skstat.report._evidence import PairEvidence, SystemsEvidence
from skstat.stats._common import subclasses_of
from skstat.stats._post_hoc import pairs_of


def ask_seed_scores(
    table: stats.SeedScoreTable,
    test: str | Procedure,
    question: Question,
    **about: Any,
) -> PairEvidence | SystemsEvidence:
    """Compare systems by the scores of their seeds; the pairs have no joint distribution."""
    _refuse_pairs(test)
    control, adjustment = question.control, question.adjustment
    pairs = pairs_of(table.names, control)
    several = len(pairs) > 1
    if several and adjustment == "max-t":
        raise ValueError(
            "adjustment='max-t' needs scores of all systems on the same units, which unpaired "
            "seeds do not give; use adjustment='holm', or paired_seeds=True if seed i of "
            "every system belongs together."
        )
    adjustment = "holm" if adjustment == "auto" else adjustment
    asked = {"control": control is not None, "adjustment": adjustment} if several else {}
    procedure, choice = choose(
        test, table if several else table.pair(*pairs[0]), question, **asked
    )
    reports = [
        ask_sample(
            procedure,
            table.pair(a, b),
            question,
            names=(a, b),
            choice=None if several else choice,
            design=_described(table.pair(a, b).n_seeds),
            of_family=several,
            **about,
        )
        for a, b in pairs
    ]
    if not several:
        return reports[0]
    seed = question.seed
    drawn = seeds_drawn_by(procedure, seed, *(report.outcome for report in reports))
    return report_on(
        table,
        AskedPairs.of_reports(reports),
        question,
        choice=choice,
        design=design_with_seed(_described(table.n_seeds), seed, *drawn),
    )


def _refuse_pairs(test: str | Procedure) -> None:
    """Refuse a test of pairs: nothing pairs these seeds."""
    procedure = getattr(stats, test, None) if isinstance(test, str) else test
    if not inspect.isfunction(procedure):
        return
    if sample_types(procedure) & {stats.PairedScores, *subclasses_of(stats.PairedScores)}:
        raise ValueError(
            f"test={procedure.__name__!r} compares pairs of scores, and seed i of one "
            "system has nothing to do with seed i of another. If it has (the seed "
            "controls the same thing in both), say paired_seeds=True; else leave test out."
        )


def _described(n_seeds: tuple[int, ...]) -> dict[str, Any]:
    counts = ", ".join(map(str, n_seeds[:-1]))
    return {
        "kind": "one score per seed",
        "notes": [f"{counts} and {n_seeds[-1]} seeds, not paired"],
    }
