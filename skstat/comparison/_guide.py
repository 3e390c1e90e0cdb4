"""Choice of the test and of the splits, and the reasons for it."""

import math
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from skstat import stats
from skstat.comparison import _question as questions
from skstat.comparison import _rules as table
from skstat.comparison._question import Question
from skstat.comparison._situation import FEWEST_AT_NINE_TENTHS, FEWEST_FITS, Situation
from skstat.evaluation import Design
from skstat.evaluation import _splitters as splitters
from skstat.evaluation._data import routed_groups
from skstat.evaluation._learners import is_known_stable
from skstat.evaluation._plan import Fits, formulas_of
from skstat.evaluation._scoring import metric_sources
from skstat.report import Alternative, Recommendation
from skstat.report._terms import adjustment_name
from skstat.stats._procedure import AlternativeError, declared
from skstat.stats._scores import check_count

Chosen = tuple[questions.Procedure, Situation | None]  # None if the caller chose the test

# Short names of tests on one test set.
_SHORT = {"permutation": "paired_permutation", "bootstrap": "paired_bootstrap"}
# Words that are explained whatever the rule, if they are true of the situation.
_OF_ROWS = ("grouped", "ordered", "weighted")
_OF_NUMBERS = ("few-datasets", "too-few-for-t", "hardly-any-groups", "few-seeds")


def rule_for(s: Situation) -> table.Rule:
    """Return the first rule whose conditions are all true of a situation."""
    facts = s.words
    for rule in table.TABLE[s.data, min(s.n_systems, 3)]:
        if facts.issuperset(rule.when):
            break
    return rule


def _test_for(s: Situation) -> str:
    """Return the name of the test; for several systems compared in pairs, the test of two."""
    tests = rule_for(s).tests
    return tests[0] if tests else _test_for(_as_pair(s))


def procedure_for(s: Situation) -> questions.Procedure:
    """Return the function of `skstat.stats` for a situation."""
    return questions.named(_test_for(s))


def _as_pair(s: Situation) -> Situation:
    """Return the situation with two systems."""
    return replace(s, n_systems=2, margin=None, rope=None)


def recommend(s: Situation) -> Recommendation:
    """Return the test for a situation, with the reasons and alternatives."""
    rule = rule_for(s)
    if not rule.tests:
        return with_margin_and_rope(_of_every_pair(rule, s), s)
    name = rule.tests[0]
    reasons, needs, cautions = explain(rule, s)
    if because := declared(questions.named(name)).because:
        reasons.append(because)
    *first, last = reasons
    recommendation = Recommendation(
        name=name,
        title=title_of(rule, s),
        ask=call_for(rule, s),
        reason=f"{', '.join(first)}, and {last}" if first else last,
        situation=rule.id,
        alternatives=alternatives(rule, s),
        needs=tuple(needs),
        cautions=tuple(cautions),
        design=table.design_for(s, name),
    )
    return with_margin_and_rope(recommendation, s)


def explain(rule: table.Rule, s: Situation) -> list[list[str]]:
    """Return texts of reasons, needs and cautions, for the rule and the words that are true."""
    of_rows = _OF_ROWS if s.n_systems > 1 and s.data in ("test set", "seeds", "units") else ()
    of_rule, facts = (*rule.when, rule.id), s.words
    columns: list[list[str]] = [[], [], []]
    for word in dict.fromkeys((*of_rows, *of_rule, *_OF_NUMBERS)):
        if word in facts or word in of_rule:
            for column, text in zip(columns, table.TEXTS.get(word, ()), strict=False):
                if text and (filled := table.filled_in(text, s)):
                    column.append(filled)
    return columns


def _of_every_pair(rule: table.Rule, s: Situation) -> Recommendation:
    """Return the recommendation of a test of two systems for every pair."""
    pair_choice = recommend(_as_pair(s))
    reason = "every pair is compared by its own scores"
    if _jointly(s):
        reason = "one joint distribution of all differences gives their p-values and intervals"
    return replace(
        pair_choice,
        title=f"{pair_choice.title} {_for_pairs(s)}",
        ask=_with_arguments(pair_choice.ask, {"control=name": s.control}),
        reason=f"{reason}, and {pair_choice.reason}",
        situation=rule.id,
        alternatives=alternatives(rule, s) + pair_choice.alternatives,
    )


