"""The methods of comparisons: of two systems, or of several in pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from skstat._names import one_line, shown_name
from skstat.report._paper.design import design_sentences, unit_sentence
from skstat.report._paper.methods import Methods, Sentence, cite
from skstat.report._paper.software import software
from skstat.report._words import adjustment_name, join_names, percent, short
from skstat.stats import (
    BradleyTerryPosterior,
    OmnibusOutcome,
    Outcome,
    PairwiseOutcome,
    Posterior,
    Reference,
    equivalence,
    rank_intervals,
)
from skstat.stats._common import declared
from skstat.stats._multiplicity import adjustment_facts
from skstat.stats._outcomes import alpha_of, unit_word


def methods_of_comparison(
    report: Mapping[str, Any], outcome: Outcome, posterior: Posterior | None = None
) -> Methods:
    """Say how two systems were compared.

    Parameters
    ----------
    report : mapping
        The dictionary of the comparison, with losses as losses.
    outcome : Outcome
        What was found.
    posterior : Posterior, optional
        The same as probabilities, where that was asked.
    """
    a, b = (one_line(shown_name(name)) for name in report["names"])
    against_constant = report["constant"] is not None
    opening = f"{a} was compared with {b}" if against_constant else f"{a} and {b} were compared"
    own = outcome.by_itself
    sentences: list[Sentence] = [
        *design_sentences(report["design"], 1 if against_constant else 2),
        unit_sentence(report),
        [
            f"The difference was tested with the {own.test}",
            cite(*own.references),
            f", {_direction(report, a, b)}, at a significance level of {_alpha(report)}; its "
            f"confidence interval has a level of {percent(report['confidence_level'])}.",
        ],
        *_draws(outcome),
    ]
    if report["adjustment"]:
        sentences.append([f"The p-value was {report['adjustment']}."])
    if report["margin"] is not None:
        sentences.append(_margin(report, ""))
    if posterior is not None:
        sentences.append(_probabilities(report, posterior))
    if report["stability"]:
        sentences.append(_stability(len(report["stability"]["seeds"])))
    return _methods(opening, report, sentences)


def methods_of_systems(
    report: Mapping[str, Any],
    pairwise: PairwiseOutcome,
    omnibus: OmnibusOutcome | None,
    posterior: Posterior | None = None,
    strengths: BradleyTerryPosterior | None = None,
) -> Methods:
    """Say how several systems were compared, at once and in pairs.

    Parameters
    ----------
    report : mapping
        The dictionary of the report, with losses as losses.
    pairwise : PairwiseOutcome
        The comparisons in pairs.
    omnibus : OmnibusOutcome or None
        The test of all at once.
    posterior : Posterior, optional
        A pair as probabilities, where that was asked.
    strengths : BradleyTerryPosterior, optional
        Which system is the best, where that was asked.
    """
    names = [one_line(name) for name in report["names"]]
    opening = f"The {len(names)} systems {join_names(names)} were compared"
    sentences = [
        *design_sentences(report["design"], len(names)),
        unit_sentence(report),
    ]
    level = f"at a significance level of {_alpha(report)}"
    if omnibus is not None:
        works = cite(*omnibus.references)
        sentences.append([f"All were tested at once with the {omnibus.test}", works, "."])
    control = report["control"]
    who = "Every pair was" if control is None else "Every other system was"
    against = "" if control is None else f" against {one_line(shown_name(control))}"
    sentences.append([f"{who} tested{against} with the ", *_tests(pairwise)])
    sentences.append(_adjusted(report, pairwise, level))
    sentences += _draws(pairwise.outcomes[0])
    if report["margin"] is not None:
        sentences.append(_margin(report, " of every pair"))
    if posterior is not None:
        sentences.append(_probabilities(report, posterior, " every pair"))
    if strengths is not None:
        sentences.append(_strengths(report, strengths))
    if report["stability"]:
        sentences.append(_stability(len(report["stability"][0]["seeds"])))
    return _methods(opening, report, sentences)


def methods_of_leaderboard(
    report: Mapping[str, Any],
    pairwise: PairwiseOutcome,
    omnibus: OmnibusOutcome | None,
    strengths: BradleyTerryPosterior | None = None,
) -> Methods:
    """Say how systems were ranked, and how the ranks were judged.

    Parameters
    ----------
    report : mapping
        The dictionary of the report, with losses as losses.
    pairwise : PairwiseOutcome
        The comparisons in pairs.
    omnibus : OmnibusOutcome or None
        The test of all at once.
    strengths : BradleyTerryPosterior, optional
        Which system is the best, where that was asked.
    """
    found = methods_of_systems(report, pairwise, omnibus, strengths=strengths)
    ranks: list[Sentence] = [
        [
            "The ranks that every system may have follow from the significant pairs",
            cite(*declared(rank_intervals).references),
            f"; they hold for all systems at once, with a level of "
            f"{percent(report['confidence_level'])}.",
        ]
    ]
    stability = report["rank_stability"]
    if stability is not None:
        ranks.append(
            [
                f"How stable the ranks are was seen from {stability['n_resamples']} bootstrap "
                f"resamples of the {unit_word(stability['unit'])}s."
            ]
        )
    *before, last = found.sentences
    return replace(found, sentences=(*before, *ranks, last))


def methods_of_slices(
    overall: Methods,
    report: Mapping[str, Any],
    outcomes: Sequence[Outcome],
    between: OmnibusOutcome | None,
    *,
    n_slices: int,
    every_pair: bool = False,
) -> Methods:
    """Say how systems were compared in slices, behind how they were on all rows.

    Parameters
    ----------
    overall : Methods
        How they were compared on all rows.
    report : mapping
        The dictionary of the report on two of them, with losses as losses.
    outcomes : sequence of Outcome
        What was found in every slice, of every pair.
    between : OmnibusOutcome or None
        The test of whether the difference varies.
    n_slices : int
        Number of slices.
    every_pair : bool, default=False
        Whether there are several pairs.
    """
    cut = join_names(report["cut_by"]) if report["cut_by"] else "one column"
    n = len(outcomes)
    sentences: list[Sentence] = [
        [
            f"{'Every pair was' if every_pair else 'They were'} also compared in {n_slices} "
            f"slice{'s' * (n_slices > 1)} of the rows, by {one_line(cut)}, with the ",
            *_named_tests([outcome.by_itself for outcome in outcomes]),
        ]
    ]
    if n > 1:
        method = report["adjustment"]
        works = cite(*adjustment_facts(method).references)
        of = f"all {n} comparisons, of pairs in slices," if every_pair else "slices"
        sentences.append(
            [f"The p-values of {of} were adjusted by {adjustment_name(method)}", works, "."]
        )
    if between is not None:
        sentences.append(
            [
                f"Whether the difference varies between slices was tested with {between.test}",
                cite(*between.references),
                ", with p-values adjusted by Holm's method for pairs." if every_pair else ".",
            ]
        )
    if report["margin"] is not None:
        sentences.append(_margin(report, " of every slice"))
    *before, last = overall.sentences
    return replace(overall, sentences=(*before, *sentences, last))


def _methods(opening: str, report: Mapping[str, Any], sentences: list[Sentence]) -> Methods:
    metric = one_line(report["metric"]) + (" (lower is better)" if report["is_loss"] else "")
    return Methods(
        opening=f"{opening} by",
        metrics=(metric,),
        sentences=(*sentences, software(fitted="splitter" in report["design"])),
    )


def _alpha(report: Mapping[str, Any]) -> str:
    return f"{alpha_of(report['confidence_level']):g}"


def _direction(report: Mapping[str, Any], a: str, b: str) -> str:
    if report["alternative"] == "two-sided":
        return "two-sided"
    better = "better" if report["alternative"] == "greater" else "worse"
    return f"one-sided (the alternative is that {a} is {better} than {b})"


def _tests(pairwise: PairwiseOutcome) -> Sentence:
    """Name the tests of the pairs, which may differ, each with its works."""
    return _named_tests(pairwise.family.distinct("by_itself"), pairwise.references)


def _named_tests(outcomes: Sequence[Outcome], of_all: tuple[Reference, ...] = ()) -> Sentence:
    """Name tests, each with its works; those `of_all` stand with the first."""
    tests: dict[str, tuple[Reference, ...]] = {}
    for outcome in outcomes:
        tests.setdefault(outcome.test, outcome.references)
    parts: list[str | tuple[Reference, ...]] = []
    for number, (test, works) in enumerate(tests.items()):
        own = works if number else (*works, *of_all)
        parts += [" or the " * (number > 0) + test, cite(*own)]
    one_sided = outcomes[0].alternative != "two-sided"
    return [*parts, ", one-sided." if one_sided else ", two-sided."]


def _adjusted(report: Mapping[str, Any], pairwise: PairwiseOutcome, level: str) -> Sentence:
    facts = adjustment_facts(pairwise.adjustment)
    controlled = "false discovery rate" if facts.false_discoveries else "family-wise error"
    n_pairs = pairwise.n_family or len(pairwise.pairs)
    percentage = percent(report["confidence_level"])
    interval = f"intervals have a level of {percentage}"
    if pairwise.outcomes[0].simultaneous:
        interval = f"intervals hold for all pairs at once, with a level of {percentage}"
    return [
        f"The p-values of {n_pairs} pairs were adjusted by "
        f"{adjustment_name(pairwise.adjustment)}",
        cite(*facts.references),
        f", so that the {controlled} was controlled {level}; {interval}.",
    ]


def _draws(outcome: Outcome) -> list[Sentence]:
    """Say how often was drawn, where anything was."""
    n = outcome.n_drawn
    return [[f"The test used {n} random draws."]] if n else []


def _margin(report: Mapping[str, Any], of: str) -> Sentence:
    return [
        f"Differences smaller than {short(report['margin'])} in {one_line(report['metric'])} "
        f"were taken to be too small to matter; equivalence{of} was tested with two one-sided "
        "tests",
        cite(*declared(equivalence).references),
        f" at a level of {_alpha(report)} each.",
    ]


def _probabilities(report: Mapping[str, Any], found: Posterior, pairs: str = "") -> Sentence:
    """Say how probabilities were found; of a t test that is not a second analysis."""
    of_pairs, for_pairs = (f" {word}{pairs}" if pairs else "" for word in ("of", "for"))
    region = (
        f"; differences up to {short(found.rope)} in {one_line(report['metric'])} were taken "
        "to be practically none"
        if found.rope
        else ""
    )
    before, after = found.done.split("{works}")
    words = {"of_pairs": of_pairs, "for_pairs": for_pairs, "unit": unit_word(report["unit"])}
    works = cite(*found.references)
    return [before.format(**words), works, f"{after.format(**words)}{region}."]


def _strengths(report: Mapping[str, Any], found: BradleyTerryPosterior) -> Sentence:
    """Say how it was found which system is the best."""
    model, shares = found.references[:-1], found.references[-1:]
    word = unit_word(report["unit"])
    if found.shares is None:
        return [
            "The probability of each to be the best was computed by a Bradley-Terry model",
            cite(*model),
            f" whose comparisons counted {found.weight:.2f}, since those on one {word} are not "
            "independent.",
        ]
    return [
        "The probability of each to be the best was computed by a Bradley-Terry model",
        cite(*model),
        f" whose contests counted {short(found.weight)}, since those of one {word} are not "
        "independent, and beside it by shares of wins with a Bayesian bootstrap",
        cite(*shares),
        ".",
    ]


def _stability(n: int) -> Sentence:
    times = "once" if n == 1 else f"{n} times"
    return [f"The whole comparison was repeated {times} on other random partitions."]
