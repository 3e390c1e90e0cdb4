"""Which of several systems is the best, with what probability, in words."""

from collections.abc import Mapping
from typing import Any

from skstat._names import shown_name
from skstat.report._words.numbers import short
from skstat.report._words.probabilities import drawn_text
from skstat.report._words.terms import join_items, join_names
from skstat.stats import BradleyTerryPosterior, SideChance, WinChances
from skstat.stats._outcomes import unit_word

_MOST_NAMED = 3
_NAMED_FROM = 0.01  # less is said of all together


def strengths_sentence(found: BradleyTerryPosterior) -> str:
    """Say which system is probably the best: by strengths, and by win shares beside them.

    Parameters
    ----------
    found : BradleyTerryPosterior
        What the model found.
    """
    beside = ""
    if found.shares is not None:
        beside = f"; by shares of wins, without a model: {_best(found.shares)}"
    of = "scores" if found.shares is not None else "comparisons"
    return (
        f"By a Bradley-Terry model of all systems (of the same {of} as the p-values): "
        f"{_best(found.model)}{beside}.{_side(found.side)}"
    )


def _side(found: SideChance | None) -> str:
    """Say what being shown first is worth; empty where that is not known."""
    if found is None:
        return ""
    return (
        " The one that is shown first is preferred to an equal one with the chance "
        f"{found.mean:.2f} (90% interval {found.low:.2f} to {found.high:.2f}), which is "
        "allowed for."
    )


def _best(found: WinChances) -> str:
    """Write the probabilities of those that may be the best, and of the others together."""
    ordered = list(found.best_probabilities.items())
    named = [item for item in ordered[:_MOST_NAMED] if item[1] >= _NAMED_FROM] or ordered[:1]
    rest = max(0.0, 1 - sum(share for _, share in named))
    bits = [f"{best_text(share, found)} that {shown_name(name)} is" for name, share in named]
    bits[0] += " the best"
    n_others = len(ordered) - len(named)
    if n_others:
        other = "another one" if n_others > 1 else shown_name(ordered[-1][0])
        bits.append(f"{best_text(rest, found)} that {other} is")
    return ", ".join(bits)


def best_text(probability: float | None, found: WinChances | Mapping[str, Any]) -> str:
    """Write a probability with no more digits than the draws are worth."""
    size = found["effective_size"] if isinstance(found, Mapping) else found.effective_size
    return drawn_text(probability, int(size))


def strengths_text(found: Mapping[str, Any], unit: str, metric: str) -> str:
    """Write what the strengths rest on, and how well they fit.

    Parameters
    ----------
    found : mapping
        The posterior as plain values.
    unit, metric : str
        What was compared on, and by what.
    """
    word, k = unit_word(unit), len(found["names"])
    inside = round(100 * found["inside"])
    drawn = (
        f"{found['model']['n_draws']} draws, worth {found['model']['effective_size']:.0f}; "
        f"{inside}% of the pairs have as many wins as the model predicts for 90%"
    )
    if found["shares"] is None:
        return (
            "one strength for each system; a tie is half a win for either; every comparison "
            f"counts {found['weight']:.2f} of an independent one, as those on one {word} "
            f"depend on each other; {drawn}"
        )
    ties = f"differences up to {short(found['rope'])} {metric} are ties"
    weight = (
        "3 / (k + 1) of a contest for a "
        f"{word} with k systems, because its contests come from one ranking"
        if abs(found["weight"] - 3 / (k + 1)) > 1e-9
        else f"{short(found['weight'])} = 3 / ({k} + 1) of an independent one, because the "
        f"contests of a {word} come from one ranking"
    )
    return (
        f"one strength for each system; {ties if found['rope'] else 'equal scores are ties'}, "
        f"half a win for either; every contest counts {weight}; "
        f"{drawn}"
    )


def outside_text(pairs: tuple[tuple[str, str], ...]) -> str:
    """Name pairs that a model and the wins disagree on."""
    return join_items([join_names(pair) for pair in pairs], 3)
