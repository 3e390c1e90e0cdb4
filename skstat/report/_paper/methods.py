"""What was done, as sentences for the methods section of a paper, with the works behind it."""

import platform
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import chain, zip_longest
from typing import Any

from skstat._names import one_line, shown_name
from skstat.report._evidence import SliceEvidence
from skstat.report._forms import escape_latex
from skstat.report._model import Report, ReportGrid
from skstat.report._words import (
    adjustment_name,
    good,
    good_best,
    join_names,
    percent,
    short,
    span_of,
)
from skstat.stats import Outcome, Reference, equivalence, rank_intervals
from skstat.stats._common import declared
from skstat.stats._multiplicity import adjustment_facts
from skstat.stats._outcomes import unit_word

# A sentence in parts: words, and the works that are cited behind them.
Works = tuple[Reference, ...]
Sentence = Sequence[str | Works]

SCIKIT_LEARN = Reference(
    authors=(
        "Pedregosa, F.", "Varoquaux, G.", "Gramfort, A.", "Michel, V.", "Thirion, B.",
        "Grisel, O.", "Blondel, M.", "Prettenhofer, P.", "Weiss, R.", "Dubourg, V.",
        "Vanderplas, J.", "Passos, A.", "Cournapeau, D.", "Brucher, M.", "Perrot, M.",
        "Duchesnay, E.",
    ),
    year=2011,
    title="Scikit-learn: machine learning in Python",
    venue="Journal of Machine Learning Research",
    volume="12",
    pages="2825-2830",
)  # fmt: skip


def methods(r: Report | ReportGrid) -> list[Sentence]:
    """Return what was done, from who was compared to the software.

    Parameters
    ----------
    r : Report or ReportGrid
        The report.
    """
    first = _first(r)
    fitted = first.is_performance or "splitter" in first.design
    opening = f"{_opening(r)} {' and by '.join(dict.fromkeys(_metrics(r)))}."
    return [[opening], *_done(r), _software(fitted=fitted)]


def methods_text(sentences: Iterable[Sentence], *, latex: bool) -> str:
    """Write one paragraph; in LaTeX works are cited by their keys."""
    return " ".join("".join(_part(part, latex) for part in said) for said in sentences)


def works_of(sentences: Iterable[Sentence]) -> list[Reference]:
    """Return the works that are cited, each once, in their order."""
    parts = chain.from_iterable(sentences)
    found = chain.from_iterable(part for part in parts if not isinstance(part, str))
    return list(dict.fromkeys(found))


def _part(part: str | Works, latex: bool) -> str:
    if isinstance(part, str):
        if not latex or not part.strip():
            return part
        before, after = part[: len(part) - len(part.lstrip())], part[len(part.rstrip()) :]
        return f"{before}{escape_latex(part)}{after}"
    if not part:
        return ""
    if latex:
        return rf"~\citep{{{','.join(work.key for work in part)}}}"
    return f" ({'; '.join(work.cited for work in part)})"


def _cite(works: Iterable[Reference]) -> Works:
    return tuple(dict.fromkeys(works))


def _first(r: Report | ReportGrid) -> Report:
    while isinstance(r, ReportGrid):
        r = r.overall or next(iter(r.reports.values()))
    return r


def _opening(r: Report | ReportGrid) -> str:
    """Say who was compared, up to the metric."""
    if isinstance(r, ReportGrid):
        if r.by == "seed":
            return f"{' and '.join(map(shown_name, r.systems))} were compared by"
        return _opening(r.overall or next(iter(r.reports.values())))
    if r.is_pair and not r.is_performance:
        a, b = (one_line(shown_name(name)) for name in r.names)
        return (
            f"{a} was compared with {b} by" if r.constants else f"{a} and {b} were compared by"
        )
    names = [one_line(name) for name in r.evidence.names]  # as they were given
    if r.is_performance:
        return f"The performance of {join_names(names)} was measured by"
    return f"The {len(names)} systems {join_names(names)} were compared by"


def _metrics(r: Report | ReportGrid) -> list[str]:
    if isinstance(r, Report):
        return [one_line(r.metric) + (" (lower is better)" if r.lower else "")]
    parts = r.reports.values() if r.overall is None else [r.overall]
    return [metric for part in parts for metric in _metrics(part)]


