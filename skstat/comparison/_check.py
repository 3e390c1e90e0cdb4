"""Does a test hold its level for this learner, metric and data? Ask it of a true null."""

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, Literal, NamedTuple

import numpy as np
from sklearn.utils.parallel import Parallel, delayed

from skstat._arguments import explains_arguments
from skstat.comparison._engine import ask_sample, design_check
from skstat.comparison._guide import AffordableSplits
from skstat.comparison._procedures import Procedure, procedure_name, procedure_named
from skstat.comparison._question import Question
from skstat.evaluation import CrossValidationRun, RepeatedHalves
from skstat.evaluation import _data as inputs
from skstat.evaluation._design import Design, check_splitter
from skstat.evaluation._evaluate import Partition, evaluate
from skstat.evaluation._jobs import n_workers
from skstat.evaluation._kept import Store
from skstat.evaluation._learners import one_or_more
from skstat.evaluation._plan import Fits, make_plan, seed_for
from skstat.evaluation._progress import Progress, Verbose
from skstat.evaluation._scoring import metric_sources
from skstat.report import CheckedTest, TestCheck
from skstat.stats import Comparison
from skstat.stats._outcomes import alpha_of
from skstat.stats._samples import check_count, check_number

_FEWEST_ROWS = 60
_FEWEST_DRAWN = 30
_FEWEST_GROUPS = 20
_FEWEST_GROUPS_DRAWN = 10
_PER_LOOK = 10  # experiments between two looks at the intervals
_FIRST_LOOK = 50  # after fewer, the share of a test that fails is hardly known
_USUAL_SHARE = 0.3  # of cells replaced, where the learner has no partner
_SHARES = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
_PILOTS = 4

_NEW, _OTHER, _BETTER = "first", "second", "better"  # copies of one learner


class _OutOfTimeError(Exception):
    """The time limit is reached."""


@explains_arguments
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
        Progress: ``"auto"`` shows a bar for long runs; a callable gets ``(done, total)``. Very
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
            raise ValueError(
                f"cv is a {type(cv).__name__} of splits, which fit all rows; the check draws "
                "some. Pass a splitter, or a number of folds."
            )
    tests = _tests_of(test, cv)
    if len(metric_sources(named, scoring)) != 1:
        raise ValueError("scoring names several metrics; pass one.")
    store = Store.of(memory)
    seed = seed_for(random_state, store)
    fits = Fits(
        named=named, X=X, y=y, groups=groups, sample_weight=sample_weight, params=params
    )
    # All that can be wrong with the arguments is found on all rows, before the first fit.
    plan = make_plan(fits, scoring=scoring, cv=_halves(seed))
    metric = next(iter(plan.scoring.sources))
    n_units, n_drawn = _sizes(plan.data, float(fraction))
    params = inputs.check_params(plan.data, params)
    experiments = _Experiments(
        named=named,
        X=inputs.check_replaceable(plan.data.X, named),
        population=inputs.Population(plan.data, n_drawn, plan.weights, params),
        scoring=scoring,
        cv=cv,
        question=question,
        seed=seed,
        power=power,
        store=store,
        until=None if time_limit is None else begun + time_limit,
    )
    shares = experiments.shares(replaced)
    rows, out_of_time = _run(
        experiments, tests, shares, n_experiments,
        n_jobs=n_jobs, verbose=verbose, stop_early=stop_early,
    )  # fmt: skip
    return TestCheck(
        rows=rows,
        metric=metric,
        is_loss=plan.scoring.is_loss(metric),
        n_samples=n_units,
        n_drawn=n_drawn,
        unit="row" if plan.data.groups is None else "group",
        n_experiments=int(n_experiments),
        random_state=seed,
        out_of_time=out_of_time,
    )


def _tests_of(test: Any, cv: Any) -> dict[str, str | Procedure]:
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


def _sizes(data: Any, fraction: float) -> tuple[int, int]:
    """Count the rows or groups, and how many of them each data set has."""
    if data.groups is None:
        what, n, fewest, least = "X", data.n_samples, _FEWEST_ROWS, _FEWEST_DRAWN
    else:
        n = len(np.unique(np.asarray(data.groups)))
        what, fewest, least = "groups", _FEWEST_GROUPS, _FEWEST_GROUPS_DRAWN
    if n < fewest:
        held = "rows" if data.groups is None else "groups"
        raise ValueError(
            f"{what} has {n} {held}; a check draws small data sets from them, and needs "
            f"{fewest} or more."
        )
    return n, max(least, round(fraction * n))


