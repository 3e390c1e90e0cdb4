"""Simulated rejection rates of tests under a true null hypothesis, on the caller's own data."""

import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial, reduce
from numbers import Integral
from typing import Any, Literal, NamedTuple

import numpy as np
from sklearn.utils.parallel import Parallel, delayed

from skstat._arguments import explains_arguments
from skstat.comparison._engine import Scored, ask
from skstat.comparison._guide import SplitPlan
from skstat.comparison._question import Procedure, Question, procedure_name, procedure_named
from skstat.evaluation import CrossValidationRun, RepeatedHalves
from skstat.evaluation import _data as inputs
from skstat.evaluation._design import check_splitter
from skstat.evaluation._evaluate import Partition, evaluate
from skstat.evaluation._jobs import n_workers
from skstat.evaluation._kept import Store
from skstat.evaluation._learners import one_or_more
from skstat.evaluation._plan import Fits, make_plan, seed_for
from skstat.evaluation._progress import Progress, Verbose
from skstat.evaluation._scoring import metric_sources
from skstat.report import CheckedTest, TestCheck
from skstat.stats._family import alpha_of
from skstat.stats._scores import check_count, check_number

# Fewest rows, or groups, that must be there, and that are drawn for an experiment.
_FEWEST = {"row": (60, 30), "group": (20, 10)}
_PER_LOOK = 10  # experiments between two looks at the intervals
_FIRST_LOOK = 50  # after fewer experiments a share of rejections is too uncertain
_USUAL_SHARE = 0.3  # of cells replaced, where a single learner is checked
_SHARES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
_PILOTS = 4

_NEW, _OTHER, _BETTER = "first", "second", "better"  # copies of one learner


_Tests = Mapping[str, str | Procedure]
# For every copy the name of its learner, and the table that it is fitted on.
_Learners = Mapping[str, tuple[str, Any]]


class _OutOfTimeError(Exception):
    """The time limit is reached."""