def _done(r: Report | ReportGrid) -> list[Sentence]:
    """Say what was done, but who was compared and by which software."""
    if isinstance(r, Report):
        return _performance(r) if r.is_performance else _comparison(r)
    if r.overall is not None:
        return [*_done(r.overall), *_in_slices(r)]
    # What several reports share is said once.
    rows = zip_longest(*map(_done, r.reports.values()), fillvalue=())
    found = dict.fromkeys(tuple(said) for row in rows for said in row if said)
    if r.by == "seed":
        made = f"The comparison was made once for each of {len(r.reports)} seeds"
        last = f"{made}, and the p-values are not adjusted for their number."
    elif _first(r).is_performance:
        last = "Each interval holds for its metric alone."
    else:
        last = "The p-values are not adjusted for the number of metrics."
    return [*found, [last]]


def _comparison(r: Report) -> list[Sentence]:
    """Say how systems were compared, in pairs and at once."""
    said = [*_design(r.design, len(r.names) - r.is_pair * len(r.constants)), _unit(r)]
    if r.is_pair:
        return [*said, *_of_pair(r), *_beyond_tests(r, "")]
    if r.omnibus is not None:
        works = _cite(map(Reference.from_dict, r.omnibus["references"]))
        said.append([f"All were tested at once with the {r.omnibus['test']}", works, "."])
    pairwise = r.evidence.pairwise
    who = "Every pair was tested"
    if r.control is not None:
        who = f"Every other system was tested against {one_line(shown_name(r.control))}"
    alone = pairwise.family.distinct("by_itself")
    if len({one.test for one in alone}) > 1:
        alone = [outcome.by_itself for outcome in pairwise.outcomes]
    said.append([f"{who} with the ", *_tests(alone, "pair", pairwise.references)])
    facts = adjustment_facts(r.adjustment)
    controlled = "false discovery rate" if facts.false_discoveries else "family-wise error"
    hold = "hold for all pairs at once, with" if r.simultaneous else "have"
    said.append(
        [
            f"The p-values of {r.n_family} pairs were adjusted by "
            f"{adjustment_name(r.adjustment)}",
            _cite(facts.references),
            f", so that the {controlled} was controlled at a significance level of "
            f"{r.alpha:g}; intervals {hold} a level of {percent(r.confidence_level)}.",
        ]
    )
    said += [*_draws(pairwise.outcomes[0]), *_beyond_tests(r, " every pair")]
    return [*said, *_ranks(r)] if r.is_leaderboard else said


def _of_pair(r: Report) -> list[Sentence]:
    outcome, alternative = r.evidence.outcome, r.alternative
    if alternative != "two-sided":
        a, b = (one_line(shown_name(name)) for name in r.names)
        claim = f"{a} is {good(r, alternative == 'greater')} than {b}"
        alternative = f"one-sided (the alternative is that {claim})"
    own = outcome.by_itself
    said: list[Sentence] = [
        [
            f"The difference was tested with the {own.test}",
            _cite(own.references),
            f", {alternative}, at a significance level of {r.alpha:g}; its confidence interval "
            f"has a level of {percent(r.confidence_level)}.",
        ],
        *_draws(outcome),
    ]
    return [*said, [f"The p-value was {r.adjustment}."]] if r.adjustment else said


def _beyond_tests(r: Report, pairs: str) -> list[Sentence]:
    """Say how a margin, probabilities and other partitions were asked."""
    said = [] if r.margin is None else [_margin(r, f" of{pairs}" if pairs else "")]
    if r.probabilities is not None:
        found = r.evidence.posterior if r.is_pair else r.evidence.posteriors[0]
        words = {"unit": unit_word(r.unit)}
        words |= {f"{one}_pairs": f" {one}{pairs}" if pairs else "" for one in ("of", "for")}
        before, after = (text.format(**words) for text in found.done.split("{works}"))
        region = ""
        if found.rope:
            size = f"{short(found.rope)} in {one_line(r.metric)}"
            region = f"; differences up to {size} were taken to be practically none"
        said.append([before, _cite(found.references), f"{after}{region}."])
    if r.strengths is not None:
        said.append(_strengths(r))
    if r.stability:
        n = len(next(iter(r.stability.values())).seeds)
        times = "once" if n == 1 else f"{n} times"
        whole = f"The whole comparison was repeated {times} on other random partitions."
        said.append([whole])
    return said