class _Asked(NamedTuple):
    """What a test said in one experiment."""

    title: str
    pvalue: float
    better: tuple[float, float] | None  # p-value and gap of a copy that is better


@dataclass(frozen=True, kw_only=True, eq=False)
class _Experiments:
    """All that an experiment needs, wherever it runs."""

    named: Mapping[str, Any]
    X: Any
    population: inputs.Population
    scoring: Any
    cv: Any
    question: Question
    seed: int
    power: bool
    store: Store | None
    until: float | None

    def look(self, *_: int) -> None:
        """Stop when the time limit is reached; the progress of fits calls it."""
        if self.until is not None and time.monotonic() >= self.until:
            raise _OutOfTimeError

    def shares(self, replaced: float | str) -> dict[str, float]:
        """Find how many cells are replaced for each learner."""
        if replaced == "auto" and len(self.named) == 2:
            with suppress(_OutOfTimeError):  # nothing will be asked with it
                return self._shares_like_the_pair()
        share = _USUAL_SHARE if replaced == "auto" else float(replaced)
        return dict.fromkeys(self.named, share)

    def _shares_like_the_pair(self) -> dict[str, float]:
        """Replace so many cells that copies differ on rows as the two learners do."""
        spread: dict[Any, list[float]] = defaultdict(list)
        for number in range(_PILOTS):
            stream = np.random.SeedSequence(self.seed, spawn_key=(len(self.named), number))
            draws, *cells = map(np.random.default_rng, stream.spawn(1 + 2 * len(_SHARES)))
            drawn = self.population.draw(draws)
            splitter = _halves(self.seed)
            plain = self._copy(drawn, 0.0, draws)
            runs = [self._fitted(name, name, plain, drawn, splitter) for name in self.named]
            pair = _spread_of(runs[0].beside(runs[1]))
            if pair is None:
                return dict.fromkeys(self.named, _USUAL_SHARE)
            spread["pair"].append(pair)
            for name in self.named:
                for share, first, second in zip(_SHARES, cells[::2], cells[1::2], strict=True):
                    copies = [
                        self._fitted(name, copy, self._copy(drawn, share, rng), drawn, splitter)
                        for copy, rng in ((_NEW, first), (_OTHER, second))
                    ]
                    spread[name, share].append(_spread_of(copies[0].beside(copies[1])) or 0.0)
        wanted = np.mean(spread["pair"])
        found = {}
        for name in self.named:
            means = [np.mean(spread[name, share]) for share in _SHARES]
            share = np.interp(wanted, np.maximum.accumulate(means), _SHARES)
            found[name] = round(float(share), 3)
        return found

    def ask(
        self, name: str, share: float, number: int, tests: Mapping[str, str | Procedure]
    ) -> dict[str, _Asked]:
        """Make one experiment, and ask tests about it: as many as there is time for."""
        place = list(self.named).index(name)
        stream = np.random.SeedSequence(self.seed, spawn_key=(place, number))
        draws, *cells = map(np.random.default_rng, stream.spawn(4))
        drawn = self.population.draw(draws)
        shares = {_NEW: share, _OTHER: share, **({_BETTER: share / 2} if self.power else {})}
        tables = {
            copy: self._copy(drawn, own, rng)
            for (copy, own), rng in zip(shares.items(), cells, strict=False)
        }
        seed = int(draws.integers(2**32))
        found = {}
        with suppress(_OutOfTimeError):
            for asked, test in tests.items():
                self.look()
                run, procedure = self._run(name, tables, drawn, test, seed)
                found[asked] = _answer(run, procedure, self.question, seed, power=self.power)
        return found

    def _copy(self, drawn: inputs.DrawnRows, share: float, rng: np.random.Generator) -> Any:
        return inputs.with_replaced_cells(self.X, drawn.rows, share, rng)

    def _run(
        self,
        name: str,
        tables: Mapping[str, Any],
        drawn: inputs.DrawnRows,
        test: Any,
        seed: int,
    ) -> tuple[CrossValidationRun, Procedure]:
        plan = AffordableSplits.of(
            dict.fromkeys((_NEW, _OTHER), self.named[name]), tables[_NEW], drawn.y,
            replace(self.question, test=test, seed=seed), groups=drawn.groups,
            scoring=self.scoring, cv=self.cv, budget=None,
        )  # fmt: skip

        def accept(design: Design) -> None:
            design_check(plan.choose(design)[0], self.question)(design)

        first, *others = (
            self._fitted(name, copy, table, drawn, plan.cv, seed, accept)
            for copy, table in tables.items()
        )
        for other in others:
            first = first.beside(other)
        return first, plan.choose(first.design, rows_known=first.rows_known)[0]

    def _fitted(
        self,
        name: str,
        copy: str,
        table: Any,
        drawn: inputs.DrawnRows,
        cv: Any,
        seed: int | None = None,
        accept: Any = None,
    ) -> CrossValidationRun:
        fits = Fits(
            named={copy: self.named[name]},
            X=table,
            y=drawn.y,
            groups=drawn.groups,
            sample_weight=drawn.sample_weight,
            params=drawn.params,
            n_jobs=1,
            verbose=self.look,
            store=self.store,
        )
        partitions = [Partition(cv, seed)]
        (run,) = evaluate(fits, scoring=self.scoring, partitions=partitions, accept=accept)
        return run


