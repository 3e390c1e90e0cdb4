"""Systems over many data sets: which tests are asked, and the report on them."""

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
from skstat.comparison._engine.ask import ask, facts_of, posteriors_of, reported, with_notes
from skstat.comparison._engine.facts import beside_largest_classes, beside_run
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
    """The tests that are asked for, checked.

    Attributes
    ----------
    test : str or callable
        What is asked of all systems at once, or of two.
    name : str or None
        Name of the comparison of pairs; None if it is a function of the caller's.
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
        """Check what is asked of all systems, and of pairs."""
        known = ("auto", *get_args(Adjustment))
        if adjustment not in known:
            raise ValueError(
                f"adjustment={adjustment!r} is not available over data sets; "
                f"{what_to_use(adjustment, known)}."
            )
        if callable(pairs):
            return cls(test, None, pairs, adjustment, argument)
        tests, name = _post_hocs(), str(pairs).replace("-", "_")
        if name not in tests:
            of_all = ", of all systems such as 'friedman'" if argument == "test" else ""
            short = [known for known in _of_tables() if not known.startswith("pairwise_")]
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
        """Part one ``test=`` into the test of all systems, or of two, and that of pairs.

        A test of all systems has Wilcoxon's test of every pair beside it, and a comparison of
        pairs has Friedman's test of all systems; one name may be that of both.
        """
        test, adjustment, known = question.test, question.adjustment, _omnibus_tests()
        if callable(test):
            returned = declarations.signature_of(test).return_annotation
            of_tables = stats.ScoreTable in questions.sample_types(test)
            of_all = questions.models_splits(test) or returned in _OF_ALL
        else:
            name = test.replace("-", "_") if isinstance(test, str) else ""
            of_two = questions.procedures_by_name(stats.PairedScores)
            of_tables = name in _of_tables() and not {name, f"paired_{name}"} & {*of_two}
            of_all = test == "auto" or (test in known and not of_tables)
        if of_all or (n_systems == 2 and not of_tables):
            return cls.of(test, adjustment)
        return cls.of(test if test in known else "auto", adjustment, test)

    @property
    def by_default(self) -> bool:
        """Whether it is what is asked where the caller says nothing."""
        return self.test == "auto" and self._usual_pairs

    @property
    def _usual_pairs(self) -> bool:
        return self.name == DEFAULT_POST_HOC and self.adjustment in ("auto", "holm")

    @property
    def takes_gaps(self) -> bool:
        """Whether pairs can be compared on the data sets that both have scores on."""
        return self.name is not None and "missing" in declarations.parameters_of(self.pairwise)

    def beside_model(self, names: Sequence[str]) -> Self:
        """Return the tests that are run beside a model of several systems: the default."""
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
        """Whether two systems are compared by a test of two, and not as a table."""
        if len(names) != 2 or not self._usual_pairs:
            return False
        if callable(self.test):
            return stats.ScoreTable not in questions.sample_types(self.test)
        return self.test not in _omnibus_tests()

    def omnibus(self, *, gaps: bool = False) -> Any:
        """Find the test of all systems at once by name; a function is one already."""
        if self.test == "auto":
            return stats.skillings_mack if gaps else stats.friedman
        why = "is not a test of several systems over data sets"
        return questions.procedure_named(self.test, known=_omnibus_tests(), why=why)

    def of_pairs(self, question: Question, *, gaps: bool = False) -> PostHoc:
        """Return the comparison of pairs with its options, or refuse what it cannot do.

        Its signature says what it can: without ``alternative`` it is two-sided, without
        ``adjustment`` it has one of its own, and so on.
        """
        usual = {"adjustment": "auto", "alternative": "two-sided", "control": None}
        given = {name: getattr(question, name) for name in usual}
        given["adjustment"] = self.adjustment
        wanted = {name: own for name, own in given.items() if own != usual[name]}
        if self.name is None:
            if wanted:
                raise ValueError(
                    "control=, adjustment= and alternative= are for tests given by name; a "
                    "function of yours decides these itself: pass functools.partial("
                    "function, control=...)."
                )
            return self.pairwise
        takes = declarations.parameters_of(self.pairwise)
        named = f"{self.argument}={self.name!r}"
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
            if name in wanted and (of_all or name not in takes):
                raise ValueError(f"{named} {why}")
        if "control" not in wanted and self.name == "bonferroni_dunn":
            raise ValueError(f"{named} compares with a control; name it.")
        given = {"adjustment": "holm"} | wanted
        options = {name: own for name, own in given.items() if name in takes}
        if gaps and "missing" in takes:
            options["missing"] = "drop"
        test = takes["test"].default if "test" in takes else None
        n = question.n_resamples
        if callable(test) and (draws := _resamples_option(test, n)):
            options["test"] = partial(test, **draws)
        return partial(self.pairwise, **options)

    def check(self, names: Sequence[str], n_datasets: int, question: Question) -> None:
        """Ask them of scores that rank all systems, so that no fit is wasted on an error."""
        if len(names) < 2:
            what = f"estimators holds {len(names)}"
            raise ValueError(f"{what}, and a comparison needs two or more.")
        pairs_of(names, question.control)
        rng, tests = np.random.default_rng(0), self
        scores = rng.permuted(np.tile(np.arange(len(names)), (n_datasets, 1)), axis=1)
        table = stats.ScoreTable(scores, systems=names, unit="dataset")
        if questions.models_splits(tests.test):
            _check_model(tests.test, names, n_datasets, question)
            tests = replace(tests, test="auto")
        tests = tests.beside_model(names)
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
    """Return the tests of all systems at once by the names that ``test=`` knows them by."""
    return questions.procedures_by_name(stats.ScoreTable, result=stats.OmnibusOutcome)


def _post_hocs() -> dict[str, PostHoc]:
    """Return the comparisons in pairs by the names that ``post_hoc=`` knows them by.

    They are the tests of two systems, applied to every pair, and the functions from a table to
    a :class:`PairwiseOutcome`, with their variants. What the names have in common, ``paired_``
    and ``pairwise_``, may be left out.
    """
    found: dict[str, PostHoc] = {}
    for name, test in questions.procedures_by_name(stats.PairedScores).items():
        for known_as in (name, name.removeprefix("paired_"), f"pairwise_{name}"):
            found[known_as] = partial(stats.pairwise, test=test)
    return found | _of_tables()


def _of_tables() -> dict[str, PostHoc]:
    """Return the comparisons of all pairs that read the table as a whole."""
    found: dict[str, PostHoc] = {}
    named = questions.procedures_by_name(stats.ScoreTable, result=stats.PairwiseOutcome)
    for name, function in named.items():
        _, *others = declarations.parameters_of(function).values()
        if all(own.default is not inspect.Parameter.empty for own in others):
            short = name.removeprefix("pairwise_")
            found |= dict.fromkeys((name, short, f"pairwise_{short}"), function)
    return found  # without those that need more than `post_hoc=` says


def ask_datasets_run(run: DatasetsRun, tests: TableTests, question: Question) -> Any:
    """Ask a run over many data sets, metric by metric.

    Tests that draw do so by the seed of the run, if they have none of their own.
    """
    seed = run.random_state if question.seed is None else question.seed
    question = replace(question, seed=seed).about(run.metrics)
    fixed = (name for name in run.names if name in run.fixed_seeds)
    ignored = tuple(f"the random_state of {name}, held fixed" for name in fixed)
    of_metric, found = tests, {}
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
        found[metric] = beside_run(beside_largest_classes(report, run, metric), run)
    return one_or_per_metric(found)


def ask_table(compared: Scored, tests: TableTests, question: Question) -> ComparisonEvidence:
    """Compare two systems over data sets by one test; more by one of all, and of pairs."""
    table, own = compared.sample, compared.design
    tests = tests.beside_model(table.names)
    if not tests.compare_two(table.names):
        return _ask_all(compared, tests, question)
    (pair,) = pairs_of(table.names, question.control)
    left_out = compared.facts.left_out or _gaps(table)
    if left_out:  # of many notes the first are shown
        own = {**own, "notes": [f"left out: {'; '.join(left_out)}", *own.get("notes", ())]}
    facts = replace(compared.facts, left_out=left_out)
    sample = table.complete().pair(*pair)
    two = replace(compared, sample=sample, names=pair, design=own, facts=facts)
    return ask(two, choose(tests.test, sample, question), question)


def _ask_all(compared: Scored, tests: TableTests, question: Question) -> ComparisonEvidence:
    """Ask all systems at once, then in pairs, and write the report with its doubts."""
    table, metric, control = compared.sample, compared.metric, question.control
    seed, has_gaps = question.drawn_by, table.missing.any()
    # To leave out every data set with a gap would cost most of them where gaps are scattered.
    for_gaps = tests.takes_gaps and has_gaps and not _apart(table, control)
    omnibus = tests.omnibus(gaps=for_gaps)
    with_gaps, left_out = declarations.declared(omnibus).missing_scores, compared.facts.left_out
    pairwise = tests.of_pairs(question, gaps=with_gaps)
    if not with_gaps:
        first = f" The first failure: {left_out[0]}" if left_out else ""
        instead = f"ask test='skillings_mack', which uses the scores that are there.{first}"
        table, lacking = complete(table, instead)
        left_out = left_out or lacking
    elif tests.name is not None and has_gaps and not tests.takes_gaps:
        raise ValueError(
            f"test={tests.test!r} allows missing scores, but {tests.argument}={tests.name!r} "
            f"ranks all systems and needs every score; use {DEFAULT_POST_HOC!r}, which "
            "compares a pair on the data sets that both have scores on, or another test, for "
            "complete data sets only."
        )
    drawing = _resamples_option(omnibus, question.n_resamples)
    found = omnibus(table, **drawing, **declarations.rng_option(omnibus, seed))
    for a, b in _apart(table, control) if with_gaps else ():
        raise ValueError(
            f"{a!r} and {b!r} have scores on no common data set, so that they cannot be "
            "compared as a pair; leave one of them out, or name a control= that has data "
            "sets in common with every other system."
        )
    handed = declarations.rng_option(pairwise, seed)
    pairs = pairwise(table, **handed)
    for value, kind in ((found, stats.OmnibusOutcome), (pairs, stats.PairwiseOutcome)):
        if not isinstance(value, kind):
            raise TypeError(f"a test returned {type(value).__name__}, not {kind.__name__}.")
    _check_margin(question.margin_of(metric), pairs)
    strengths, notes = _strengths(table, question, metric)
    choice = Situation.of(table, control=control is not None) if tests.by_default else None

    def facts(report: ComparisonEvidence) -> doubts.Facts:
        scored: Any = [table.pair(*pair) for pair in pairs.pairs]
        if table.n_units > 1 and not table.missing.any():  # all at once
            scored = [ScorePairs(table=table, pairs=pairs.pairs)]
        known = {"names": table.names, "table": table, "strengths": strengths}
        return facts_of(report, compared.facts, scored, left_out=left_out, **known)

    # The test of two systems that a comparison in pairs asks, or else the comparison.
    test = getattr(pairwise, "keywords", {}).get("test", pairwise) if handed else pairwise
    return reported(
        compared,
        question,
        (test, choice),
        facts,
        kind="datasets",
        sample=table,
        omnibus=found,
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
    """Ask which system is the best, if probabilities are asked; or say why not."""
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
    """Refuse a margin, which is in the unit of the score, where ranks are compared."""
    if margin is not None and pairs.outcomes[0].scale != "score":
        raise ValueError(
            f"margin={margin!r} is in the unit of the score, and the {pairs.test} compares "
            f"mean ranks; compare pairs by {DEFAULT_POST_HOC!r}, or another test of single "
            "pairs."
        )


def _apart(table: stats.ScoreTable, control: str | None) -> list[tuple[str, str]]:
    """Pairs that have scores on no common data set."""
    there = dict(zip(table.names, ~table.missing.T, strict=True))
    pairs = pairs_of(table.names, control)
    return [(a, b) for a, b in pairs if not (there[a] & there[b]).any()]


def complete(table: stats.ScoreTable, remedy: str) -> tuple[stats.ScoreTable, Any]:
    """Take the data sets that all systems have scores on, and say which are left out.

    Of too few of them `otherwise` says what to do.
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
    """Say which data sets are not compared, and which scores they lack."""
    each = zip(table.datasets or (), table.missing, strict=False)
    lacking = {dataset: [*compress(table.names, row)] for dataset, row in each if row.any()}
    return tuple(f"data set {n} (no score of {', '.join(own)})" for n, own in lacking.items())


