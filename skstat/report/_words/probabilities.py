"""What is probable of two systems, and which of several is the best, in words."""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from skstat._names import shown_name
from skstat.report._model import Pair, Report
from skstat.report._words.metric import good, good_best
from skstat.report._words.numbers import drawn_text, probability_text, short
from skstat.report._words.terms import join_items
from skstat.stats import Posterior, WinChances
from skstat.stats._outcomes import unit_word

# What everybody asks for, unless they say otherwise.
PROBABLE = 0.95
_WORTH_NAMING = 0.01  # less is said of all together
_MOST_TOLD = 3


def probabilities_of(posterior: Posterior, confidence_level: float) -> dict[str, Any]:
    """Return what a posterior says as plain values, for dictionaries and rows."""
    errors, expected, bounds = (
        posterior.monte_carlo_errors,
        posterior.expected,
        posterior.bounds,
    )
    names = ("rope", "another", "subject", "lead", "caveat")
    return {
        **{name: getattr(posterior, name) for name in names},
        **model_of(posterior),
        **posterior.probabilities._asdict(),
        "monte_carlo_errors": None if errors is None else errors._asdict(),
        "expected": None if expected is None else expected._asdict(),
        "bounds": None if bounds is None else [end._asdict() for end in bounds],
        "drawn": posterior.how_drawn,
        "confidence_level": confidence_level,
        "interval": posterior._limits(confidence_level),
    }


def model_of(posterior: Posterior) -> dict[str, Any]:
    """Return what the probabilities of all pairs have in common."""
    return {"model": posterior.model, "where": posterior.where, "n_drawn": posterior.n_drawn}


def probability_texts(found: Mapping[str, Any]) -> dict[str, str]:
    """Write each of the three probabilities, as `probabilities_of` returned them."""
    errors = found["monte_carlo_errors"] or {}
    return {
        name: probability_text(found[name], errors.get(name), found["n_drawn"])
        for name in ("better", "same", "worse")
    }


def _claims(r: Report, p: Pair, *, than: bool = False) -> dict[str, str]:
    """Say what may be true of two systems, by the names of the probabilities."""
    found, a, b = r.probabilities, shown_name(p.first), shown_name(p.second)
    assert found is not None
    beyond = f" by more than {short(found['rope'])}" if found["rope"] else ""
    over_a, over_b, both = (
        (f" than {a}", f" than {b}", f"{a} and {b}") if than else ("", "", "they")
    )
    same = {"same": f"{both} are practically the same"} if found["rope"] else {}
    return {
        "better": f"{a} is {good(r)}{over_b}{beyond}",
        **same,
        "worse": f"{b} is {good(r)}{over_a}{beyond}",
    }


def where_text(found: Mapping[str, Any], unit: str) -> str:
    """Say where the probabilities hold, once for all of them; empty if they do as they are."""
    return str(found["where"].format(unit=unit_word(unit)))


def _lead(r: Report, kept: Sequence[str]) -> str:
    """Begin a sentence on probabilities, with what must be kept in mind of them."""
    found = r.probabilities
    assert found is not None
    where = where_text(found, r.unit)
    return f"{found['lead']} ({', '.join(kept)}){', ' * bool(where)}{where}"


def _expected(r: Report) -> str:
    """Write how often each of the three is expected on another unit; empty without that."""
    found = r.probabilities or {}
    expected = found["expected"]
    if expected is None:
        return ""
    names = ["better", *["same"] * bool(found["rope"]), "worse"]
    *first, last = [probability_text(expected[name], 0.01) for name in names]
    values = f"{', '.join(first)} and {last}"
    said = found["another"].format(unit=unit_word(r.unit), values=values)
    return f" {said[0].upper()}{said[1:]}."


