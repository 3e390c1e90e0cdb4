"""Does a test hold its level for this learner, metric and data? Ask it of a true null."""

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

# Of rows, and of groups: the fewest that are drawn from, and that are drawn.
_FEWEST = {"row": (60, 30), "group": (20, 10)}
_PER_LOOK = 10  # experiments between two looks at the intervals
_FIRST_LOOK = 50  # after fewer, the share of a test that fails is hardly known
_USUAL_SHARE = 0.3  # of cells replaced, where the learner has no partner
_SHARES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
_PILOTS = 4

_NEW, _OTHER, _BETTER = "first", "second", "better"  # copies of one learner


# Of copies, the name of their learner, and the table that they are fitted on.
_Tests = Mapping[str, str | Procedure]
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
    begun = time.monotonic()
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
    n_workers(n_jobs)  # refuses what is no number of workers
    if cv is not None:
        check_splitter(cv)
        if not hasattr(cv, "split") and not isinstance(cv, Integral):
            what = f"cv is a {type(cv).__name__} of splits, which fit all rows"
            raise ValueError(f"{what}; pass a splitter, or a number of folds.")
    tests = _tests_of(test, cv)
    if len(metric_sources(named, scoring)) != 1:
        raise ValueError("scoring names several metrics; pass one.")
    store = Store.of(memory)
    seed = seed_for(random_state, store)
    fits = Fits(
        named=named, X=X, y=y, groups=groups, sample_weight=sample_weight, params=params
    )
    # All that can be wrong with the arguments is found on all rows, before the first fit.
    plan = make_plan(fits, scoring=scoring, cv=_halves(seed), kept_splits=0)
    data, metric = plan.data, next(iter(plan.scoring.sources))
    unit, n_units = "row", data.n_samples
    if data.groups is not None:
        unit, n_units = "group", data.scarcest[0]
    fewest, least = _FEWEST[unit]
    if n_units < fewest:
        what = "X" if unit == "row" else "groups"
        raise ValueError(f"{what} has {n_units} {unit}s; a check needs {fewest} or more.")
    n_drawn = max(least, round(float(fraction) * n_units))
    cells = inputs.check_replaceable(data.X, named)
    experiments = _Experiments(
        fits=Fits(named=named, X=cells, store=store, n_jobs=1),
        draw=partial(data.draw, n_drawn, plan.weights, inputs.check_params(data, params)),
        scoring=scoring,
        cv=cv,
        question=replace(question, seed=seed),
        power=power,
        stop_early=stop_early,
        until=None if time_limit is None else begun + time_limit,
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
    """Name the tests that are asked."""
    if test is None:
        test = ["auto", "corrected_t"] if cv is None else ["auto"]
    wanted = list(test) if isinstance(test, list | tuple) else [test]
    if not wanted:
        raise ValueError("test is empty; name a test, or leave it out.")
    for one in wanted:
        if one != "auto":
            procedure_named(one)  # refuses what is unknown
    return {one if isinstance(one, str) else procedure_name(one): one for one in wanted}


class _Asked(NamedTuple):
    """What a test said in one experiment."""

    title: str
    pvalue: float
    better: tuple[float, float] | None  # p-value and gap of a copy that is better


@dataclass(frozen=True, kw_only=True, eq=False)
class _Experiments:
    """All that an experiment needs, wherever it runs; `fits` are of learners, on all rows."""

    fits: Fits
    draw: Callable[[np.random.Generator], tuple[Any, dict[str, Any]]]
    scoring: Any
    cv: Any
    question: Question
    power: bool
    stop_early: bool
    until: float | None

    def look(self, *_: int) -> None:
        """Stop when the time limit is reached; the progress of fits calls it."""
        if self.until is not None and time.monotonic() >= self.until:
            raise _OutOfTimeError

    def shares(self, replaced: float | str) -> dict[str, float]:
        """Find how many cells are replaced for each learner."""
        named = self.fits.named
        if replaced == "auto" and len(named) == 2:
            with suppress(_OutOfTimeError):  # nothing will be asked with it
                return self._shares_like_the_pair()
        share = _USUAL_SHARE if replaced == "auto" else float(replaced)
        return dict.fromkeys(named, share)

    def _shares_like_the_pair(self) -> dict[str, float]:
        """Replace so many cells that copies differ on rows as the two learners do."""
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
                    found = self._spread(copies, arrays, splitter)
                    spread[name, share].append(found or 0.0)
        wanted, shares = np.mean(spread["pair"]), {}
        for name in named:
            means = [np.mean(spread[name, share]) for share in _SHARES]
            share = np.interp(wanted, np.maximum.accumulate(means), _SHARES)
            shares[name] = round(float(share), 3)
        return shares

    def run(
        self, tests: _Tests, shares: Any, n_experiments: int, n_jobs: Any, verbose: Verbose
    ) -> tuple[tuple[CheckedTest, ...], bool]:
        """Make experiments, and look at the intervals after every few of them."""
        waiting = {name: dict(tests) for name in shares}
        found: dict[tuple[str, str], list[_Asked]]
        found = {(name, test): [] for name in shares for test in tests}
        out_of_time = False

        def row(name: str, test: str) -> CheckedTest:
            """Sum up what a test said about a learner."""
            said = found[name, test]
            better = [one.better for one in said if one.better is not None]
            return CheckedTest(
                name=name,
                asked=test,
                test=said[0].title if said else f"test {test!r}",
                pvalues=tuple(float(one.pvalue) for one in said),
                power_pvalues=tuple(float(pvalue) for pvalue, _ in better),
                gap=float(np.mean([gap for _, gap in better])) if better else None,
                alpha=alpha_of(self.question.confidence_level),
                replaced=shares[name],
            )

        begun = time.monotonic()
        progress = Progress(n_experiments * len(waiting), verbose, what="experiments")
        with progress, Parallel(n_jobs=n_jobs) as pool:
            for start in range(0, n_experiments, _PER_LOOK):
                end = min(start + _PER_LOOK, n_experiments)
                tasks = [(n, own) for n in range(start, end) for own in waiting if waiting[own]]
                made = pool(
                    delayed(_Experiments.ask)(self, name, shares[name], n, waiting[name])
                    for n, name in tasks
                )
                for (_, name), said in zip(tasks, made, strict=True):
                    for test, one in said.items():
                        found[name, test].append(one)
                    out_of_time |= len(said) < len(waiting[name])
                if out_of_time:
                    break
                if self.stop_early and end >= _FIRST_LOOK:
                    for name, some in waiting.items():
                        clear = {one for one in some if row(name, one).verdict != "not clear"}
                        waiting[name] = {one: some[one] for one in some if one not in clear}
                left = (n_experiments - end) * sum(map(bool, waiting.values()))
                done, passed = progress.done + len(tasks), time.monotonic() - begun
                progress.total = done + left
                progress.advance(len(tasks), passed / done * left)
                if not any(waiting.values()):
                    break
        return tuple(row(*key) for key in found), out_of_time

    def ask(self, name: str, share: float, number: int, tests: _Tests) -> dict[str, _Asked]:
        """Make one experiment, and ask tests about it: as many as there is time for."""
        draws, *cells = self._streams(list(self.fits.named).index(name), number, 4)
        rows, arrays = self.draw(draws)
        shares = {_NEW: share, _OTHER: share, **({_BETTER: share / 2} if self.power else {})}
        tables = {
            copy: (name, self._copy(rows, own, rng))
            for (copy, own), rng in zip(shares.items(), cells, strict=False)
        }
        seed, found = int(draws.integers(2**32)), {}
        two = dict.fromkeys((_NEW, _OTHER), self.fits.named[name])
        fits = replace(self.fits, named=two, X=tables[_NEW][1], **arrays)
        with suppress(_OutOfTimeError):
            for title, test in tests.items():
                self.look()
                question = replace(self.question, test=test, seed=seed)
                found[title] = self._answer(fits, tables, arrays, question)
        return found

    def _answer(self, fits: Fits, tables: _Learners, arrays: Any, question: Question) -> _Asked:
        """Ask a test about two copies of a learner, and about a better one."""
        plan = SplitPlan.of(fits, question, scoring=self.scoring, cv=self.cv)
        run = self._run(tables, arrays, plan.cv, question.seed, plan.check)
        procedure, _ = plan.choose(run.design, rows_known=run.rows_known)

        def said(copy: str) -> Any:
            scored = Scored(sample=run.sample(copy, _OTHER), names=(copy, _OTHER))
            return ask(scored, (procedure, None), question).outcome

        null, better = said(_NEW), said(_BETTER) if _BETTER in run.names else None
        return _Asked(null.test, null.pvalue, better and (better.pvalue, better.estimate))

    def _streams(self, *place: int) -> list[np.random.Generator]:
        """Random numbers of a learner and an experiment, of which the last says how many."""
        *key, n = place
        stream = np.random.SeedSequence(self.question.drawn_by, spawn_key=tuple(key))
        return [np.random.default_rng(each) for each in stream.spawn(n)]

    def _copy(self, rows: Any, share: float, rng: np.random.Generator) -> Any:
        return inputs.with_replaced_cells(self.fits.X, rows, share, rng)

    def _run(
        self, learners: _Learners, arrays: Any, cv: Any, seed: Any = None, accept: Any = None
    ) -> CrossValidationRun:
        """Fit learners, each on a table of its own, on the same splits."""
        runs = []
        for copy, (name, table) in learners.items():
            own = {"named": {copy: self.fits.named[name]}, "X": table, "verbose": self.look}
            fits, partitions = replace(self.fits, **own, **arrays), [Partition(cv, seed)]
            runs += evaluate(fits, scoring=self.scoring, partitions=partitions, accept=accept)
        return reduce(CrossValidationRun.merge, runs)

    def _spread(self, learners: _Learners, arrays: Any, cv: Any) -> float | None:
        """Variance of what rows contribute to a difference of two; None if that is unknown."""
        run = self._run(learners, arrays, cv)
        metric = run.metric()
        if not run.knows_rows(run.names, metric):
            return None
        first, second = (run.contributions[metric][name] for name in run.names)
        return float(np.mean([np.var(x - z) for x, z in zip(first, second, strict=True)]))


def _halves(seed: int) -> RepeatedHalves:
    return RepeatedHalves(2, stratify=False, random_state=seed)