@explains_arguments()
def check_test(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    test: str | Procedure | Sequence[str | Procedure] | None = None,
    groups: Any = None,
    sample_weight: Any = None,
    scoring: Any = None,
    cv: Any = None,
    confidence_level: float = 0.95,
    n_experiments: int = 200,
    fraction: float = 0.25,
    replaced: float | Literal["auto"] = "auto",
    power: bool = False,
    stop_early: bool = True,
    time_limit: float | None = None,
    params: Mapping[str, Any] | None = None,
    n_jobs: int | None = None,
    verbose: Verbose = "auto",
    random_state: Any = None,
    memory: Any = None,
) -> TestCheck:
    """Check how often tests reject true null hypotheses about a learner, on your own data.

    A test that is valid for most learners may fail for yours (:doc:`/any_metric`). This
    measures it. The rows at hand serve as a population: small data sets are drawn from them,
    and two copies of the same learner are compared on each. Every copy sees the rows with some
    cells replaced by the value of the same column in a random row, independently of the other
    copy. So the two are equally good at every training size and by every metric, and whatever
    a test finds is an error. A test at 0.05 should reject at most 5 % of these hypotheses.

    Parameters
    ----------
    estimator : estimator or (str, estimator), or a mapping or list of these
        The estimator, with a label if its class name is not enough. It is cloned, never fitted
        itself. Or several, each of which is checked by itself. Of two, the copies of each
        differ about as much as the two do.
    X : array-like, sparse matrix or DataFrame of shape (n_samples, n_features)
        The data; 60 rows at least, and better some hundred.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), optional
        The targets.
    test : str, callable, or list of them, optional
        The tests, as :func:`compare_estimators` takes them. Default ``"auto"``, the test that
        it would choose, and beside it ``"corrected_t"`` unless `cv` is given.
    groups : array-like of shape (n_samples,), optional
        Group of every row; the default splits keep groups together. Data sets
        are drawn by group.
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the rows, for every ``fit`` (for a pipeline, that of its last step) and for
        the metrics that take them. An estimator that takes no weights is refused. With
        metadata routing enabled, the requests of estimators and scorers decide who gets them.
    scoring : str or callable, optional
        One metric, as in :func:`sklearn.model_selection.cross_validate`; default the
        estimators' ``score``.
    cv : int or splitter, optional
        The splits that the tests are made on; default those of each test.
    confidence_level : float, default=0.95
        Level of the intervals; the tests reject at 1 - `confidence_level`, their nominal level.
    n_experiments : int, default=200
        Data sets drawn at most for each learner.
    fraction : float, default=0.25
        Fraction of the rows, or groups, drawn for a data set, up to 0.5; 30 rows at least, or
        10 groups. Data sets share rows: with larger fractions tests seem to reject less often
        than they do.
    replaced : float or "auto", default="auto"
        Probability with which a cell is replaced. ``"auto"`` is 0.3 for one learner. For
        two it is found on a few data sets, so that the rows' contributions to the metric
        differ as much between the copies as between the two learners.
    power : bool, default=False
        Whether to compare with a third copy, too, that has half as many replaced cells and is
        better; half as many fits more.
    stop_early : bool, default=True
        Whether a test gets no more experiments after the 50th as soon as its interval lies
        above the nominal level, or below twice that. False makes all, for a more precise share.
    time_limit : float, optional
        Seconds after which nothing more is fitted: the time is looked at before every
        experiment and after every fit, and no fit is broken off. What was found by then is
        reported, which may be nothing.
    params : mapping, optional
        Parameters for ``fit`` and, with metadata routing enabled, for scorers and splitters,
        as in :func:`sklearn.model_selection.cross_validate`. Values with one entry per row of
        X are split along with it.
    n_jobs : int, optional
        Number of parallel workers; None means 1 unless in a :func:`joblib.parallel_config`
        context, -1 all cores.
    verbose : {"auto"}, bool, int or callable, default="auto"
        Progress: ``"auto"`` shows a line for long runs; a callable gets ``(done, total)``. Very
        long runs are announced.
    random_state : int, RandomState, Generator or None, default=None
        Seeds the data sets, the cells and the splits, never the estimators. The seed used is
        reported; the same one gives the same experiments whatever `n_jobs`.
    memory : str, path-like, joblib.Memory or tuple, optional
        A folder that keeps every finished fit. A run that was stopped continues where it was
        when it is called again. A fit is reused only if estimator, data, split, metric,
        versions and your own code are the same (:doc:`/long_runs`). Changes are not noticed
        in files that a fit reads, and in code that it finds by a name while it runs: pass
        ``(folder, key)``, with a text that stands for all your code, and that you change with
        it. Use only a folder that you trust.

    Returns
    -------
    TestCheck
        A row per learner and test, with the share of rejections and its interval, which may be
        looked at after any number of experiments. ``plot()`` draws it for all levels.

    Raises
    ------
    EvaluationError
        If an estimator cannot be fitted or scored; it names estimator and split.
    ValueError
        If there are too few rows or groups, no cells to replace, or arguments do not fit
        together.

    See Also
    --------
    compare_estimators : The comparison whose test is checked.

    Notes
    -----
    What is measured is about data sets of the size drawn, not of all rows, and about learners
    that see replaced cells. Rows (x, replaced for one copy, replaced for the other, y) are
    independent draws of a law that does not change when the copies are swapped. That holds for
    numbers, categories and texts, for pipelines, and whatever y has to do with x. Rows are
    drawn without replacement, because a row that came twice could stand in training and in
    testing. Of a sparse table, all replaced cells of a row come from one other row.

    On ten pairs of learner and metric of which the truth was known, with 400 rows and 200
    experiments, all shares found were within 0.06 of it (:doc:`/any_metric`).

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import Ridge
    >>> from skstat import check_test
    >>> X, y = load_diabetes(return_X_y=True)
    >>> check = check_test(
    ...     {"ridge": Ridge(10.0)}, X, y, scoring="neg_mean_squared_error",
    ...     n_experiments=20, random_state=0,
    ... )
    >>> check["ridge", "corrected_t"].verdict
    'rejects too often'
    """
    start = time.monotonic()
    named = one_or_more(estimator)
    question = Question.of("two-sided", confidence_level)
    check_count("n_experiments", n_experiments, least=_PER_LOOK)
    check_number("fraction", fraction, above=0, most=0.5, what="a number above 0, up to 0.5")
    if replaced != "auto":
        check_number(
            "replaced", replaced, above=0, most=1, what="a number above 0, up to 1, or 'auto'"
        )
    if time_limit is not None:
        check_number("time_limit", time_limit, above=0, what="a number of seconds above 0")
    n_workers(n_jobs)  # raises if it is no number of workers
    if cv is not None:
        check_splitter(cv)
        if not hasattr(cv, "split") and not isinstance(cv, Integral):
            problem = f"cv is a {type(cv).__name__} of splits, which fit all rows"
            raise ValueError(f"{problem}; pass a splitter, or a number of folds.")
    tests = _tests_of(test, cv)
    if len(metric_sources(named, scoring)) != 1:
        raise ValueError("scoring names several metrics; pass one.")
    store = Store.of(memory)
    seed = seed_for(random_state, store)
    fits = Fits(
        named=named, X=X, y=y, groups=groups, sample_weight=sample_weight, params=params
    )
    # Check all arguments on all rows, before the first fit.
    plan = make_plan(fits, scoring=scoring, cv=_halves(seed), kept_splits=0)
    data, metric = plan.data, next(iter(plan.scoring.sources))
    unit, n_units = "row", data.n_samples
    if data.groups is not None:
        unit, n_units = "group", data.scarcest[0]
    fewest, min_drawn = _FEWEST[unit]
    if n_units < fewest:
        argument = "X" if unit == "row" else "groups"
        raise ValueError(f"{argument} has {n_units} {unit}s; a check needs {fewest} or more.")
    n_drawn = max(min_drawn, round(float(fraction) * n_units))
    cells = inputs.check_replaceable(data.X, named)
    experiments = _Experiments(
        fits=Fits(named=named, X=cells, store=store, n_jobs=1),
        draw=partial(data.draw, n_drawn, plan.weights, inputs.check_params(data, params)),
        scoring=scoring,
        cv=cv,
        question=replace(question, seed=seed),
        power=power,
        stop_early=stop_early,
        until=None if time_limit is None else start + time_limit,
    )
    shares = experiments.shares(replaced)
    rows, out_of_time = experiments.run(tests, shares, n_experiments, n_jobs, verbose)
    return TestCheck(
        rows=rows,
        metric=metric,
        is_loss=metric in plan.scoring.facts([metric])["losses"],
        n_samples=n_units,
        n_drawn=n_drawn,
        unit=unit,
        n_experiments=int(n_experiments),
        random_state=seed,
        out_of_time=out_of_time,
    )