def _check_model(test: Any, names: Sequence[str], n_datasets: int, question: Question) -> None:
    """Refuse what a model of all splits cannot be asked, before any fit."""
    named, wrong = f"test={questions.procedure_name(test)!r}", ""
    if len(names) != 2:
        wrong = f"is a model of two systems, and there are {len(names)}: compare two at a time"
    elif question.rope is None:
        wrong = (
            "has no p-value; say with rope= which difference is practically none: rope=0.01, "
            "or rope=0 for no such region"
        )
    elif n_datasets < FEWEST_DATASETS:
        wrong = f"needs {FEWEST_DATASETS} data sets or more, got {n_datasets}"
    if wrong:
        raise ValueError(f"{named} {wrong}.")


def _by_dataset(run: DatasetsRun) -> tuple[str, ...]:
    """Say for every data set what failed first, and whose fits failed there too."""
    found: dict[str, list[FailedFit]] = {}
    for failure in run.failures:
        found.setdefault(failure.dataset, []).append(failure)
    reasons = []
    for first, *others in found.values():
        names = ", ".join(str(other.estimator) for other in others)
        reasons.append(f"{first} ({names} failed there too)" if names else str(first))
    return tuple(reasons)


def _design(run: DatasetsRun) -> dict[str, Any]:
    designs = [part.design for part in run.datasets.values()]
    kinds = dict.fromkeys(str(design["kind"]) for design in designs)
    splitters = {str(design["splitter"]) for design in designs}
    rows = [int(design["n_samples"]) for design in designs]
    span = str(rows[0]) if len(set(rows)) == 1 else f"{min(rows)} to {max(rows)}"
    found: dict[str, Any] = {
        "kind": f"{len(designs)} data sets of {span} rows, {' or '.join(kinds)} on each",
        "fits_each": sum(int(design["n_splits"]) for design in designs),
    }
    shared = ("splitter", "random_state") if len(splitters) == 1 else ()
    found |= {fact: designs[0][fact] for fact in shared if fact in designs[0]}
    notes = [] if shared else [f"random_state={run.random_state}"]
    notes += dict.fromkeys(note for design in designs for note in design.get("notes", ()))
    return found | ({"notes": notes} if notes else {})


def _resamples_option(function: Callable[..., Any], n_resamples: int | None) -> dict[str, Any]:
    """Return the option that says how often to draw, for a function that draws.

    None leaves it to the function, and what the caller fixed in a partial stays.
    """
    fixed = function.keywords if isinstance(function, partial) else {}
    free = "n_resamples" in declarations.parameters_of(function) and "n_resamples" not in fixed
    return {"n_resamples": n_resamples} if free and n_resamples is not None else {}
