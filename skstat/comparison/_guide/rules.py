"""The guide: an ordered table of rules by which tests are chosen and recommended."""

from collections.abc import Iterable
from dataclasses import replace

from skstat.comparison._guide import rules_estimators as estimators
from skstat.comparison._guide import rules_groups as groups
from skstat.comparison._guide import rules_predictions as predictions
from skstat.comparison._guide import rules_scores as scores
from skstat.comparison._guide import rules_seeds as seeds
from skstat.comparison._guide import rules_splits as splits
from skstat.comparison._guide.rule import Rule, Words, filled_in, other
from skstat.comparison._guide.situation import Situation
from skstat.comparison._question import Question
from skstat.report import Alternative, Recommendation

_SAME = Rule(
    id="same",
    systems="2 or more",
    data="any",
    situation="are they the same? A margin says what difference would matter",
    test="two one-sided tests of the margin (TOST), from the test of the situation without it",
    report="margin, the interval of both tests",
    applies=lambda s: s.margin is not None,
    inner=lambda s: replace(s, margin=None),
    ask=lambda s: f"margin={s.margin:g}",
    reason=lambda s: (
        f"with the margin, two one-sided tests (the {_percent(s.confidence_level)} interval "
        f"must lie within ±{s.margin:g})"
    ),
    alternatives=(other("equivalence", "of an outcome that you have"),),
    cautions=("The margin must be fixed before the scores are seen.",),
    example="guide_same.py",
)

_PROBABLE = Rule(
    id="probable",
    systems="2 or more",
    data="any",
    situation="how probable is it that one is better, and by more than matters?",
    test="the comparison as probabilities too: by the law of a t test, by the Bayesian "
    "signed-rank or sign test over data sets, by a Dirichlet law of right and wrong answers or "
    "the Bayesian bootstrap on a test set",
    report="the three probabilities, the region, and the credible interval if there is one",
    applies=lambda s: s.rope is not None,
    inner=lambda s: replace(s, rope=None),
    ask=lambda s: f"rope={s.rope:g}",
    reason=lambda s: (
        "with rope, it is read as probabilities too"
        + (f" (differences within ±{s.rope:g} are practically none)" if s.rope else "")
    ),
    alternatives=(
        other("posterior", "of an outcome that you have"),
        other("agreement_posterior", "of counts of right and wrong answers"),
        other("bootstrap_posterior", "of a test set, by any metric"),
        other("bradley_terry", "which of many systems is the best"),
    ),
    cautions=(
        "The region must be fixed before the scores are seen.",
        "Probabilities are not adjusted for several comparisons. Of splits and data sets a "
        "test has them if it compares means by Student's t, or is Wilcoxon's or the sign test; "
        "of independent rows or groups every test has.",
    ),
    example="guide_probable.py",
)
# What is asked of a comparison beside whether there is a difference.
_ASKED_BESIDE = (_PROBABLE, _SAME)

RULES: tuple[Rule, ...] = (
    *_ASKED_BESIDE,
    *scores.DATASETS,
    *estimators.FEW_FITS,
    *splits.SEVERAL,
    *splits.CONSTANT,
    *estimators.PLANNED,
    *splits.GIVEN,
    *predictions.CONSTANT,
    *predictions.SEVERAL,
    *seeds.SEEDS,
    *predictions.TWO,
    *groups.GROUPS,
    *scores.UNITS,
)


def rule_for(situation: Situation) -> Rule:
    """Find the first rule that applies."""
    return next(rule for rule in RULES if rule.applies(situation))


def recommend(situation: Situation) -> Recommendation:
    """Say which test is for a situation, and why, with its numbers filled in."""
    rule = rule_for(situation)
    found = _filled_in(rule, situation)
    if rule.inner is None:
        return found
    inner = recommend(rule.inner(situation))
    if rule in _ASKED_BESIDE:
        return _beside(found, inner)
    ask = _with_argument(inner.ask, "control=name") if situation.control else inner.ask
    return _joined(
        found,
        inner,
        title=f"{inner.title.removesuffix(',')} {found.title}",
        ask=ask,
        reason=f"{found.reason}, and {inner.reason}",
    )


def with_question(
    choice: Recommendation | None, question: Question, metric: str
) -> Recommendation | None:
    """Add to a recommendation what a question asks of one metric: a margin, probabilities."""
    if choice is None or choice.situation in {rule.id for rule in _ASKED_BESIDE}:
        return choice
    known = Situation(
        holds="scores",
        margin=question.margin_of(metric),
        rope=question.rope_of(metric),
        confidence_level=question.confidence_level,
    )
    for rule in reversed(_ASKED_BESIDE):
        if rule.applies(known):
            choice = _beside(_filled_in(rule, known), choice)
    return choice


def _beside(found: Recommendation, inner: Recommendation) -> Recommendation:
    """Give the reason of the test itself first; what is asked beside it adds to it."""
    return _joined(
        found,
        inner,
        title=inner.title,
        ask=_with_argument(inner.ask, found.ask),
        reason=f"{inner.reason}; {found.reason}",
    )


def _percent(confidence_level: float) -> str:
    """Level of the interval that both one-sided tests lie in."""
    return f"{round(100 * (2 * confidence_level - 1), 6):g}%"


def _filled_in(rule: Rule, situation: Situation) -> Recommendation:
    in_use = f"adjustment={situation.adjustment!r}"
    return Recommendation(
        name=rule.name,
        title=filled_in(rule.title, situation),
        ask=filled_in(rule.ask, situation),
        reason=filled_in(rule.reason, situation),
        alternatives=tuple(
            _for_holder(o, situation) for o in rule.alternatives if in_use not in o.when
        ),
        needs=_sentences(rule.needs, situation),
        cautions=_sentences(rule.cautions, situation),
        situation=rule.id,
        design=rule.design(situation)
        if rule.design is not None and situation.planned
        else None,
    )


def _for_holder(alternative: Alternative, situation: Situation) -> Alternative:
    """Name the door that takes what the caller holds."""
    if situation.holds == "scores" and "adjustment=" in alternative.when:
        return replace(alternative, name="compare_scores")
    return alternative


def _joined(outer: Recommendation, inner: Recommendation, **changes: str) -> Recommendation:
    """Run what the inner one names, and say what both say."""
    added = replace(
        outer,
        name=inner.name,
        alternatives=outer.alternatives + inner.alternatives,
        needs=outer.needs + inner.needs,
        cautions=outer.cautions + inner.cautions,
        design=inner.design,
    )
    return replace(added, **changes)  # type: ignore[arg-type]


def _with_argument(call: str, argument: str) -> str:
    """Write one argument more at the end of a call, or of each of several."""
    return " or ".join(f"{c.removesuffix(')')}, {argument})" for c in call.split(" or "))


def _sentences(words: Iterable[Words], situation: Situation) -> tuple[str, ...]:
    found = (filled_in(sentence, situation) for sentence in words)
    return tuple(sentence for sentence in found if sentence)
