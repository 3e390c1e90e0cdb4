"""Tests of systems over many data sets, and the reports on them."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import compress
from typing import Any, Self, get_args

import numpy as np

from skstat import stats
from skstat._spelling import did_you_mean, what_to_use
from skstat.comparison import _question as questions
from skstat.comparison._engine.ask import ask, facts_of, make_report, posteriors_of, with_notes
from skstat.comparison._engine.facts import with_guessed_datasets, with_run
from skstat.comparison._engine.scored import Scored
from skstat.comparison._guide import Situation, choose
from skstat.comparison._question import Question
from skstat.evaluation import DatasetsRun, FailedFit
from skstat.report import _doubts as doubts
from skstat.report._evidence import ComparisonEvidence, one_or_per_metric
from skstat.stats import _procedure as declarations
from skstat.stats._hierarchical import FEWEST_DATASETS
from skstat.stats._multiplicity import Adjustment
from skstat.stats._pairwise import pairs_of
from skstat.stats._score_table import ScorePairs
from skstat.stats._words import IGNORED_VARIANCE

Omnibus = Callable[..., stats.OmnibusOutcome]
PostHoc = Callable[..., stats.PairwiseOutcome]

DEFAULT_POST_HOC = "wilcoxon"
# What a function of all systems at once returns.
_OF_ALL = (stats.OmnibusOutcome, stats.BradleyTerryPosterior)
_MOST_STRENGTHS = 100  # more take many seconds


@dataclass(frozen=True)
class TableTests:
    """The tests to run on a table of scores, checked.

    Attributes
    ----------
    test : str or callable
        The test of all systems at once, or of two.
    name : str or None
        Name of the comparison of pairs; None if the caller passed a function.
    pairwise : callable
        The comparison of pairs.
    adjustment : str
        How p-values are adjusted.
    argument : str
        The argument that named the comparison of pairs.
    """

    test: Any
    name: str | None
    pairwise: PostHoc
    adjustment: str
    argument: str

    @classmethod
    def of(
        cls, test: Any, adjustment: str, pairs: Any = DEFAULT_POST_HOC, argument: str = "test"
    ) -> Self:
        """Check the test of all systems, and the comparison of pairs."""
        methods = ("auto", *get_args(Adjustment))
        if adjustment not in methods:
            raise ValueError(
                f"adjustment={adjustment!r} is not available over data sets; "
                f"{what_to_use(adjustment, methods)}."
            )
        if callable(pairs):
            return cls(test, None, pairs, adjustment, argument)
        tests, name = _post_hocs(), str(pairs).replace("-", "_")
        if name not in tests:
            of_all = ", of all systems such as 'friedman'" if argument == "test" else ""
            short = [key for key in _of_tables() if not key.startswith("pairwise_")]
            raise ValueError(
                f"{argument}={pairs!r} is unknown; use one of "
                f"{', '.join(map(repr, short))}, the name of a test of two systems such as "
                f"'wilcoxon'{of_all}, or a function of a ScoreTable. How p-values are adjusted "
                f"is asked by adjustment=: {', '.join(get_args(Adjustment))}."
                f"{did_you_mean(name, tests)}"
            )
        return cls(test, name, tests[name], adjustment, argument)

    @classmethod
    def of_one(cls, question: Question, n_systems: int) -> Self:
        """Derive the test of all systems, or of two, and that of pairs from one ``test=``.

        A test of all systems comes with Wilcoxon's test of every pair, and a comparison of
        pairs with Friedman's test of all systems. Both tests may have the same name.
        """
        test, adjustment, omnibus_tests = question.test, question.adjustment, _omnibus_tests()
        if callable(test):
            returned = declarations.signature_of(test).return_annotation
            of_tables = stats.ScoreTable in questions.sample_types(test)
            of_all = questions.models_splits(test) or returned in _OF_ALL
        else:
            name = test.replace("-", "_") if isinstance(test, str) else ""
            of_two = questions.procedures_by_name(stats.PairedScores)
            of_tables = name in _of_tables() and not {name, f"paired_{name}"} & {*of_two}
            of_all = test == "auto" or (test in omnibus_tests and not of_tables)
        if of_all or (n_systems == 2 and not of_tables):
            return cls.of(test, adjustment)
        return cls.of(test if test in omnibus_tests else "auto", adjustment, test)

    @property
    def by_default(self) -> bool:
        """Whether these are the default tests."""
        return self.test == "auto" and self._default_pairs

    @property
    def _default_pairs(self) -> bool:
        return self.name == DEFAULT_POST_HOC and self.adjustment in ("auto", "holm")

    @property
    def takes_gaps(self) -> bool:
        """Whether a pair can be compared on the data sets where both systems have scores."""
        return self.name is not None and "missing" in declarations.parameters_of(self.pairwise)

    def without_model(self, names: Sequence[str]) -> Self:
        """Return the tests, with the default in place of a model of several systems."""
        if not questions.models_systems(self.test):
            return self
        if len(names) < 3:
            raise ValueError(
                f"test={questions.procedure_name(self.test)!r} is a model of three systems or "
                f"more, and there are {len(names)}: with rope= the default test of two is read "
                "as probabilities, and test='sign'."
            )
        return replace(self, test="auto")

    def compare_two(self, names: Sequence[str]) -> bool:
        """Whether two systems are compared by a test of pairs, and not as a table."""
        if len(names) != 2 or not self._default_pairs:
            return False
        if callable(self.test):
            return stats.ScoreTable not in questions.sample_types(self.test)
        return self.test not in _omnibus_tests()

    def omnibus(self, *, gaps: bool = False) -> Any:
        """Return the test of all systems at once, by name unless it is a function."""
        if self.test == "auto":
            return stats.skillings_mack if gaps else stats.friedman
        why = "is not a test of several systems over data sets"
        return questions.procedure_named(self.test, known=_omnibus_tests(), why=why)

    def of_pairs(self, question: Question, *, gaps: bool = False) -> PostHoc:
        """Return the comparison of pairs with its options; refuse options it does not support.

        This is read from its signature: without ``alternative`` it is two-sided, without
        ``adjustment`` it has one of its own, and so on.
        """
        defaults = {"adjustment": "auto", "alternative": "two-sided", "control": None}
        values = {name: getattr(question, name) for name in defaults}
        values["adjustment"] = self.adjustment
        changed = {name: value for name, value in values.items() if value != defaults[name]}
        if self.name is None:
            if changed:
                raise ValueError(
                    "control=, adjustment= and alternative= are for tests given by name; a "
                    "function of yours decides these itself: pass functools.partial("
                    "function, control=...)."
                )
            return self.pairwise
        takes = declarations.parameters_of(self.pairwise)
        test_name = f"{self.argument}={self.name!r}"
        refusals = {
            "adjustment": f"has an adjustment of its own; leave adjustment={self.adjustment!r} "
            f"out, or use another test, such as {DEFAULT_POST_HOC!r}.",
            "alternative": f"is two-sided only; use {DEFAULT_POST_HOC!r} for "
            f"alternative={question.alternative!r}.",
            "control": "compares all pairs; with a control use 'bonferroni_dunn' or "
            f"{DEFAULT_POST_HOC!r}.",
        }
        for name, why in refusals.items():
            of_all = name == "control" and self.name == "nemenyi"
            if name in changed and (of_all or name not in takes):
                raise ValueError(f"{test_name} {why}")
        if "control" not in changed and self.name == "bonferroni_dunn":
            raise ValueError(f"{test_name} compares with a control; name it.")
        values = {"adjustment": "holm"} | changed
        options = {name: value for name, value in values.items() if name in takes}
        if gaps and "missing" in takes:
            options["missing"] = "drop"
        test = takes["test"].default if "test" in takes else None
        if callable(test) and (draws := _resamples_option(test, question.n_resamples)):
            options["test"] = partial(test, **draws)
        return partial(self.pairwise, **options)

    def check(self, names: Sequence[str], n_datasets: int, question: Question) -> None:
        """Run the tests on artificial scores, so that no fit is wasted on an error."""
        if len(names) < 2:
            count = f"estimators holds {len(names)}"
            raise ValueError(f"{count}, and a comparison needs two or more.")
        pairs_of(names, question.control)
        rng, tests = np.random.default_rng(0), self
        scores = rng.permuted(np.tile(np.arange(len(names)), (n_datasets, 1)), axis=1)
        table = stats.ScoreTable(scores, systems=names, unit="dataset")
        if questions.models_splits(tests.test):
            _check_model(tests.test, names, n_datasets, question)
            tests = replace(tests, test="auto")
        tests = tests.without_model(names)
        if tests.compare_two(names):
            procedure, _ = choose(tests.test, table.pair(*names), question)
            if not declarations.declared(procedure).side_effects:
                outcome = procedure(table.pair(*names), alternative=question.alternative)
                question.check_posterior(outcome)
            return
        omnibus, pairwise = tests.omnibus(), tests.of_pairs(question)
        if not declarations.declared(omnibus).side_effects:
            omnibus(table)
        if not declarations.declared(pairwise).side_effects:
            pairs = pairwise(table)
            _check_margin(question.margin, pairs)
            question.check_posterior(pairs.outcomes[0])


def _omnibus_tests() -> dict[str, Omnibus]:
    """Return the tests of all systems at once by the names that ``test=`` takes."""
    return questions.procedures_by_name(stats.ScoreTable, result=stats.OmnibusOutcome)


def _post_hocs() -> dict[str, PostHoc]:
    """Return the comparisons of pairs by the names that ``post_hoc=`` takes.

    They are the tests of two systems, applied to every pair, and the functions from a table to
    a :class:`PairwiseOutcome`. The prefixes ``paired_`` and ``pairwise_`` may be left out.
    """
    comparisons: dict[str, PostHoc] = {}
    for name, test in questions.procedures_by_name(stats.PairedScores).items():
        for alias in (name, name.removeprefix("paired_"), f"pairwise_{name}"):
            comparisons[alias] = partial(stats.pairwise, test=test)
    return comparisons | _of_tables()


def _of_tables() -> dict[str, PostHoc]:
    """Return the comparisons of all pairs that read the table as a whole."""
    comparisons: dict[str, PostHoc] = {}
    functions = questions.procedures_by_name(stats.ScoreTable, result=stats.PairwiseOutcome)
    for name, function in functions.items():
        _, *others = declarations.parameters_of(function).values()
        if all(parameter.default is not inspect.Parameter.empty for parameter in others):
            short = name.removeprefix("pairwise_")
            comparisons |= dict.fromkeys((name, short, f"pairwise_{short}"), function)
    return comparisons  # without those that have further required arguments


def ask_datasets_run(run: DatasetsRun, tests: TableTests, question: Question) -> Any:
    """Compare the estimators of a run over many data sets, metric by metric.

    Random draws use the seed of the run, unless the question has one.
    """
    seed = run.random_state if question.seed is None else question.seed
    question = replace(question, seed=seed).about(run.metrics)
    fixed = (name for name in run.names if name in run.fixed_seeds)
    ignored = tuple(f"the random_state of {name}, held fixed" for name in fixed)
    of_metric, reports = tests, {}
    for metric in question.metrics:
        table, modelled = run.table(metric), None
        if questions.models_splits(model := tests.test):
            names = [str(name) for name in table.complete().datasets or ()]
            _check_model(model, table.names, len(names), question)
            ((a, b),) = pairs_of(table.names, question.control)
            splits = {name: run.sample(name, a, b, metric=metric) for name in names}
            of_metric, rope = replace(tests, test="auto"), question.rope_of(metric)
            drawn_by = declarations.rng_option(model, seed)
            modelled = model(stats.DatasetSplits(splits), rope, **drawn_by)
        compared = Scored(
            sample=table,
            names=table.names,
            metric=metric,
            is_loss=metric in run.losses,
            design=_design(run),
            facts=doubts.Facts(unseeded=run.unseeded, left_out=_by_dataset(run)),
            ignored=ignored,
            known_posterior=modelled,
            fixed={"run": run},
        )
        report = ask_table(compared, of_metric, question)
        reports[metric] = with_run(with_guessed_datasets(report, run, metric), run)
    return one_or_per_metric(reports)


def ask_table(compared: Scored, tests: TableTests, question: Question) -> ComparisonEvidence:
    """Compare two systems over data sets by one test; more by an omnibus test and in pairs."""
    table, design = compared.sample, compared.design
    tests = tests.without_model(table.names)
    if not tests.compare_two(table.names):
        return _ask_all(compared, tests, question)
    (pair,) = pairs_of(table.names, question.control)
    left_out = compared.facts.left_out or _gaps(table)
    if left_out:  # comes first, because only the first notes are shown
        notes = [f"left out: {'; '.join(left_out)}", *design.get("notes", ())]
        design = {**design, "notes": notes}
    facts = replace(compared.facts, left_out=left_out)
    sample = table.complete().pair(*pair)
    two = replace(compared, sample=sample, names=pair, design=design, facts=facts)
    return ask(two, choose(tests.test, sample, question), question)


def _ask_all(compared: Scored, tests: TableTests, question: Question) -> ComparisonEvidence:
    """Test all systems at once, then in pairs, and return the report with its doubts."""
    table, metric, control = compared.sample, compared.metric, question.control
    seed, has_gaps = question.drawn_by, table.missing.any()
    # Where gaps are scattered, leaving out every data set with a gap would cost most of them.
    for_gaps = tests.takes_gaps and has_gaps and not _disjoint_pairs(table, control)
    omnibus = tests.omnibus(gaps=for_gaps)
    with_gaps, left_out = declarations.declared(omnibus).missing_scores, compared.facts.left_out
    pairwise = tests.of_pairs(question, gaps=with_gaps)
    if not with_gaps:
        first = f" The first failure: {left_out[0]}" if left_out else ""
        instead = f"ask test='skillings_mack', which uses the scores that are there.{first}"
        table, gaps = complete(table, instead)
        left_out = left_out or gaps
    elif tests.name is not None and has_gaps and not tests.takes_gaps:
        raise ValueError(
            f"test={tests.test!r} allows missing scores, but {tests.argument}={tests.name!r} "
            f"ranks all systems and needs every score; use {DEFAULT_POST_HOC!r}, which "
            "compares a pair on the data sets that both have scores on, or another test, for "
            "complete data sets only."
        )
    draws = _resamples_option(omnibus, question.n_resamples)
    overall = omnibus(table, **draws, **declarations.rng_option(omnibus, seed))
    for a, b in _disjoint_pairs(table, control) if with_gaps else ():
        raise ValueError(
            f"{a!r} and {b!r} have scores on no common data set, so that they cannot be "
            "compared as a pair; leave one of them out, or name a control= that has data "
            "sets in common with every other system."
        )
    rng = declarations.rng_option(pairwise, seed)
    pairs = pairwise(table, **rng)
    for value, kind in ((overall, stats.OmnibusOutcome), (pairs, stats.PairwiseOutcome)):
        if not isinstance(value, kind):
            raise TypeError(f"a test returned {type(value).__name__}, not {kind.__name__}.")
    _check_margin(question.margin_of(metric), pairs)
    strengths, notes = _strengths(table, question, metric)
    choice = Situation.of(table, control=control is not None) if tests.by_default else None

    def facts(report: ComparisonEvidence) -> doubts.Facts:
        scored: Any = [table.pair(*pair) for pair in pairs.pairs]
        if table.n_units > 1 and not table.missing.any():  # all at once
            scored = [ScorePairs(table=table, pairs=pairs.pairs)]
        extra = {"names": table.names, "table": table, "strengths": strengths}
        return facts_of(report, compared.facts, scored, left_out=left_out, **extra)

    # The test of two systems inside the comparison of pairs, or else the comparison itself.
    test = getattr(pairwise, "keywords", {}).get("test", pairwise) if rng else pairwise
    return make_report(
        compared,
        question,
        (test, choice),
        facts,
        kind="datasets",
        sample=table,
        omnibus=overall,
        pairwise=pairs,
        design=with_notes(compared.design, *notes),
        ignored_variance=IGNORED_VARIANCE[str(table.unit)] + compared.ignored,
        left_out=left_out,
        posteriors=posteriors_of(pairs.outcomes, question, metric),
        strengths=strengths,
    )


def _strengths(
    table: stats.ScoreTable, question: Question, metric: str
) -> tuple[stats.BradleyTerryPosterior | None, tuple[str, ...]]:
    """Return strengths of systems if a rope was given, and notes on why there are none."""
    rope = question.rope_of(metric)
    if rope is None or table.n_systems < 3:
        return None, ()
    if table.n_systems > _MOST_STRENGTHS:
        return None, (
            f"strengths of more than {_MOST_STRENGTHS} systems are left to "
            "skstat.stats.bradley_terry",
        )
    try:
        return stats.bradley_terry(table, rope, rng=question.drawn_by), ()
    except ValueError as error:
        return None, (f"no strengths: {error}",)


def _check_margin(margin: Any, pairs: stats.PairwiseOutcome) -> None:
    """Refuse a margin, which is in the unit of the score, for a comparison of ranks."""
    if margin is not None and pairs.outcomes[0].scale != "score":
        raise ValueError(
            f"margin={margin!r} is in the unit of the score, and the {pairs.test} compares "
            f"mean ranks; compare pairs by {DEFAULT_POST_HOC!r}, or another test of single "
            "pairs."
        )


def _disjoint_pairs(table: stats.ScoreTable, control: str | None) -> list[tuple[str, str]]:
    """Return the pairs that have scores on no common data set."""
    present = dict(zip(table.names, ~table.missing.T, strict=True))
    pairs = pairs_of(table.names, control)
    return [(a, b) for a, b in pairs if not (present[a] & present[b]).any()]


def complete(table: stats.ScoreTable, remedy: str) -> tuple[stats.ScoreTable, Any]:
    """Return the data sets on which all systems have scores, and texts on those left out.

    If there are too few, the error message ends with `remedy`.
    """
    whole = int((~table.missing.any(axis=1)).sum())
    if whole >= min(2, table.n_units):
        return table.complete(), _gaps(table)
    missing = table.missing.sum(axis=0)
    worst = int(missing.argmax())
    raise ValueError(
        f"{whole} of {table.n_units} data sets have the scores of all systems; "
        f"{table.names[worst]} lacks {missing[worst]} of them. Leave it out, or {remedy}"
    )


def _gaps(table: stats.ScoreTable) -> tuple[str, ...]:
    """Return a text for every data set that is left out, with the scores it lacks."""
    rows = zip(table.datasets or (), table.missing, strict=False)
    lacking = {dataset: [*compress(table.names, row)] for dataset, row in rows if row.any()}
    return tuple(f"data set {n} (no score of {', '.join(who)})" for n, who in lacking.items())


def _check_model(test: Any, names: Sequence[str], n_datasets: int, question: Question) -> None:
    """Refuse, before any fit, a comparison that a model of all splits does not support."""
    test_name, flaw = f"test={questions.procedure_name(test)!r}", ""
    if len(names) != 2:
        flaw = f"is a model of two systems, and there are {len(names)}: compare two at a time"
    elif question.rope is None:
        flaw = (
            "has no p-value; say with rope= which difference is practically none: rope=0.01, "
            "or rope=0 for no such region"
        )
    elif n_datasets < FEWEST_DATASETS:
        flaw = f"needs {FEWEST_DATASETS} data sets or more, got {n_datasets}"
    if flaw:
        raise ValueError(f"{test_name} {flaw}.")


def _by_dataset(run: DatasetsRun) -> tuple[str, ...]:
    """Return for every data set the first failure, and the estimators that failed there too."""
    failures: dict[str, list[FailedFit]] = {}
    for failure in run.failures:
        failures.setdefault(failure.dataset, []).append(failure)
    reasons = []
    for first, *others in failures.values():
        names = ", ".join(str(other.estimator) for other in others)
        reasons.append(f"{first} ({names} failed there too)" if names else str(first))
    return tuple(reasons)


def _design(run: DatasetsRun) -> dict[str, Any]:
    designs = [part.design for part in run.datasets.values()]
    kinds = dict.fromkeys(str(design["kind"]) for design in designs)
    splitters = {str(design["splitter"]) for design in designs}
    rows = [int(design["n_samples"]) for design in designs]
    span = str(rows[0]) if len(set(rows)) == 1 else f"{min(rows)} to {max(rows)}"
    merged: dict[str, Any] = {
        "kind": f"{len(designs)} data sets of {span} rows, {' or '.join(kinds)} on each",
        "fits_each": sum(int(design["n_splits"]) for design in designs),
    }
    shared = ("splitter", "random_state") if len(splitters) == 1 else ()
    merged |= {fact: designs[0][fact] for fact in shared if fact in designs[0]}
    notes = [] if shared else [f"random_state={run.random_state}"]
    notes += dict.fromkeys(note for design in designs for note in design.get("notes", ()))
    return merged | ({"notes": notes} if notes else {})


def _resamples_option(function: Callable[..., Any], n_resamples: int | None) -> dict[str, Any]:
    """Return the option for the number of resamples, for a function that draws.

    None leaves it to the function, and a number fixed in a partial stays.
    """
    fixed = function.keywords if isinstance(function, partial) else {}
    free = "n_resamples" in declarations.parameters_of(function) and "n_resamples" not in fixed
    return {"n_resamples": n_resamples} if free and n_resamples is not None else {}