def with_margin_and_rope(recommendation: Recommendation, s: Situation) -> Recommendation:
    """Add the tests of a margin and the probabilities by a rope, if asked for."""
    for argument, rule in table.ADDITIONAL.items():
        value = getattr(s, argument)
        if value is not None:
            reason, _, caution = (table.filled_in(words, s) for words in table.TEXTS[argument])
            recommendation = replace(
                recommendation,
                ask=_with_arguments(recommendation.ask, {f"{argument}={value:g}": True}),
                reason=f"{recommendation.reason}; {reason}",
                situation=rule.id,
                alternatives=alternatives(rule, s) + recommendation.alternatives,
                cautions=(caution, *recommendation.cautions),
            )
    return recommendation


def title_of(rule: table.Rule, s: Situation) -> str:
    """Return the title of the test of a rule, with the adjustment for several systems."""
    if rule.title:
        return rule.title
    title = ", then ".join([declared(questions.named(test)).title for test in rule.tests])
    return f"{title} {_for_pairs(s)}," if s.n_systems > 2 else title


def _for_pairs(s: Situation) -> str:
    """Return words for the pairs that are compared, and the adjustment."""
    pairs = "every system with the control" if s.control else "every pair"
    by_holm = s.adjustment in ("auto", "max-t") and not _jointly(s)
    return f"of {pairs}, adjusted by {adjustment_name('holm' if by_holm else s.adjustment)}"


def _jointly(s: Situation) -> bool:
    """Whether p-values of pairs are adjusted by their joint distribution."""
    separate = s.data in ("seeds", "data sets") or (s.unit == "seed" and not s.paired_seeds)
    return s.adjustment in ("auto", "max-t") and not separate


def alternatives(rule: table.Rule, s: Situation) -> tuple[Alternative, ...]:
    """Return other tests, and when to use them: as the rule says, or else as they declare."""
    others, function = [], s.door or f"compare_{s.holds}"
    for other in filter(None, rule.others.split("; ")):
        name, _, when = other.partition(": ")
        if other == "holm":
            name, when = function, "adjustment='holm': every pair by its own distribution"
        elif name == "compare_scores":
            name = s.door or name
        if other != s.adjustment:
            when = when or declared(questions.named(name)).when
            others.append(Alternative(name=name, when=when))
    return tuple(others)


def call_for(rule: table.Rule, s: Situation) -> str:
    """Return the code of the call, with the arguments for the situation."""
    several = s.n_systems > 1
    call = rule.call or table.CALLS[s.data, min(s.n_systems, 2)]
    call = call.replace("unit=unit", f"unit={s.unit!r}")
    if s.nine_tenths and rule.tests == ("projection_t",):
        call = call.replace(")", ", train_size=0.9)", 1)
    seeds, to_fit = s.data == "seeds", s.data == "estimators" and several
    of_rows = several and (s.data in ("test set", "seeds") or s.unit == "instance")
    pairs_seeds = several and s.paired_seeds and (seeds or s.unit == "seed")
    arguments = (
        {}
        if rule.call
        else {
            "scoring=scoring": to_fit and not s.by_rows,
            f"budget={s.budget}": to_fit and s.budget is not None,
            f"seeds={s.seeds!r}": seeds,
            "paired_seeds=True": pairs_seeds or (seeds and rule.tests == ("paired_t",)),
            "group=groups" if s.data == "units" else "groups=groups": of_rows and s.grouped,
            "order=time": s.data == "test set" and s.ordered,
        }
    )
    return _with_arguments(call, arguments | {"control=name": s.control and s.n_systems > 2})


def _with_arguments(call: str, included: Mapping[str, bool]) -> str:
    """Return a call, or several calls, with the arguments that are true added at the end."""
    added = "".join(f", {argument}" for argument, is_added in included.items() if is_added)
    return call.replace(") or ", f"{added}) or ").removesuffix(")") + f"{added})"


def choose(test: Any, sample: Any, question: Question, **facts: Any) -> Chosen:
    """Return the procedure, and the situation it is for; None if the caller chose the test.

    For several systems on a test set, a test by name is the test of the pairs.
    """
    if test != "auto" and isinstance(sample, stats.Predictions):
        return _named_for_test_set(test), None
    if test != "auto":
        refuse_model_of_splits(test)
        unpaired = isinstance(sample, stats.SeedScores)
        return questions.procedure_named(test, *([stats.SeedScores] if unpaired else [])), None
    situation = Situation.of(sample, **question.facts | facts)
    return procedure_for(situation), situation


