"""What is probable of two systems, in words."""

from collections.abc import Mapping
from math import floor, isnan, log10, sqrt
from typing import Any

from skstat._names import shown_name
from skstat.report._model import Pair, Report
from skstat.report._words.metric import good, good_best
from skstat.report._words.numbers import short
from skstat.report._words.terms import join_items
from skstat.stats import Posterior
from skstat.stats._outcomes import unit_word

# What everybody asks for, unless they say otherwise.
PROBABLE = 0.95
_WORTH_NAMING = 0.01
_MOST_TOLD = 3


def probabilities_of(posterior: Posterior, confidence_level: float) -> dict[str, Any]:
    """Return what a posterior says as plain values, for dictionaries and rows."""
    errors, expected, bounds = (
        posterior.monte_carlo_errors,
        posterior.expected,
        posterior.bounds,
    )
    return {
        "rope": posterior.rope,
        **posterior.probabilities._asdict(),
        "monte_carlo_errors": None if errors is None else errors._asdict(),
        "expected": None if expected is None else expected._asdict(),
        "bounds": None if bounds is None else [end._asdict() for end in bounds],
        "n_drawn": posterior.n_drawn,
        "drawn": posterior.how_drawn,
        "confidence_level": confidence_level,
        "interval": posterior._limits(confidence_level),
        "said": posterior.said,
        "another": posterior.another,
        "subject": posterior.subject,
        "lead": posterior.lead,
        "caveat": posterior.caveat,
        "model": posterior.model,
    }


def model_of(posterior: Posterior) -> dict[str, Any]:
    """Return what the probabilities of all pairs have in common."""
    return {
        "model": posterior.model,
        "said": posterior.said,
        "n_drawn": posterior.n_drawn,
    }


def probability_text(
    probability: float | None, error: float | None = None, n_drawn: int = 0
) -> str:
    """Write ``0.905``, or ``< 0.001``, never 0 or 1; with no more digits than were drawn.

    Parameters
    ----------
    probability : float or None
        The probability.
    error : float, optional
        Its Monte Carlo error; the last digit that is shown stands for as much, or more.
    n_drawn : int, default=0
        The draws; what none of them had may still have three chances in so many.
    """
    if probability is None or isnan(probability):
        return "undefined"
    decimals = 3 if not error else min(3, max(1, floor(-log10(error))))
    least = 10.0**-decimals
    if n_drawn and probability in (0, 1):
        least = max(least, 3 / n_drawn)
    if probability < least:
        return f"< {least:.{decimals}g}"
    if probability > 1 - least:
        return f"> {1 - least:.{decimals}g}"
    return f"{probability:.{decimals}f}"


def drawn_text(probability: float | None, n_drawn: int) -> str:
    """Write a probability that is a share of draws, or was computed (no draws)."""
    if probability is None or isnan(probability) or not n_drawn:
        return probability_text(probability)
    error = sqrt(probability * (1 - probability) / n_drawn)
    return probability_text(probability, error, n_drawn)


def _shown(found: Mapping[str, Any], name: str) -> str:
    """Write one of the three probabilities."""
    errors = found["monte_carlo_errors"]
    return probability_text(found[name], errors and errors[name], found["n_drawn"])


def probability_texts(found: Mapping[str, Any]) -> dict[str, str]:
    """Write each of the three probabilities, as `probabilities_of` returned them."""
    return {name: _shown(found, name) for name in ("better", "same", "worse")}


def three_probabilities(
    found: Mapping[str, Any], a: str, b: str, better: str = "better"
) -> str:
    """Write the probabilities that A is better, both are the same, and B is better.

    Parameters
    ----------
    found : mapping
        What `probabilities_of` returned.
    a, b : str
        Names of the systems.
    better : str, default="better"
        What either may be.
    """
    beyond = f" by more than {short(found['rope'])}" if found["rope"] else ""
    said = found["said"]
    bits = [f"{_shown(found, 'better')} that {a} is {better}{beyond}{said}"]
    if found["rope"]:
        bits.append(f"{_shown(found, 'same')} that they are practically the same{said}")
    bits.append(f"{_shown(found, 'worse')} that {b} is {better}{beyond}{said}")
    return ", ".join(bits)


def expected_text(found: Mapping[str, Any], unit: str) -> str:
    """Write how often each of the three is expected on another unit; empty without that."""
    expected = found["expected"]
    if expected is None:
        return ""
    names = ["better", *["same"] * bool(found["rope"]), "worse"]
    *first, last = [_two_digits(expected[name]) for name in names]
    values = f"{', '.join(first)} and {last}"
    return str(found["another"].format(unit=unit_word(unit), values=values))


def _two_digits(share: float) -> str:
    if share < 0.005:
        return "< 0.01"
    return "> 0.99" if share >= 0.995 else f"{share:.2f}"


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
    a, b = shown_name(p.first), shown_name(p.second)
    three = three_probabilities(found, a, b, good(r))
    said = f"{found['lead']} ({', '.join(kept)}): {three}."
    # Which of the three comes most often says little beside how often each is expected.
    expected = expected_text(found, r.unit)
    return f"{said} {expected[0].upper()}{expected[1:]}." if expected else said


def probable_pairs(r: Report) -> str:
    """Say which pairs of several systems have probabilities that most people ask for."""
    found = r.probabilities
    assert found is not None
    beyond = f" by more than {short(found['rope'])}" if found["rope"] else ""
    claims = []
    for p in r.pairs:
        a, b = map(shown_name, p[:2])
        for share, claim, beside in (
            (p.p_better, f"{a} is {good(r)} than {b}", beyond),
            (p.p_same, f"{a} and {b} are practically the same", ""),
            (p.p_worse, f"{b} is {good(r)} than {a}", beyond),
        ):
            if share >= PROBABLE:
                claims.append((share, f"{claim}{beside}{found['said']}"))
    lead = f"{found['lead']} ({found['caveat']}, not adjusted for the number of pairs)"
    if not claims:
        return f"{lead}: no pair has {PROBABLE:g} or more for anything."
    claims.sort(key=lambda claim: -claim[0])
    told = claims[:_MOST_TOLD]
    named = [f"{drawn_text(share, found['n_drawn'])} that {claim}" for share, claim in told]
    more = len(claims) - len(told)
    rest = f"; {more} more of {PROBABLE:g} or above are in to_frame()" if more else ""
    return f"{lead}: {join_items(named)}{rest}."


def probable_best(r: Report) -> str:
    """Say which systems are the best with what probability, by one law of all of them."""
    ranked = sorted(r.systems, key=lambda one: -one.probability_best)[:_MOST_TOLD]
    first, *others = ((shown_name(one.name), one.probability_best) for one in ranked)
    named = [
        f"{name} with {drawn_text(share, r.best_draws)}"
        for name, share in others
        if share >= _WORTH_NAMING
    ]
    own = drawn_text(first[1], r.best_draws)
    said = f"{first[0]} is the {good_best(r)} with a probability of {own}"
    return f"Taking all systems together, {', '.join([said, *named])}."