def bounds_text(found: Mapping[str, Any], a: str, b: str, better: str = "better") -> str:
    """Write between which ends the probabilities lie, wherever the prior is put."""
    if found["bounds"] is None:
        return ""
    low, high = found["bounds"]
    named = {"better": f"{a} {better}", "same": "the same", "worse": f"{b} {better}"}
    ends = (
        f"{claim} {low[name]:.2f} to {high[name]:.2f}"
        for name, claim in named.items()
        if name != "same" or found["rope"]
    )
    return f"wherever the prior is put, {', '.join(ends)}"


def draws_text(found: Mapping[str, Any]) -> str:
    """Write how many draws there are, and what they are worth; empty without any."""
    errors = found["monte_carlo_errors"]
    if errors is None:
        return ""
    said = f"{found['n_drawn']} draws{found['drawn']}"
    return f"{said}, Monte Carlo error {max(errors.values()):.1g}"


def probability_sentence(r: Report, p: Pair) -> str:
    """Say after the conclusion what it comes to as probabilities: not as a second finding."""
    found = r.probabilities
    assert found is not None
    if isnan(p.p_better):
        return "Nor are there probabilities: nothing varies to test the difference against."
    kept = [found["caveat"]]
    kept += ["not adjusted for other comparisons"] * bool(r.adjustment)
    kept += ["as little valid"] * bool(r.invalid)
    shown = probability_texts(found)
    three = ", ".join(f"{shown[name]} that {said}" for name, said in _claims(r, p).items())
    # Which of the three comes most often says little beside how often each is expected.
    return f"{_lead(r, kept)}: {three}.{_expected(r)}"


def probable_pairs(r: Report) -> str:
    """Say which pairs of several systems have probabilities that most people ask for."""
    found = r.probabilities
    assert found is not None
    claims = [
        (share, said)
        for p in r.pairs
        for name, said in _claims(r, p, than=True).items()
        if (share := getattr(p, f"p_{name}")) >= PROBABLE
    ]
    claims.sort(key=lambda claim: -claim[0])
    lead = _lead(r, [found["caveat"], "not adjusted for the number of pairs"])
    if not claims:
        return f"{lead}: no pair has {PROBABLE:g} or more for anything."
    told = [
        f"{drawn_text(share, found['n_drawn'])} that {claim}"
        for share, claim in claims[:_MOST_TOLD]
    ]
    more = len(claims) - len(told)
    rest = f"; {more} more of {PROBABLE:g} or above are in to_frame()" if more else ""
    return f"{lead}: {join_items(told)}{rest}."


def probable_best(r: Report) -> str:
    """Say which systems are the best with what probability, by one model of all of them."""
    if r.strengths is None:
        shares = {one.name: one.probability_best for one in r.systems}
        return f"Taking all systems together: {_best(r, shares, r.best_draws)}."
    of = "scores" if r.strengths.shares is not None else "comparisons"
    side = r.strengths.side
    preferred = ""
    if side is not None:
        preferred = (
            " The one that is shown first is preferred to an equal one with the chance "
            f"{side.mean:.2f} (90% interval {side.low:.2f} to {side.high:.2f}), which is "
            "allowed for."
        )
    return (
        f"By a Bradley-Terry model of all systems (of the same {of} as the p-values): "
        f"{best_chances(r, r.strengths.model)}.{preferred}"
    )


def best_chances(r: Report, found: WinChances) -> str:
    """Write the probabilities of those that may be the best, and of the others together."""
    return _best(r, found.best_probabilities, int(found.effective_size))


def _best(r: Report, shares: Mapping[str, float], n_drawn: int) -> str:
    ordered = sorted(shares.items(), key=lambda one: -one[1])
    named = [one for one in ordered[:_MOST_TOLD] if one[1] >= _WORTH_NAMING] or ordered[:1]
    bits = [f"{drawn_text(share, n_drawn)} that {shown_name(name)} is" for name, share in named]
    bits[0] += f" the {good_best(r)}"
    n_others = len(ordered) - len(named)
    if n_others:
        rest = max(0.0, 1 - sum(share for _, share in named))
        other = "another one" if n_others > 1 else shown_name(ordered[-1][0])
        bits.append(f"{drawn_text(rest, n_drawn)} that {other} is")
    return ", ".join(bits)
