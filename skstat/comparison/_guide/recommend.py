"""The choice: the first rule that fits a situation, and what is said of it."""

from dataclasses import replace

from skstat import stats
from skstat.comparison._guide.reasons import SAID, Said, filled_in
from skstat.comparison._guide.situation import Situation
from skstat.comparison._guide.splits import design_for
from skstat.comparison._guide.table import BESIDE, BY_HOLM, CALLS, TABLE, Rule
from skstat.comparison._question import Question
from skstat.report import Alternative, Recommendation
from skstat.report._words import adjustment_name
from skstat.stats._common import declared

_DOORS = {
    "estimators": "compare_estimators",
    "predictions": "compare_predictions",
    "scores": "compare_scores",
}
# What is said of rows, or of their number, whatever the rule.
_OF_ROWS = ("grouped", "ordered", "weighted")
_OF_NUMBERS = ("few-datasets", "too-few-for-t", "hardly-any-groups", "few-seeds")


def recommend(situation: Situation) -> Recommendation:
    """Say which test is for a situation, and why, with its numbers filled in."""
    facts = situation.facts
    rules = TABLE[situation.data, min(situation.n_systems, 3)]
    rule = next(rule for rule in rules if facts.issuperset(rule.when.split()))
    found = _by_rule(rule, situation) if rule.name else _of_every_pair(rule, situation)
    return _with_beside(found, situation)


def with_question(
    choice: Recommendation | None, question: Question, metric: str
) -> Recommendation | None:
    """Add to a recommendation what a question asks of one metric: a margin, probabilities."""
    if choice is None or choice.situation in {rule.id for rule in BESIDE.values()}:
        return choice
    asked = Situation(
        holds="scores",
        margin=question.margin_of(metric),
        rope=question.rope_of(metric),
        confidence_level=question.confidence_level,
    )
    return _with_beside(choice, asked)


def said_of(rule: Rule, s: Situation) -> list[Said]:
    """Return what the conditions of a rule say, and the rule itself."""
    words = [*rule.when.split(), rule.id]
    if s.data in ("test set", "seeds", "units") and s.n_systems > 1:
        words = [word for word in _OF_ROWS if word in s.facts] + words
    return [SAID[word] for word in dict.fromkeys(words) if word in SAID]


def _by_rule(rule: Rule, s: Situation) -> Recommendation:
    """Recommend the test of a rule."""
    said = said_of(rule, s)
    reasons = [filled_in(one.reason, s) for one in said]
    if hasattr(stats, rule.name):
        reasons.append(declared(getattr(stats, rule.name)).because)
    facts = s.facts.difference(rule.when.split())
    said += [SAID[word] for word in _OF_NUMBERS if word in facts]
    return Recommendation(
        name=rule.name,
        title=title_of(rule, s),
        ask=call_for(rule, s),
        reason=_listed([reason for reason in reasons if reason]),
        situation=rule.id,
        alternatives=alternatives(rule, s),
        needs=tuple(need for one in said if (need := filled_in(one.need, s))),
        cautions=tuple(text for one in said if (text := filled_in(one.caution, s))),
        design=design_for(s, rule.name),
    )


def _listed(clauses: list[str]) -> str:
    """Write clauses as one sentence."""
    *first, last = clauses
    return f"{', '.join(first)}, and {last}" if first else last


def _of_every_pair(rule: Rule, s: Situation) -> Recommendation:
    """Recommend the test of two systems for every pair."""
    found = recommend(replace(s, n_systems=2, margin=None, rope=None))
    reason = "every pair is compared by its own scores"
    if s.jointly and "joint" in s.facts and not _alone(s):
        reason = "one joint distribution of all differences gives their p-values and intervals"
    return replace(
        found,
        title=f"{found.title} {_for_pairs(s)}",
        ask=_with_argument(found.ask, "control=name") if s.control else found.ask,
        reason=f"{reason}, and {found.reason}",
        situation=rule.id,
        alternatives=alternatives(rule, s) + found.alternatives,
    )


def _with_beside(found: Recommendation, s: Situation) -> Recommendation:
    """Add what is asked beside whether there is a difference."""
    for argument, rule in BESIDE.items():
        value = getattr(s, argument)
        if value is None:
            continue
        said = SAID[argument]
        found = replace(
            found,
            ask=_with_argument(found.ask, f"{argument}={value:g}"),
            reason=f"{found.reason}; {filled_in(said.reason, s)}",
            situation=rule.id,
            alternatives=alternatives(rule, s) + found.alternatives,
            cautions=(filled_in(said.caution, s), *found.cautions),
        )
    return found


def title_of(rule: Rule, s: Situation) -> str:
    """Name the test of a rule; of several systems that of the pairs, and the adjustment."""
    if rule.title:
        return rule.title
    tests = [getattr(stats, name) for name in (rule.name, rule.then) if name]
    title = ", then ".join(declared(found).title for found in tests)
    return f"{title} {_for_pairs(s)}," if s.n_systems > 2 else title


def _for_pairs(s: Situation) -> str:
    """Say that a test of two systems is that of several pairs."""
    pairs = "every system with the control" if s.control else "every pair"
    adjustment = "holm" if s.jointly and _alone(s) else s.adjustment
    return f"of {pairs}, adjusted by {adjustment_name(adjustment)}"


def _alone(s: Situation) -> bool:
    """Whether pairs have no joint distribution."""
    return s.data in ("seeds", "data sets") or (s.unit == "seed" and not s.paired_seeds)


def alternatives(rule: Rule, s: Situation) -> tuple[Alternative, ...]:
    """Name other tests, with when to take them: what they declare, if the rule says nothing."""
    found = []
    for other in rule.others.split("; ") if rule.others else ():
        if other == BY_HOLM:
            if s.adjustment != "holm":
                found.append(Alternative(name=_DOORS[s.holds], when=BY_HOLM))
            continue
        name, _, when = other.partition(": ")
        found.append(Alternative(name=name, when=when or declared(getattr(stats, name)).when))
    return tuple(found)


def call_for(rule: Rule, s: Situation) -> str:
    """Write the call that asks, with the arguments that the situation takes."""
    call = CALLS.get(rule.id)
    if call is None:
        call = CALLS[s.data, min(s.n_systems, 2)].replace("unit=unit", f"unit={s.unit!r}")
        seeds, to_fit = s.data == "seeds", s.data == "estimators" and s.n_systems > 1
        of_rows = s.n_systems > 1 and (s.data in ("test set", "seeds") or s.unit == "instance")
        pairs_seeds = s.n_systems > 1 and s.paired_seeds and (seeds or s.unit == "seed")
        arguments = {
            "scoring=scoring": to_fit and not s.by_rows,
            "train_size=0.9": to_fit and s.nine_tenths,
            f"budget={s.budget}": to_fit and s.budget is not None,
            f"seeds={s.seeds!r}": seeds,
            "paired_seeds=True": pairs_seeds or (seeds and rule.name == "paired_t"),
            "group=groups" if s.data == "units" else "groups=groups": of_rows and s.grouped,
            "order=time": s.data == "test set" and s.ordered,
        }
        for argument, is_taken in arguments.items():
            call = _with_argument(call, argument) if is_taken else call
    return _with_argument(call, "control=name") if s.control and s.n_systems > 2 else call


def _with_argument(call: str, argument: str) -> str:
    """Write one argument more at the end of a call, or of each of several."""
    return " or ".join(f"{c.removesuffix(')')}, {argument})" for c in call.split(" or "))
