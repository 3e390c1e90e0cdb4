"""Which of several systems is the best, with what probability, in words."""

from skstat._names import shown_name
from skstat.report._model import Report
from skstat.report._words.metric import good_best
from skstat.report._words.probabilities import drawn_text
from skstat.report._words.terms import join_items, join_names
from skstat.stats import SideChance, WinChances

_MOST_NAMED = 3
_NAMED_FROM = 0.01  # less is said of all together


def strengths_sentence(r: Report) -> str:
    """Say which system is probably the best, by the strengths of all of them.

    Parameters
    ----------
    r : Report
        A report with strengths.
    """
    found = r.strengths
    assert found is not None
    of = "scores" if found.shares is not None else "comparisons"
    return (
        f"By a Bradley-Terry model of all systems (of the same {of} as the p-values): "
        f"{best_chances(r, found.model)}.{_side(found.side)}"
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


def best_chances(r: Report, found: WinChances) -> str:
    """Write the probabilities of those that may be the best, and of the others together."""
    ordered = list(found.best_probabilities.items())
    named = [item for item in ordered[:_MOST_NAMED] if item[1] >= _NAMED_FROM] or ordered[:1]
    rest = max(0.0, 1 - sum(share for _, share in named))
    drawn = int(found.effective_size)
    bits = [f"{drawn_text(share, drawn)} that {shown_name(name)} is" for name, share in named]
    bits[0] += f" the {good_best(r)}"
    n_others = len(ordered) - len(named)
    if n_others:
        other = "another one" if n_others > 1 else shown_name(ordered[-1][0])
        bits.append(f"{drawn_text(rest, drawn)} that {other} is")
    return ", ".join(bits)


def outside_text(pairs: tuple[tuple[str, str], ...]) -> str:
    """Name pairs that a model and the wins disagree on."""
    return join_items([join_names(pair) for pair in pairs], 3)