def _named_for_test_set(test: str | questions.Procedure) -> questions.Procedure:
    tests = questions.procedures_by_name(*questions.SAMPLES)
    for name, function in list(tests.items()):
        units = declared(function).units or ("instance",)
        if declared(function).needs == "n_items" or not {"instance", "group"} & {*units}:
            del tests[name]
    tests |= {short: tests[name] for short, name in _SHORT.items()}
    return questions.procedure_named(test, known=tests, why="is not a test for one test set")


def refuse_model_of_splits(test: Any) -> None:
    """Refuse a model of many data sets for scores of one data set, or for means of each."""
    if questions.models_systems(test):
        raise ValueError(
            f"test={questions.procedure_name(test)!r} is a model of three systems or more "
            "over many data sets (unit='dataset')."
        )
    if questions.models_splits(test):
        raise ValueError(
            f"test={questions.procedure_name(test)!r} is a model of the scores on every "
            "split of many data sets: compare two estimators by compare_over_datasets, or pass "
            "compare_scores a run of cross_validate_over_datasets."
        )


_MOST_SPLITS = 100


@dataclass(frozen=True, kw_only=True)
class SplitPlan:
    """Test and splits of a comparison of estimators, before there are scores.

    `cv` is the splitter. With `given` it is fixed by the caller or by the test, and the test is
    chosen by it. `halves` splits the rows to estimate the variance of scores on folds that have
    no variance estimate of their own.
    """

    question: Question
    situation: Situation
    cv: Any
    given: bool
    halves: Any

    @classmethod
    def of(
        cls,
        fits: Fits,
        question: Question,
        *,
        scoring: Any,
        cv: Any,
        budget: int | None = None,
        train_size: float | None = None,
    ) -> Self:
        """Choose splits for the test and the budget, unless the caller gave them."""
        nine_tenths = check_budget(budget, train_size, cv)
        named, test = fits.named, question.test
        seed: Any = question.seed
        is_auto = test == "auto"
        needs = "rows" if is_auto else declared(questions.procedure_named(test)).needs
        by_rows, by_blocks = needs == "rows", needs == "n_blocks"
        if nine_tenths and not by_rows:
            raise ValueError(
                f"train_size={train_size} is for test='projection_t', the only one whose "
                f"variance is known there: leave one of train_size and test={test!r} out."
            )
        if budget is not None and (by_blocks or cv is not None):
            what = f"test={test!r} makes its own" if by_blocks else "cv= gives them"
            raise ValueError(f"budget={budget} chooses the splits, and {what}: leave one out.")
        # This calls scorers of the caller's, so that it is done only if needed.
        rows_known = by_rows and None not in formulas_of(named, scoring, fits.y).values()
        if not rows_known and by_rows and (nine_tenths or not is_auto):
            name, fixed = ("train_size", train_size) if nine_tenths else ("test", test)
            raise ValueError(
                f"{name}={fixed!r} needs to know what every row contributes to the metric, "
                f"which is not known for scoring={scoring!r}. Leave {name} out, and a test is "
                "chosen that needs the scores alone."
            )
        situation = Situation(
            holds="estimators",
            n_systems=len(named),
            grouped=routed_groups(fits.groups, fits.params) is not None,
            stable=True if all(map(is_known_stable, named.values())) else None,
            budget=budget,
            nine_tenths=nine_tenths,
            by_rows=rows_known,
            **question.facts,
        )
        fixed, halves = cv is not None or by_blocks, None
        if cv is not None:
            halves = splitters.repeated_halves(fits.data, seed) if nine_tenths else None
        else:
            name = _test_for(situation)
            design = table.design_for(situation, name)
            if design is None:
                choice = recommend(situation)
                raise ValueError(
                    f"budget={budget}: {choice.reason}. Fit each once, and compare the "
                    f"predictions for one test set: {choice.ask}. {choice.cautions[0]} Or "
                    f"afford {FEWEST_FITS} fits."
                )
            data = fits.data
            if by_blocks or (by_rows and "n_blocks" in design):
                cv = splitters.blocks_for(data, seed, most=design["n_blocks"])
            elif not by_rows or name == "corrected_t":
                n = min(budget or 30, _MOST_SPLITS)
                cv = splitters.random_splits(data, seed, n_splits=n)
            else:
                cv = splitters.repeated_halves(data, seed, n_repeats=design["n_halvings"])
                if n_folds := design.get("n_folds"):
                    halves, cv = cv, splitters.repeated_folds(data, seed, n_folds=n_folds)
        return cls(question=question, situation=situation, cv=cv, given=fixed, halves=halves)

    def choose(self, design: Design, *, rows_known: bool = True) -> Chosen:
        """Return the procedure for the splits, and the situation; None if the caller chose it.

        With `rows_known` False, scoring has shown that the contributions of rows to some metric
        are not known.
        """
        if self.question.test != "auto":
            return questions.procedure_named(self.question.test), None
        situation = self.situation
        if self.given or (situation.by_rows and not rows_known):
            facts = self.question.facts | {"stable": situation.stable}
            facts["by_rows"] = situation.by_rows and rows_known
            situation = Situation.of_design(design, n_systems=situation.n_systems, **facts)
        return procedure_for(situation), situation

    def check(self, design: Design) -> None:
        """Refuse, before any fit, a design that does not suit the test or the adjustment."""
        (procedure, _), question = self.choose(design), self.question
        facts = declared(procedure)
        if facts.side_effects:
            design.units()  # refuses splits of several kinds
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", stats.DependenceWarning)
            try:
                with_rows = questions.reads_rows(procedure)
                if with_rows and design.folds is None:
                    raise ValueError(
                        f"{questions.procedure_name(procedure)} needs repeated partitions of "
                        "the rows, in which each row is tested once per repetition and else "
                        "trained on."
                    )
                sample = design.null_table(with_rows=with_rows).pair("A", "B")
                outcome = procedure(sample, alternative=question.alternative)
                question.check_posterior(outcome)
            except AlternativeError:
                raise
            except ValueError as error:
                why = " ".join(filter(None, (str(error), facts.suited_splits)))
                message = f"cv={design.splitter} does not suit the test: {why}"
                raise ValueError(message) from None
            several = self.situation.n_systems > 2
            if several and question.adjustment == "max-t" and not with_rows:
                # A sample in which the mean differs from estimates by ranks or signs.
                scores = np.random.default_rng(0).exponential(size=(2, *design.n_scored.shape))
                sample = design.table(np.moveaxis(scores**2, 0, -1), ("A", "B")).pair("A", "B")
                outcome = procedure(sample, alternative=question.alternative)
                if not math.isclose(outcome.estimate, sample.differences.mean()):
                    raise ValueError(
                        "adjustment='max-t' compares mean differences, and the "
                        f"{outcome.test} estimates something else; use adjustment='holm'."
                    )