def _margin(r: Report, of: str) -> Sentence:
    return [
        f"Differences smaller than {short(r.margin)} in {one_line(r.metric)} were taken to be "
        f"too small to matter; equivalence{of} was tested with two one-sided tests",
        _cite(declared(equivalence).references),
        f" at a level of {r.alpha:g} each.",
    ]


def _strengths(r: Report) -> Sentence:
    """Say how it was found which system is the best."""
    found, word = r.strengths, unit_word(r.unit)
    assert found is not None
    model, shares = found.references[:-1], found.references[-1:]
    lead = f"The probability of each to be the {good_best(r)} was computed by a "
    lead += "Bradley-Terry model"
    if found.shares is None:
        weight = f"comparisons counted {found.weight:.2f}, since those on one {word}"
        return [lead, _cite(model), f" whose {weight} are not independent."]
    weight = f"contests counted {short(found.weight)}, since those of one {word}"
    beside = "beside it by shares of wins with a Bayesian bootstrap"
    return [
        *(lead, _cite(model), f" whose {weight} are not independent, and {beside}"),
        *(_cite(shares), "."),
    ]


def _ranks(r: Report) -> list[Sentence]:
    said: list[Sentence] = [
        [
            "The ranks that every system may have follow from the significant pairs",
            _cite(declared(rank_intervals).references),
            f"; they hold for all systems at once, with a level of "
            f"{percent(r.confidence_level)}.",
        ]
    ]
    if r.rank_stability is not None:
        drawn = f"{r.rank_stability.n_resamples} bootstrap resamples"
        units = f"{unit_word(r.rank_stability.unit)}s"
        said.append([f"How stable the ranks are was seen from {drawn} of the {units}."])
    return said


def _in_slices(grid: ReportGrid) -> list[Sentence]:
    """Say how systems were compared in slices, behind how they were on all rows."""
    parts, n = list(grid.reports.values()), len(grid.reports)
    every_pair = isinstance(_first(parts[0]).evidence, SliceEvidence)
    alone = [
        one.outcome.by_itself
        for part in parts
        for one in (part.evidence.parts.values() if every_pair else [part.evidence])
    ]
    cut = one_line(join_names(grid.cut_by)) if grid.cut_by else "one column"
    who = "Every pair was" if every_pair else "They were"
    said: list[Sentence] = [
        [
            f"{who} also compared in {n} slice{'s' * (n > 1)} of the rows, by {cut}, with the ",
            *_tests(alone, "comparison"),
        ]
    ]
    if len(alone) > 1:
        of = f"all {len(alone)} comparisons, of pairs in slices," if every_pair else "slices"
        name, works = adjustment_name(grid.adjustment), adjustment_facts(grid.adjustment)
        said.append(
            [f"The p-values of {of} were adjusted by {name}", _cite(works.references), "."]
        )
    if grid.between:
        test = grid.between[0].test
        said.append(
            [
                f"Whether the difference varies between slices was tested with {test['test']}",
                _cite(map(Reference.from_dict, test["references"])),
                ", with p-values adjusted by Holm's method for pairs." if every_pair else ".",
            ]
        )
    whole = _first(grid)
    return said if whole.margin is None else [*said, _margin(whole, " of every slice")]


def _performance(r: Report) -> list[Sentence]:
    """Say how the scores of systems were estimated."""
    rows = (*r.evidence.rows, *filter(None, [r.evidence.difference]))
    works = {row.estimate.method: row.estimate.references for row in rows}
    parts: list[str | Works] = []
    for method, references in works.items():
        parts += [" and by " if parts else "", method, _cite(references)]
    level = f"{percent(r.confidence_level)} confidence intervals"
    return [
        *_design(r.design, len(r.names)),
        [f"The estimates and their {level} were computed by ", *parts, "."],
        _unit(r),
        [f"The number of fits was {r.evidence.n_fits}."],
    ]


