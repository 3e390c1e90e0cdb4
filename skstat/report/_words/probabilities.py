"""What is probable of two systems, in words."""

from collections.abc import Mapping, Sequence
from math import isnan
from typing import Any

from skstat._names import shown_name
from skstat.report._words.numbers import short
from skstat.report._words.terms import join_items
from skstat.stats import Posterior

# What everybody asks for, unless they say otherwise.
PROBABLE = 0.95


def probabilities_of(posterior: Posterior, confidence_level: float) -> dict[str, Any]:
    """Return what a posterior says as plain values, for dictionaries and rows."""
    better, same, worse = posterior.probabilities
    return {
        "rope": posterior.rope,
        "better": better,
        "same": same,
        "worse": worse,
        "confidence_level": confidence_level,
        "interval": posterior.credible_interval(confidence_level),
        "subject": posterior.subject,
        "lead": posterior.lead,
        "caveat": posterior.caveat,
        "model": posterior.model,
    }


def probability_text(probability: float | None) -> str:
    """Write ``0.905``, ``< 0.001`` or ``> 0.999``: a probability is never quite 0 or 1."""
    if probability is None or isnan(probability):
        return "undefined"
    if probability in (0, 1):
        return f"{probability:.0f}"
    if probability < 0.001:
        return "< 0.001"
    return "> 0.999" if probability > 0.999 else f"{probability:.3f}"


def three_probabilities(found: Mapping[str, Any], a: str, b: str) -> str:
    """Write the probabilities that A is better, both are the same, and B is better.

    Parameters
    ----------
    found : mapping
        What `probabilities_of` returned.
    a, b : str
        Names of the systems.
    """
    beyond = f" by more than {short(found['rope'])}" if found["rope"] else ""
    bits = [f"{probability_text(found['better'])} that {a} is better{beyond}"]
    if found["rope"]:
        bits.append(f"{probability_text(found['same'])} that they are practically the same")
    bits.append(f"{probability_text(found['worse'])} that {b} is better{beyond}")
    return ", ".join(bits)


def probability_sentence(
    found: Mapping[str, Any], names: tuple[str, str], *, invalid: bool, of_family: bool
) -> str:
    """Say after the conclusion what it comes to as probabilities: not as a second finding."""
    if found["better"] is None or isnan(found["better"]):
        return "Nor are there probabilities: nothing varies to test the difference against."
    kept = [found["caveat"]]
    kept += ["not adjusted for other pairs"] * of_family + ["as little valid"] * invalid
    return f"{found['lead']} ({', '.join(kept)}): {three_probabilities(found, *names)}."


def probable_pairs(
    rows: Sequence[Mapping[str, Any]], posterior: Posterior, most: int = 3
) -> str:
    """Say which pairs of several systems have probabilities that most people ask for.

    Parameters
    ----------
    rows : sequence of mapping
        Pairs with their names and probabilities.
    posterior : Posterior
        That of any pair.
    most : int, default=3
        Pairs that are named.
    """
    rope = posterior.rope
    beyond = f" by more than {short(rope)}" if rope else ""
    claims = []
    for row in rows:
        a, b = shown_name(row["first"]), shown_name(row["second"])
        for key, claim in (
            ("better", f"{a} is better than {b}"),
            ("same", f"{a} and {b} are practically the same"),
            ("worse", f"{b} is better than {a}"),
        ):
            found = row[f"probability_{key}"]
            if found is not None and found >= PROBABLE:
                claims.append((found, f"{claim}{beyond if key != 'same' else ''}"))
    lead = f"{posterior.lead} ({posterior.caveat}, not adjusted for the number of pairs)"
    if not claims:
        return f"{lead}: no pair has {PROBABLE:g} or more for anything."
    claims.sort(key=lambda claim: -claim[0])
    named = [f"{probability_text(found)} that {claim}" for found, claim in claims[:most]]
    more = len(claims) - len(named)
    rest = f"; {more} more of {PROBABLE:g} or above are in to_frame()" if more else ""
    return f"{lead}: {join_items(named)}{rest}."