def check_budget(budget: Any, train_size: Any, cv: Any) -> bool:
    """Return whether training is on nine tenths of the rows; refuse too small a budget."""
    nine_tenths = splitters.check_train_size(train_size, cv=cv)
    n_fits = math.inf if budget is None else check_count("budget", budget)
    if nine_tenths and n_fits < FEWEST_AT_NINE_TENTHS:
        raise ValueError(
            f"budget={budget}: train_size=0.9 needs {FEWEST_AT_NINE_TENTHS} fits at least, "
            f"{splitters.FITS_OF_FOLDS} on folds and "
            f"{FEWEST_AT_NINE_TENTHS - splitters.FITS_OF_FOLDS} on halves. "
            "Leave train_size out, for training on half of the rows."
        )
    return nine_tenths


def on_own_splits(
    named: Mapping[str, Any], scoring: Any, y: Any, ask: Callable[..., Any], *, apart: bool
) -> Any:
    """Compare by metrics with known contributions of rows, and separately by the others.

    The two kinds need different splits. The report by a metric is the same as without the other
    metrics, except for notes on several metrics.

    Parameters
    ----------
    named : mapping of str to estimator
        The estimators.
    scoring : str, callable, list, tuple or dict
        The metrics.
    y : array-like of shape (n_rows,) or None
        Truth of all rows.
    ask : callable
        Function of some metrics, and of the names of all if there are others, to the report.
    apart : bool
        Whether splits may differ: the caller chose neither splits nor test.
    """
    sources, parts = metric_sources(named, scoring), (dict[str, Any](), dict[str, Any]())
    for metric, formula in formulas_of(named, scoring, y).items() if apart else ():
        parts[formula is None][metric] = sources[metric]
    if not all(parts):
        return ask(scoring, ())
    reports: dict[str, Any] = {}
    for part in parts:
        report = ask(part, tuple(sources))
        reports |= report if isinstance(report, Mapping) else {next(iter(part)): report}
    return {metric: reports[metric] for metric in sources}
