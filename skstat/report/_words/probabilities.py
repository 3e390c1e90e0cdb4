"""What is probable of two systems, and which of several is the best, in words."""

from collections.abc import Mapping
from math import isnan
from typing import Any

from skstat._names import shown_name
from skstat.report._model import Pair, Report
from skstat.report._words.terms import good, good_best, join_items, probability_text, short
from skstat.stats import Posterior
from skstat.stats._outcomes import unit_word

# What everybody asks for, unless they say otherwise.
PROBABLE = 0.95
_WORTH_NAMING = 0.01  # less is said of all together
_MOST_TOLD = 3
_OF_ALL = ("rope", "where", "lead", "caveat", "model", "n_drawn")  # of all pairs the same


def probabilities_of(
    posterior: Posterior, confidence_level: float | None = None
) -> dict[str, Any]:
    """Return what a posterior says as plain values, for dictionaries and rows.

    Parameters
    ----------
    posterior : Posterior
        That of the pair.
    confidence_level : float, optional
        Level of its interval; default only what those of all pairs have in common.
    """
    found = {name: getattr(posterior, name) for name in _OF_ALL}
    if confidence_level is None:
        return found
    errors, expected, bounds = (
        posterior.monte_carlo_errors,
        posterior.expected,
        posterior.bounds,
    )
    return {
        **found,
        **posterior.probabilities._asdict(),
        "another": posterior.another,
        "subject": posterior.subject,
        "monte_carlo_errors": None if errors is None else errors._asdict(),
        "expected": None if expected is None else expected._asdict(),
        "bounds": None if bounds is None else [end._asdict() for end in bounds],
        "drawn": posterior.how_drawn,
        "confidence_level": confidence_level,
        "interval": posterior._limits(confidence_level),
    }


def probability_texts(found: Mapping[str, Any]) -> dict[str, str]:
    """Write each of the three probabilities, as `probabilities_of` returned them."""
    errors = found["monte_carlo_errors"] or {}
    return {
        name: probability_text(found[name], found["n_drawn"], errors.get(name))
        for name in ("better", "same", "worse")
    }


def _claims(r: Report, p: Pair, *, than: bool = False) -> dict[str, str]:
    """Say what may be true of two systems, by the names of the probabilities."""
    rope, a, b = _found(r)["rope"], shown_name(p.first), shown_name(p.second)
    beyond = f" by more than {short(rope)}" if rope else ""
    claims = {
        "better": f"{a} is {good(r)}{f' than {b}' * than}{beyond}",
        "same": f"{f'{a} and {b}' if than else 'they'} are practically the same",
        "worse": f"{b} is {good(r)}{f' than {a}' * than}{beyond}",
    }
    if not rope:
        del claims["same"]
    return claims


def _found(r: Report) -> Mapping[str, Any]:
    assert r.probabilities is not None
    return r.probabilities


def where_text(found: Mapping[str, Any], unit: str) -> str:
    """Say where the probabilities hold, once for all of them; empty if they do as they are."""
    return str(found["where"].format(unit=unit_word(unit)))


def _lead(r: Report, *kept: str) -> str:
    """Begin a sentence on probabilities, with what must be kept in mind of them."""
    found = _found(r)
    where = where_text(found, r.unit)
    kept = (found["caveat"], *filter(None, kept))
    return f"{found['lead']} ({', '.join(kept)}){', ' * bool(where)}{where}"


def bounds_text(r: Report, p: Pair) -> str:
    """Write between which ends the probabilities lie, wherever the prior is put."""
    bounds = _found(r)["bounds"]
    if bounds is None:
        return ""
    ends = (
        f"{' to '.join(f'{end[name]:.2f}' for end in bounds)} that {claim}"
        for name, claim in _claims(r, p).items()
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
    found = _found(r)
    if isnan(p.p_better):
        return "Nor are there probabilities: nothing varies to test the difference against."
    claims, shown, expected = _claims(r, p), probability_texts(found), found["expected"]
    lead = _lead(
        r,
        "not adjusted for other comparisons" * bool(r.adjustment),
        "as little valid" * bool(r.invalid),
    )
    said = (
        f"{lead}: {', '.join(f'{shown[name]} that {claim}' for name, claim in claims.items())}."
    )
    if expected is None or not found["another"]:
        return said
    # Which of the three comes most often says little beside how often each is expected.
    *first, last = [probability_text(expected[name], error=0.01) for name in claims]
    values = f"{', '.join(first)} and {last}"
    more = found["another"].format(unit=unit_word(r.unit), values=values)
    return f"{said} {more[0].upper()}{more[1:]}."


def probable_pairs(r: Report) -> str:
    """Say which pairs of several systems have probabilities that most people ask for."""
    claims = [
        (share, claim)
        for p in r.pairs
        for name, claim in _claims(r, p, than=True).items()
        if (share := getattr(p, f"p_{name}")) >= PROBABLE
    ]
    claims.sort(key=lambda one: -one[0])
    lead = _lead(r, "not adjusted for the number of pairs")
    if not claims:
        return f"{lead}: no pair has {PROBABLE:g} or more for anything."
    n_drawn = _found(r)["n_drawn"]
    told = [f"{probability_text(share, n_drawn)} that {claim}" for share, claim in claims]
    return f"{lead}: {join_items(told, _MOST_TOLD)}."


def probable_best(r: Report) -> str:
    """Say which systems are the best with what probability, by one model of all of them."""
    if r.strengths is None:
        shares = {one.name: one.probability_best for one in r.systems}
        return f"Taking all systems together: {best_chances(r, shares, r.best_draws)}."
    of = "scores" if r.strengths.shares is not None else "comparisons"
    model, side, preferred = r.strengths.model, r.strengths.side, ""
    if side is not None:
        preferred = (
            " The one that is shown first is preferred to an equal one with the chance "
            f"{side.mean:.2f} (90% interval {side.low:.2f} to {side.high:.2f}), which is "
            "allowed for."
        )
    chances = best_chances(r, model.best_probabilities, model.effective_size)
    return (
        f"By a Bradley-Terry model of all systems (of the same {of} as the p-values): "
        f"{chances}.{preferred}"
    )


def best_chances(r: Report, shares: Mapping[str, float], n_drawn: float) -> str:
    """Write the probabilities of those that may be the best, and of the others together."""
    ordered = sorted(shares.items(), key=lambda one: -one[1])
    named = [one for one in ordered[:_MOST_TOLD] if one[1] >= _WORTH_NAMING] or ordered[:1]
    bits = [
        f"{probability_text(share, int(n_drawn))} that {shown_name(name)} is"
        for name, share in named
    ]
    bits[0] += f" the {good_best(r)}"
    if n_others := len(ordered) - len(named):
        rest = max(0.0, 1 - sum(share for _, share in named))
        other = "another one" if n_others > 1 else shown_name(ordered[-1][0])
        bits.append(f"{probability_text(rest, int(n_drawn))} that {other} is")
    return ", ".join(bits)