def _answer(
    run: CrossValidationRun, procedure: Procedure, question: Question, seed: int, *, power: bool
) -> _Asked:
    question = replace(question, seed=seed)

    def ask(*names: str) -> Comparison:
        a, b = names
        return ask_sample(procedure, run.sample(a, b), question, names=(a, b)).outcome

    null = ask(_NEW, _OTHER)
    better = ask(_BETTER, _OTHER) if power else None
    return _Asked(
        null.test, null.pvalue, None if better is None else (better.pvalue, better.estimate)
    )


def _spread_of(run: CrossValidationRun) -> float | None:
    """Variance of what rows contribute to the difference of two; None if that is unknown."""
    a, b = run.names
    metric = run.metric()
    if not run.knows_rows(run.names, metric):
        return None
    of = run.contributions[metric]
    return float(np.mean([np.var(x - z) for x, z in zip(of[a], of[b], strict=True)]))


def _halves(seed: int) -> RepeatedHalves:
    return RepeatedHalves(2, stratify=False, random_state=seed)


def _run(
    experiments: _Experiments,
    tests: Mapping[str, str | Procedure],
    shares: Mapping[str, float],
    n_experiments: int,
    *,
    n_jobs: int | None,
    verbose: Verbose,
    stop_early: bool,
) -> tuple[tuple[CheckedTest, ...], bool]:
    """Make experiments, and look at the intervals after every few of them."""
    found: dict[tuple[str, str], list[_Asked]]
    found = {(name, test): [] for name in experiments.named for test in tests}
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
            alpha=alpha_of(experiments.question.confidence_level),
            replaced=shares[name],
        )

    waiting = {name: dict(tests) for name in experiments.named}
    begun = time.monotonic()
    total = n_experiments * len(waiting)
    with (
        Progress(total, verbose, what="experiments") as progress,
        Parallel(n_jobs=n_jobs) as pool,
    ):
        for start in range(0, n_experiments, _PER_LOOK):
            numbers = range(start, min(start + _PER_LOOK, n_experiments))
            asked = [(number, name) for number in numbers for name in waiting if waiting[name]]
            made = pool(
                delayed(_Experiments.ask)(
                    experiments, name, shares[name], number, waiting[name]
                )
                for number, name in asked
            )
            for (_, name), said in zip(asked, made, strict=True):
                for test, one in said.items():
                    found[name, test].append(one)
                out_of_time |= len(said) < len(waiting[name])
            if out_of_time:
                break
            for name in {name for _, name in asked}:
                if stop_early and numbers[-1] + 1 >= _FIRST_LOOK:
                    waiting[name] = {
                        test: how
                        for test, how in waiting[name].items()
                        if row(name, test).verdict == "not clear"
                    }
                if not waiting[name]:  # no more of this learner are needed
                    total -= n_experiments - numbers[-1] - 1
            progress.total = total
            done = progress.done + len(asked)
            passed = time.monotonic() - begun
            progress.advance(len(asked), passed / done * (total - done))
            if not any(waiting.values()):
                break
    return tuple(row(*key) for key in found), out_of_time