def _tests(outcomes: Sequence[Outcome], of: str, of_all: Works = ()) -> Sentence:
    """Name tests, each with its works and how often it was used; `of_all` are of the first."""
    works = {one.test: one.references for one in outcomes[::-1]}
    parts: list[str | Works] = []
    counts = Counter(one.test for one in outcomes)
    for test, n in counts.items():
        parts += [" and the " if parts else "", test, _cite((*works[test], *of_all))]
        parts += [f" for {n} {of}{'s' * (n > 1)}"] * (len(counts) > 1)
        of_all = ()
    side = "two-sided" if outcomes[0].alternative == "two-sided" else "one-sided"
    return [*parts, f", {side}."]


def _draws(outcome: Outcome) -> list[Sentence]:
    """Say how often was drawn, where anything was."""
    return [[f"The test used {n} random draws."]] if (n := outcome.n_drawn) else []


def _unit(r: Report) -> Sentence:
    """Say what one observation is."""
    unit, n, scored = r.unit, r.n_units, ""
    if r.sampled is not None:
        scored = f", and scores were those of {n} {unit_word(unit)}{'s' * (n != 1)}"
        unit, n = r.sampled["unit"], r.sampled["n"]
    return [f"The unit of observation was the {unit_word(unit)} (n = {n}){scored}."]


def _design(design: Mapping[str, Any], n_systems: int) -> list[Sentence]:
    """Say what the scores were computed on, and how many fits that took."""
    if not design:
        return []
    works = _cite(map(Reference.from_dict, design.get("references", ())))
    notes = "; ".join([*design.get("notes", ()), *design.get("read", ())])
    notes = f" ({notes})" if notes else ""
    seed: list[Sentence] = []
    if "random_state" in design:
        seed = [[f"The splits were drawn with the random seed {design['random_state']}."]]
    if "n_splits" not in design:
        kind: Sentence = [f"The design was {design.get('kind', 'given')}", works, f"{notes}."]
        if (n := design.get("fits_each")) is None:
            return [kind, *seed]
        who = f"Each of the {n_systems} systems"
        return [kind, [f"{who} was fitted {n} times ({n * n_systems} fits)."], *seed]
    n = design["n_splits"]
    times = "once" if n == 1 else f"{n} times"
    fits = f"the system was fitted {times}"
    if n_systems > 1:
        fits = (
            f"each of the {n_systems} systems was fitted {times}, all on the same splits "
            f"({n_systems * n} fits)"
        )
    groups = ""
    if "train_groups" in design:
        train, test = span_of(design["train_groups"]), span_of(design["test_groups"])
        groups = f" ({train} groups against {test}; no group was on both sides)"
    said: list[Sentence] = [
        [
            f"The design was {design['kind']}",
            works,
            f" of {design['n_samples']} rows: {fits}, with {span_of(design['train_size'])} "
            f"rows for training and {span_of(design['test_size'])} for testing{groups}{notes}.",
        ]
    ]
    if (halves := design.get("halves")) is not None:
        said.append(
            [
                f"The variance of these scores was found on a {halves['kind']} of the same "
                f"rows ({halves['n_splits']} further fits each, with "
                f"{span_of(halves['train_size'])} rows for training)."
            ]
        )
    return [*said, *seed]


def _software(*, fitted: bool) -> Sentence:
    """Name the software, with the versions that are running; scikit-learn where it fitted."""
    # Asked of the module, not imported: the package knows all that is made of reports.
    own = str(sys.modules["skstat"].__version__)
    skstat = Reference(
        authors=("The skstat developers",),
        year=2026,
        title="skstat: statistical comparison of scikit-learn estimators",
        venue=f"Python package, version {own}",
        kind="misc",
    )
    found: list[str | Works] = [f"The analysis was done with skstat {own}", (skstat,)]
    try:
        installed = version("scikit-learn") if fitted else None
    except PackageNotFoundError:
        installed = None
    if installed is not None:
        found += [f" and scikit-learn {installed}", (SCIKIT_LEARN,)]
    return [*found, f" in Python {platform.python_version()}."]