def _tests_of(test: Any, cv: Any) -> _Tests:
    """Return the tests to check, by name."""
    if test is None:
        test = ["auto", "corrected_t"] if cv is None else ["auto"]
    tests = [*test] if isinstance(test, list | tuple) else [test]
    if not tests:
        raise ValueError("test is empty; name a test, or leave it out.")
    for one in tests:
        if one != "auto":
            procedure_named(one)  # raises if it is unknown
    return {one if isinstance(one, str) else procedure_name(one): one for one in tests}


class _Result(NamedTuple):
    """Result of a test in one experiment."""

    title: str
    pvalue: float
    better: tuple[float, float] | None  # p-value and difference for the better copy


@dataclass(frozen=True, kw_only=True, eq=False)
class _Experiments:
    """Settings of the experiments; `fits` holds the learners and all rows."""

    fits: Fits
    draw: Callable[[np.random.Generator], tuple[Any, dict[str, Any]]]
    scoring: Any
    cv: Any
    question: Question
    power: bool
    stop_early: bool
    until: float | None

    def check_time(self, *_: int) -> None:
        """Raise when the time limit is reached; called as the progress of fits."""
        if self.until is not None and time.monotonic() >= self.until:
            raise _OutOfTimeError

    def shares(self, replaced: float | str) -> dict[str, float]:
        """Return the share of cells to replace for each learner."""
        named = self.fits.named
        if replaced == "auto" and len(named) == 2:
            with suppress(_OutOfTimeError):  # no experiment will use the shares
                return self._shares_like_the_pair()
        share = _USUAL_SHARE if replaced == "auto" else float(replaced)
        return dict.fromkeys(named, share)

    def _shares_like_the_pair(self) -> dict[str, float]:
        """Return the shares for which copies differ on rows as much as the two learners do."""
        spread: dict[Any, list[float]] = defaultdict(list)
        named, splitter = self.fits.named, _halves(self.question.drawn_by)
        for number in range(_PILOTS):
            draws, *cells = self._streams(len(named), number, 1 + 2 * len(_SHARES))
            rows, arrays = self.draw(draws)
            plain = self._copy(rows, 0.0, draws)
            pair = self._spread({name: (name, plain) for name in named}, arrays, splitter)
            if pair is None:
                return dict.fromkeys(named, _USUAL_SHARE)
            spread["pair"].append(pair)
            for name in named:
                for share, first, second in zip(_SHARES, cells[::2], cells[1::2], strict=True):
                    copies = {
                        copy: (name, self._copy(rows, share, rng))
                        for copy, rng in ((_NEW, first), (_OTHER, second))
                    }
                    value = self._spread(copies, arrays, splitter)
                    spread[name, share].append(value or 0.0)
        target, shares = np.mean(spread["pair"]), {}
        for name in named:
            means = [np.mean(spread[name, share]) for share in _SHARES]
            share = np.interp(target, np.maximum.accumulate(means), _SHARES)
            shares[name] = round(float(share), 3)
        return shares

    def run(
        self, tests: _Tests, shares: Any, n_experiments: int, n_jobs: Any, verbose: Verbose
    ) -> tuple[tuple[CheckedTest, ...], bool]:
        """Make experiments, and stop tests early when their interval is clear."""
        waiting, out_of_time = {name: dict(tests) for name in shares}, False
        answers: dict[tuple[str, str], list[_Result]]
        answers = {(name, test): [] for name in shares for test in tests}

        def row(name: str, test: str) -> CheckedTest:
            """Return the results of a test for a learner."""
            results = answers[name, test]
            better = [result.better for result in results if result.better is not None]
            return CheckedTest(
                name=name,
                asked=test,
                test=results[0].title if results else f"test {test!r}",
                pvalues=tuple(float(result.pvalue) for result in results),
                power_pvalues=tuple(float(pvalue) for pvalue, _ in better),
                gap=float(np.mean([gap for _, gap in better])) if better else None,
                alpha=alpha_of(self.question.confidence_level),
                replaced=shares[name],
            )

        start_time = time.monotonic()
        progress = Progress(n_experiments * len(waiting), verbose, what="experiments")
        with progress, Parallel(n_jobs=n_jobs) as pool:
            for start in range(0, n_experiments, _PER_LOOK):
                end = min(start + _PER_LOOK, n_experiments)
                tasks = [(n, key) for n in range(start, end) for key in waiting if waiting[key]]
                answered = pool(
                    delayed(_Experiments.ask)(self, name, shares[name], n, waiting[name])
                    for n, name in tasks
                )
                for (_, name), results in zip(tasks, answered, strict=True):
                    for test, result in results.items():
                        answers[name, test].append(result)
                    out_of_time |= len(results) < len(waiting[name])
                if out_of_time:
                    break
                if self.stop_early and end >= _FIRST_LOOK:
                    for name, pending in waiting.items():
                        clear = {k for k in pending if row(name, k).verdict != "not clear"}
                        waiting[name] = {k: pending[k] for k in pending if k not in clear}
                n_left = (n_experiments - end) * sum(map(bool, waiting.values()))
                done, passed = progress.done + len(tasks), time.monotonic() - start_time
                progress.total = done + n_left
                progress.advance(len(tasks), passed / done * n_left)
                if not any(waiting.values()):
                    break
        return tuple(row(*key) for key in answers), out_of_time

    def ask(self, name: str, share: float, number: int, tests: _Tests) -> dict[str, _Result]:
        """Make one experiment, and run as many tests on it as there is time for."""
        draws, *cells = self._streams(list(self.fits.named).index(name), number, 4)
        rows, arrays = self.draw(draws)
        shares = {_NEW: share, _OTHER: share, **({_BETTER: share / 2} if self.power else {})}
        tables = {
            copy: (name, self._copy(rows, copy_share, rng))
            for (copy, copy_share), rng in zip(shares.items(), cells, strict=False)
        }
        seed, answers = int(draws.integers(2**32)), {}
        learners = dict.fromkeys((_NEW, _OTHER), self.fits.named[name])
        fits = replace(self.fits, named=learners, X=tables[_NEW][1], **arrays)
        with suppress(_OutOfTimeError):
            for title, test in tests.items():
                self.check_time()
                question = replace(self.question, test=test, seed=seed)
                answers[title] = self._test(fits, tables, arrays, question)
        return answers

    def _test(self, fits: Fits, tables: _Learners, arrays: Any, question: Question) -> _Result:
        """Run a test on two copies of a learner, and on a better one."""
        plan = SplitPlan.of(fits, question, scoring=self.scoring, cv=self.cv)
        run = self._run(tables, arrays, plan.cv, question.seed, plan.check)
        procedure, _ = plan.choose(run.design, rows_known=run.rows_known)

        def outcome_of(copy: str) -> Any:
            scored = Scored(sample=run.sample(copy, _OTHER), names=(copy, _OTHER))
            return ask(scored, (procedure, None), question).outcome

        null, better = outcome_of(_NEW), outcome_of(_BETTER) if _BETTER in run.names else None
        return _Result(null.test, null.pvalue, better and (better.pvalue, better.estimate))

    def _streams(self, learner: int, experiment: int, n: int) -> list[np.random.Generator]:
        """Return `n` random generators for a learner and an experiment."""
        key = learner, experiment
        stream = np.random.SeedSequence(self.question.drawn_by, spawn_key=key)
        return [np.random.default_rng(child) for child in stream.spawn(n)]

    def _copy(self, rows: Any, share: float, rng: np.random.Generator) -> Any:
        return inputs.with_replaced_cells(self.fits.X, rows, share, rng)

    def _run(
        self, learners: _Learners, arrays: Any, cv: Any, seed: Any = None, accept: Any = None
    ) -> CrossValidationRun:
        """Fit learners, each on its own table, on the same splits."""
        runs, partitions = [], [Partition(cv, seed)]
        for copy, (name, table) in learners.items():
            fits = replace(self.fits, named={copy: self.fits.named[name]}, X=table, **arrays)
            fits = replace(fits, verbose=self.check_time)
            runs += evaluate(fits, scoring=self.scoring, partitions=partitions, accept=accept)
        return reduce(CrossValidationRun.merge, runs)

    def _spread(self, learners: _Learners, arrays: Any, cv: Any) -> float | None:
        """Return the variance of the rows' contributions to a difference; None if unknown."""
        run = self._run(learners, arrays, cv)
        metric = run.metric()
        if not run.knows_rows(run.names, metric):
            return None
        first, second = (run.contributions[metric][name] for name in run.names)
        return float(np.mean([np.var(x - z) for x, z in zip(first, second, strict=True)]))


def _halves(seed: int) -> RepeatedHalves:
    return RepeatedHalves(2, stratify=False, random_state=seed)
