"""Scores that exist: a run, a sample, or bare numbers."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from skstat import stats
from skstat._arguments import explains_arguments
from skstat.comparison._ask import (
    Margin,
    Procedure,
    Question,
    ask_constant,
    ask_run,
    ask_sample,
    sample_types,
)
from skstat.comparison._choice import choose, procedure_of
from skstat.comparison._guide import recommend
from skstat.comparison._joint import AnyAdjustment, check_joint
from skstat.comparison._over_datasets import ask_datasets_run, ask_pair, asks_pair
from skstat.comparison._post_hoc import DEFAULT_POST_HOC, PairwiseRequest, PostHoc
from skstat.comparison._score_inputs import columns_of, read_held
from skstat.comparison._seed_scores import ask_seed_scores
from skstat.comparison._situation import Situation
from skstat.comparison._systems import (
    ask_systems,
    ask_systems_run,
    drawing,
    some_of,
)
from skstat.comparison._tables import ask_table
from skstat.evaluation import CrossValidationRun, DatasetsRun, draw_seed, is_error, is_loss
from skstat.report import ComparisonReport, MetricsReport, SystemsReport
from skstat.report._doubts import Context
from skstat.report._metrics_report import one_or_per_metric
from skstat.stats import (
    FoldScores,
    PairedScores,
    Scores,
    ScoreTable,
    SeedScores,
    SeedScoreTable,
    Successes,
)
from skstat.stats._pairwise import pairs_of
from skstat.stats._samples import UNITS, check_constant, numbers


@explains_arguments
def compare_scores(
    scores: Any,
    *,
    unit: stats.Unit | None = None,
    n_train: Any = None,
    n_test: Any = None,
    n_repeats: int | None = None,
    paired_seeds: bool = False,
    columns: Mapping[str, Any] | None = None,
    test: str | Callable[..., Any] = "auto",
    post_hoc: str | PostHoc = DEFAULT_POST_HOC,
    control: str | None = None,
    adjustment: AnyAdjustment = "auto",
    names: tuple[str, ...] | None = None,
    scoring: str | list[str] | None = None,
    constant: float | None = None,
    alternative: str = "two-sided",
    confidence_level: float | None = None,
    alpha: float | None = None,
    margin: Margin = None,
    random_state: Any = None,
) -> ComparisonReport | SystemsReport | MetricsReport:
    """Compare two systems or more by scores that were computed before.

    Parameters
    ----------
    scores : run, sample, mapping, DataFrame or array-like
        A run of :func:`paired_cross_validate` or :func:`cross_validate_over_datasets`, a
        sample (:class:`~skstat.stats.PairedScores`, :class:`~skstat.stats.Scores`,
        :class:`~skstat.stats.ScoreTable`, :class:`~skstat.stats.SeedScores`), a mapping or
        DataFrame of name to scores, or an array of shape (n_units, n_systems). Higher is
        better, unless a ``ScoreTable`` says otherwise.

        Of a mapping of name to results of :func:`sklearn.model_selection.cross_validate`
        the ``test_`` scores are compared, over splits; with ``return_indices=True`` the
        sizes of the splits are known, and whether all systems had the same ones.

        A DataFrame with one row per score is read by its labels: a column of names
        (``system``, ``model``, ``estimator``, ...), one of scores (``score``,
        ``test_score``, or the name of `scoring`), and one of what the score is on
        (``dataset``, ``split`` or ``fold``, ``seed``, ``group``, ``instance``), which gives
        the unit. Other names go into `columns`.
    unit : {"split", "instance", "group", "seed", "dataset"}, optional
        What one row of bare numbers is. A table of folds and a table of data sets
        look alike and need different tests.
    n_train, n_test : int or array-like of shape (n_units,), optional
        Training and test size of every split; they imply ``unit="split"``.
    n_repeats : int, optional
        Complete partitions that the splits form: 10 for 10x10 cross-validation.
    paired_seeds : bool, default=False
        Whether seed i of every system belongs together, because the seed controls the
        same in all of them (the order of the data, the split). A number that two programs
        merely have in common pairs nothing: then the order of the seeds has no meaning, and
        each system may have another number of them.
    columns : mapping of str to str, optional
        Columns of a DataFrame with one row per score, where they have other names than
        usual: ``{"system": "model", "score": "auc", "unit": "task"}``. Several columns
        (repeat and fold) name a unit as a list.
    test : {"auto"}, str or callable, default="auto"
        ``"auto"`` goes by the unit: the corrected t test for splits (5x2 designs:
        Alpaydin's F), the sign-flip permutation test for instances and groups (that of
        Diebold and Mariano for instances in time order), Welch's t test for seeds (of
        paired ones the paired t test), Wilcoxon's test for data sets. Else the name of a
        procedure of :mod:`skstat.stats`, or a function from a sample to an outcome. It is
        asked of every pair. For more than two systems over data sets it is the test of all
        at once, as in :func:`compare_over_datasets`.
    post_hoc : str or callable, default="wilcoxon"
        How more than two systems are compared in pairs over data sets, as in
        :func:`compare_over_datasets`.
    control : str, optional
        Compare the others (A) with this system (B) only.
    adjustment : str, default="auto"
        How p-values of three systems or more are adjusted: on one data set as in
        :func:`compare_estimators`, over data sets as in :func:`compare_over_datasets`.
    names : tuple of str, optional
        The estimators of a run or columns of a table to compare, default all. For a
        sample or an array, its labels; with `constant`, the one system.
    scoring : str or list of str, optional
        Metric or metrics of a run or of results of ``cross_validate``, default all; for
        other scores a label.
    constant : float, optional
        Compare one system with this score, which was known in advance, by the
        one-sample t test; over data sets by Wilcoxon's test.
    alternative : {"two-sided", "less", "greater"}, default="two-sided"
        ``"greater"``: A scores higher than B.
    confidence_level : float, default=0.95
        Level of the interval; the verdict uses 1 - `confidence_level`.
    alpha : float, optional
        Level of the test, instead of `confidence_level`.
    margin : float or mapping of str to float, optional
        The smallest difference that matters, in the unit of the score, fixed before the
        scores are seen. The report then says whether the two are equivalent, or one is not
        inferior: :doc:`/equivalence`. For several metrics a mapping of metric to margin.

    random_state : int, RandomState, Generator or None, default=None
        Seed of what is drawn: sign flips of many instances, and the joint law of three
        systems or more. For a run the default is the seed of its splits.

    Returns
    -------
    ComparisonReport, SystemsReport, DatasetsReport or MetricsReport
        Two systems; three or more on one data set, or over data sets; or one report per
        metric of a run if several.

    Raises
    ------
    ValueError
        If `unit` is missing, sizes of splits are missing for a corrected test, the scores
        are not those of two systems, or `scoring` names an error that was not negated.

    Examples
    --------
    >>> from skstat import compare_scores
    >>> scores = {"tree": [0.72, 0.70, 0.75, 0.71], "NB": [0.75, 0.74, 0.76, 0.75]}
    >>> report = compare_scores(scores, n_train=60, n_test=30)
    >>> report.test
    'corrected resampled t test (Nadeau & Bengio 2003)'

    Results of scikit-learn's ``cross_validate``, of the same splits:

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import ShuffleSplit, cross_validate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> cv = ShuffleSplit(10, test_size=0.3, random_state=0)
    >>> results = {
    ...     name: cross_validate(model, *load_iris(return_X_y=True), cv=cv, return_indices=True)
    ...     for name, model in {
    ...         "NB": GaussianNB(),
    ...         "stump": DecisionTreeClassifier(max_depth=1),
    ...     }.items()
    ... }
    >>> report = compare_scores(results, scoring="accuracy")
    >>> report.verdict, report.sample.n_train[0], report.sample.n_test[0]
    ('A', np.int64(105), np.int64(45))

    Seeds are not paired, unless you say so:

    >>> seeds = {"new": [0.81, 0.83, 0.80, 0.84, 0.82], "old": [0.79, 0.80, 0.78]}
    >>> compare_scores(seeds, unit="seed").test
    "Welch's t test over seeds"
    """
    question = Question.of(alternative, confidence_level, alpha, margin=margin)
    constant = None if constant is None else check_constant(constant)
    if unit is not None and (not isinstance(unit, str) or unit not in UNITS):
        raise ValueError(f"unit={unit!r} is unknown; use one of {', '.join(map(repr, UNITS))}.")
    control = None if control is None else str(control)
    names = _listed(names)
    check_joint(adjustment, control)
    if not isinstance(paired_seeds, bool | np.bool_):
        raise ValueError(f"paired_seeds={paired_seeds!r} must be True or False.")
    units = {"unit": unit, "n_train": n_train, "n_test": n_test, "n_repeats": n_repeats}
    known = {name: value for name, value in units.items() if value is not None}
    known |= {"columns": columns} if columns is not None else {}
    known |= {"paired_seeds": True} if paired_seeds else {}
    if isinstance(scores, _KNOWN_UNITS) and known:
        raise ValueError(
            f"{next(iter(known))} describes bare numbers; a {type(scores).__name__} knows "
            "its units."
        )
    if isinstance(scores, DatasetsRun):
        if constant is not None or names is not None:
            raise ValueError(
                "constant= and names= are for two systems; of a run over data sets take "
                "run.table() or choose a control."
            )
        asked, pairs = _metrics(scores, scoring), PairwiseRequest.of(post_hoc, adjustment)
        return ask_datasets_run(scores, test, pairs, question, control=control, metrics=asked)
    if isinstance(scores, CrossValidationRun):
        metrics = _metrics(scores, scoring)
        _refuse_post_hoc(post_hoc)
        if constant is None:
            several = {"control": control, "adjustment": adjustment, "seed": random_state}
            return _of_run(scores, test, question, several, names=names, metrics=metrics)
        return _run_against_constant(scores, test, question, constant, names, metrics)
    held = read_held(scores, units, scoring=scoring, columns=columns, paired_seeds=paired_seeds)
    if paired_seeds and held.units["unit"] != "seed":
        raise ValueError("paired_seeds=True says how seeds belong together; say unit='seed'.")
    question.check_metrics(held.scores)
    for metric, found in held.scores.items():
        _refuse_errors_as_scores(metric, found)
    reports = {
        metric: _of_scores(
            found,
            test,
            question,
            units=held.units,
            paired_seeds=paired_seeds,
            names=names,
            constant=constant,
            post_hoc=post_hoc,
            control=control,
            adjustment=adjustment,
            random_state=random_state,
            metric=metric,
            design=held.design,
            context=Context(n_unadjusted=len(held.scores)),
        )
        for metric, found in held.scores.items()
    }
    return one_or_per_metric(reports)


def _refuse_errors_as_scores(metric: str, scores: Any) -> None:
    """Refuse scores whose name says that lower is better: the winner would be the loser."""
    if getattr(scores, "higher_is_better", True) and is_error(metric):
        raise ValueError(
            f"scoring={metric!r} names an error, of which lower is better, and higher scores "
            f"count as better: pass the negated errors with scoring='neg_{metric}', or "
            "skstat.stats.ScoreTable(errors, higher_is_better=False)."
        )


def _listed(names: Any) -> tuple[str, ...] | None:
    if names is None:
        return None
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise ValueError(f"names={names!r} must be a list of names, such as names=('a', 'b').")
    return tuple(map(str, names))


_KNOWN_UNITS = (
    CrossValidationRun
    | DatasetsRun
    | PairedScores
    | Scores
    | ScoreTable
    | SeedScores
    | SeedScoreTable
)


def _of_scores(
    scores: Any,
    test: Any,
    question: Question,
    *,
    units: dict[str, Any],
    paired_seeds: bool,
    names: tuple[str, ...] | None,
    constant: float | None,
    post_hoc: Any,
    control: str | None,
    adjustment: str,
    random_state: Any,
    metric: str,
    design: dict[str, Any],
    context: Context,
) -> ComparisonReport | SystemsReport:
    """Compare systems by their scores in one metric."""
    about: dict[str, Any] = {"metric": metric, "context": context}
    if constant is not None:
        return _against_constant(
            scores, test, question, constant, units, names, design=design, **about
        )
    if isinstance(scores, Scores):
        raise ValueError("Scores hold one system; give the constant to compare it with.")
    if _of_seeds(scores, units) and not paired_seeds:
        _refuse_post_hoc(post_hoc)
        sizes = [name for name in ("n_train", "n_test", "n_repeats") if units[name] is not None]
        if sizes:
            raise ValueError(f"{sizes[0]} describes splits, but unit='seed'; drop one of them.")
        about["is_loss"] = is_loss(metric)
        of_seeds = _seed_table(scores, names)
        return ask_seed_scores(
            of_seeds, test, question, adjustment=adjustment, control=control, **about
        )
    table = _table(scores, names, units)
    if table is not None:
        about["is_loss"] = _is_loss(table, metric)
        if table.unit != "dataset":
            _refuse_post_hoc(post_hoc)
            seed, about["design"] = draw_seed(random_state), design
            return _of_table(table, test, question, control, adjustment, seed, **about)
        pairs = PairwiseRequest.of(post_hoc, adjustment)
        if asks_pair(table.names, test, pairs):
            return ask_pair(table, test, question, control, **about)
        return ask_table(table, test, pairs, question, control=control, **about)
    _refuse_post_hoc(post_hoc)
    sample, labels = _pair(scores, names, units, control)
    procedure, choice = choose(test, sample, question)
    return ask_sample(
        procedure,
        sample,
        question,
        names=labels,
        is_loss=is_loss(metric),
        choice=choice,
        options=drawing(procedure, draw_seed(random_state)),
        design=design,
        **about,
    )


def _of_seeds(scores: Any, units: dict[str, Any]) -> bool:
    """Whether scores are one per seed, which nothing is known to pair."""
    if isinstance(scores, PairedScores | ScoreTable):
        return False
    return isinstance(scores, SeedScores | SeedScoreTable) or units["unit"] == "seed"


def _seed_table(scores: Any, names: tuple[str, ...] | None) -> SeedScoreTable:
    if isinstance(scores, SeedScores):
        a, b = names or ("A", "B")
        return SeedScoreTable({a: scores.a, b: scores.b})
    if isinstance(scores, SeedScoreTable):
        columns = dict(scores.scores)
    else:
        columns = columns_of(scores, names)
    if names is not None:
        columns = {name: columns[name] for name in check_names(names, tuple(columns))}
    if len(columns) < 2:
        raise ValueError(_TOO_FEW.format(len(columns)))
    return SeedScoreTable(columns)


def _pair(
    scores: Any, names: tuple[str, ...] | None, units: dict[str, Any], control: str | None
) -> tuple[PairedScores, tuple[str, str]]:
    """Return the sample of two systems, and their labels."""
    if isinstance(scores, PairedScores):
        a, b = names or ("A", "B")
        if pairs_of((a, b), control)[0] != (a, b):
            raise ValueError(
                f"control={control!r} is A of this PairedScores, and the system compared with "
                "is B: make it the other way round, PairedScores(b, a)."
            )
        return scores, (str(a), str(b))
    labels, columns = _two(columns_of(scores, names), names)
    for name, column in zip(labels, columns, strict=True):  # under the caller's names
        numbers(
            f"scores[{name!r}]",
            list(column.values()) if isinstance(column, Mapping) else column,
        )
    ((a, b),) = pairs_of(labels, control)
    ordered = columns if (a, b) == labels else columns[::-1]
    return PairedScores(*ordered, **units), (a, b)


def _table(
    scores: Any, names: tuple[str, ...] | None, units: dict[str, Any]
) -> ScoreTable | None:
    """Scores as a table, unless they are of two systems on one data set."""
    if isinstance(scores, ScoreTable):
        if names is None:
            return scores
        if len(names) < 3:
            raise ValueError("a ScoreTable has names already; take table.pair(a, b).")
        return some_of(scores, check_names(names, scores.names))
    if isinstance(scores, PairedScores | Scores):
        return None
    if units["unit"] != "dataset":
        columns = columns_of(scores, names)
        chosen = tuple(columns) if names is None else check_names(names, tuple(columns))
        if len(chosen) < 3:
            return None
        return ScoreTable({name: columns[name] for name in chosen}, **units)
    if isinstance(scores, Mapping) or hasattr(scores, "columns"):
        return None if names is not None else ScoreTable(scores, unit="dataset")
    columns = columns_of(scores, names)
    if len(columns) < 2 or (names is not None and tuple(columns) != tuple(names)):
        return None
    return ScoreTable(scores, systems=tuple(columns), unit="dataset")


def _is_loss(table: ScoreTable, metric: str) -> bool:
    return is_loss(metric) or not table.higher_is_better


def _refuse_post_hoc(post_hoc: Any) -> None:
    if post_hoc != DEFAULT_POST_HOC:
        raise ValueError(
            f"post_hoc={post_hoc!r} is for several systems over data sets (unit='dataset'); "
            "on one data set test= is asked of every pair, and adjustment= adjusts."
        )


def _of_table(
    table: ScoreTable,
    test: str | Procedure,
    question: Question,
    control: str | None,
    adjustment: str,
    seed: int,
    **about: Any,
) -> ComparisonReport | SystemsReport:
    """Compare systems by a table of one data set's splits, instances or seeds."""
    pairs = pairs_of(table.names, control)
    several = {"control": control is not None, "adjustment": adjustment}
    procedure, choice = choose(test, table, question, **several)
    if len(table.names) == 2:
        return ask_sample(
            procedure,
            table.pair(*pairs[0]),
            question,
            names=pairs[0],
            choice=choice,
            options=drawing(procedure, seed),
            **about,
        )
    return ask_systems(
        table,
        procedure,
        question,
        adjustment=adjustment,
        control=control,
        choice=choice,
        seed=seed,
        **about,
    )


