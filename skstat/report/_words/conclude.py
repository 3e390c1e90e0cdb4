"""What is said of a report first: its conclusion, in a few plain sentences."""

from skstat.report._model import Report, ReportGrid
from skstat.report._words.probabilities import probable_best, probable_pairs
from skstat.report._words.say_grid import conclude_grid
from skstat.report._words.say_leaderboard import conclude_leaderboard
from skstat.report._words.say_pair import conclude_pair
from skstat.report._words.say_performance import conclude_performance
from skstat.report._words.say_systems import conclude_systems
from skstat.report._words.strengths import strengths_sentence


def conclude(r: Report | ReportGrid) -> list[str]:
    """Write what was found; the first sentence leads.

    Parameters
    ----------
    r : Report or ReportGrid
        The report.

    Returns
    -------
    list of str
        Sentences, or short paragraphs.
    """
    if isinstance(r, ReportGrid):
        return conclude_grid(r, conclude)
    if r.is_performance:
        return conclude_performance(r)
    said = [conclude_pair(r, r.pairs[0])] if r.is_pair else _of_systems(r)
    if r.direction_assumed:
        said[0] = f"{asks_for_direction(r.metric, r.direction_assumed)} {said[0]}"
    return said


def _of_systems(r: Report) -> list[str]:
    first, *rest = (conclude_leaderboard if r.is_leaderboard else conclude_systems)(r)
    if r.beside_equivalent and "equivalent" in r.verdicts:
        rest = [f"The systems are {r.beside_equivalent}.", *rest]
    if r.next_step:
        rest = [r.next_step, *rest]
    if r.strengths is not None:
        rest.append(strengths_sentence(r))
    elif r.probabilities is not None:  # or else the table of pairs has them
        rest.append(probable_pairs(r))
    if r.best_draws:
        rest.append(probable_best(r))
    doubtful = any(p < 1 for p in r.pairs.columns["adjusted"])  # or else nothing is claimed
    if r.invalid and doubtful:
        first = f"The p-values are not valid: {r.invalid}. {first}"
    return [first, *rest]


def asks_for_direction(metric: str, say: str) -> str:
    """Say that the direction of a metric is not known, and what to pass."""
    return f"Nothing says whether high or low {metric} is good: pass {say}."
