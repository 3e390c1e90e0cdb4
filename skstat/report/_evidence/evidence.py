"""What all that a report rests on has in common."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from skstat._times import Times, times_from_dict, times_to_dict
from skstat.report._doubts import Doubt, doubts_from_dicts
from skstat.report._own_scores import OwnScores, known_own_scores
from skstat.report._recommendation import Recommendation
from skstat.report._words import ShownMetric
from skstat.stats._common import Readers, Stored, to_plain
from skstat.stats._outcomes import alpha_of
from skstat.stats._samples import sample_from_dict


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Evidence(Stored):
    """What a report rests on: samples, outcomes and facts, in the sign of scores.

    Here higher is better, and a loss is its negative: the report turns it.

    Attributes
    ----------
    metric : str
        Name of the score.
    is_loss : bool
        Whether the score is a negated loss.
    direction_assumed : str
        Where which way the metric is better is a guess, because neither the user nor a log
        or scorer says it: what to say otherwise with. Else empty.
    confidence_level : float
        Level of intervals; verdicts use alpha = 1 - confidence_level.
    design : mapping
        How the scores came about, where that is known.
    ignored_variance : tuple of str
        Sources of variation that the tests do not cover.
    doubts : tuple of Doubt
        Coded reasons to trust the conclusion less.
    choice : Recommendation or None
        Which test was chosen and why, when it was not the caller who chose.
    margin : float or None
        The smallest difference that matters, in the unit of the score.
    times : mapping of str to Times, or None
        Mean seconds per fit, and to predict and score the test rows of a split, of systems
        that were fitted here. No second run repeats them to the last digit.
    bounds : tuple of float or None
        Lowest and highest score that the metric can give, where they are known.
    own_scores : OwnScores or None
        Intervals of the scores of single systems that a restored report keeps. Else they are
        computed when somebody asks for them, as a summary table does.
    """

    _readers: ClassVar[Readers] = {
        "sample": sample_from_dict,
        "design": dict,
        "doubts": doubts_from_dicts,
        "times": times_from_dict,
    }

    metric: str = "score"
    is_loss: bool = False
    direction_assumed: str = ""
    confidence_level: float = 0.95
    design: Mapping[str, Any] = field(default_factory=dict)
    ignored_variance: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    choice: Recommendation | None = None
    margin: float | None = None
    times: Mapping[str, Times] | None = None
    bounds: tuple[float | None, float | None] = (None, None)
    own_scores: OwnScores | None = None

    @property
    def alpha(self) -> float:
        """Level of the verdicts."""
        return alpha_of(self.confidence_level)

    @property
    def shown_metric(self) -> ShownMetric:
        """How values of the metric are shown: losses under their own name and sign."""
        return ShownMetric(self.metric, self.is_loss)

    def _plain(self, last: dict[Any, Any]) -> dict[str, Any]:
        # Own scores take time, and are only stored: no form reads them.
        own = to_plain(known_own_scores(self))
        return super()._plain(last) | {"own_scores": own, "times": times_to_dict(self.times)}