def check_names(names: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """Refuse names that are unknown, repeated or too few."""
    missing = [name for name in names if name not in known]
    if missing or len(set(names)) < len(names) or len(names) < 2:
        raise ValueError(
            f"names={names!r} must be two or more different ones of {list(known)}."
        )
    return tuple(names)


def _of_run(
    run: CrossValidationRun,
    test: str | Procedure,
    question: Question,
    several: dict[str, Any],
    *,
    names: tuple[str, ...] | None,
    metrics: Sequence[str],
) -> ComparisonReport | SystemsReport | MetricsReport:
    chosen = run.names if names is None else check_names(names, run.names)
    if len(chosen) < 2:
        raise ValueError(f"this run holds {list(run.names)} only; there is nothing to compare.")
    labels = pairs_of(chosen, several["control"])[0]
    if len(chosen) > 2:
        seed = run.design.random_state if several["seed"] is None else several["seed"]
        return ask_systems_run(
            run,
            test,
            question,
            names=chosen,
            metrics=metrics,
            **several | {"seed": draw_seed(seed)},
        )
    stable = None if run.unstable & set(labels) else True
    sample = run.sample(*labels, metric=metrics[0])
    procedure, choice = choose(test, sample, question, stable=stable)
    return ask_run(run, procedure, question, names=labels, metrics=metrics, choice=choice)


def _metrics(
    run: CrossValidationRun | DatasetsRun, scoring: str | list[str] | None
) -> Sequence[str]:
    if scoring is None:
        return run.metrics
    return [run.metric(name) for name in ([scoring] if isinstance(scoring, str) else scoring)]


def _run_against_constant(
    run: CrossValidationRun,
    test: str | Procedure,
    question: Question,
    constant: float,
    names: tuple[str, ...] | None,
    metrics: Sequence[str],
) -> ComparisonReport | MetricsReport:
    _check_one_sample(test)
    name = names[0] if names else run.names[0]
    if names is None and len(run.names) > 1:
        raise ValueError(
            f"this run holds {len(run.names)} estimators; say which one to compare with "
            "the constant: names=(name,)."
        )
    context = Context(n_unadjusted=len(metrics))
    choice = None
    if test == "auto":
        choice = recommend(Situation.of_run(run, n_systems=1, constant=constant))
    reports = {
        metric: ask_constant(
            run, question, constant, name=name, metric=metric, context=context, choice=choice
        )
        for metric in metrics
    }
    return one_or_per_metric(reports)


def _check_one_sample(test: str | Procedure) -> None:
    if test not in ("auto", "one_sample_t"):
        raise ValueError(
            f"test={test!r}: scores are compared with a constant by one_sample_t; use "
            "test='auto'."
        )


def _against_constant(
    scores: Any,
    test: str | Procedure,
    question: Question,
    constant: float,
    units: dict[str, Any],
    names: tuple[str, ...] | None,
    metric: str,
    **known: Any,
) -> ComparisonReport:
    _check_one_sample(test)
    if isinstance(scores, Scores):
        sample, label = scores, names[0] if names else "A"
    else:
        columns = columns_of(scores)
        if len(columns) != 1:
            raise ValueError(f"scores holds {len(columns)} systems; with constant= give one.")
        label, values = next(iter(columns.items()))
        sample = Scores(values, **units)
    about: dict[str, Any] = {
        "names": (label, f"constant {constant:g}"),
        "metric": metric,
        "is_loss": is_loss(metric),
        **known,
    }
    if test == "auto":
        about["choice"] = choice = recommend(Situation.of_scores(sample, constant=constant))
        if Successes in sample_types(procedure_of(choice)):
            values = np.asarray(sample.values)
            counted = Successes(int(values.sum()), len(values))
            return ask_sample(stats.binomial, counted, question, constant=constant, **about)
        if sample.unit == "dataset":
            return ask_sample(stats.wilcoxon, sample.against(constant), question, **about)
        if isinstance(sample, FoldScores):
            procedure = procedure_of(choice)
            return ask_sample(procedure, sample, question, constant=constant, **about)
    return ask_sample(stats.one_sample_t, sample, question, constant=constant, **about)


_TOO_FEW = (
    "scores holds {} system(s), and a comparison needs two: give a mapping of name to scores, "
    "or an array with a column for each. One system is compared with constant=."
)


def _two(
    columns: Mapping[str, Any], names: tuple[str, ...] | None
) -> tuple[tuple[str, str], tuple[Any, Any]]:
    if names is not None:
        missing = [name for name in names if name not in columns]
        if missing or len(names) != 2 or names[0] == names[1]:
            raise ValueError(f"names={names!r} must be two of {list(columns)}.")
        a, b = names
    elif len(columns) == 2:
        a, b = columns
    else:
        raise ValueError(_TOO_FEW.format(len(columns)))
    return (a, b), (columns[a], columns[b])
