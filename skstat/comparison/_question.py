"""The question: direction, level and margin of a test, checked before anything is fitted."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Self

from skstat.evaluation._inputs import metric_sources
from skstat.stats._outcomes import check_alpha, check_level
from skstat.stats._paired import check_margin
from skstat.stats._samples import check_alternative

Margin = float | Mapping[str, float] | None


@dataclass(frozen=True, kw_only=True)
class Question:
    """Direction and level of a test, checked before anything is fitted.

    `metrics` names all metrics of the call where each part of them has a run of its own.
    """

    alternative: str
    confidence_level: float
    margin: float | Mapping[str, float] | None = None
    metrics: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        alternative: str,
        confidence_level: float | None,
        alpha: float | None,
        *,
        margin: Margin = None,
    ) -> Self:
        """Check what the caller gave; verdict and interval share one level."""
        check_alternative(alternative)
        if confidence_level is not None and alpha is not None:
            raise ValueError("give confidence_level or alpha, not both: one is 1 - the other.")
        if alpha is not None:
            check_alpha(alpha)
            confidence_level = round(1 - float(alpha), 12)
        elif confidence_level is None:
            confidence_level = 0.95
        check_level(confidence_level)
        if margin is not None and confidence_level <= 0.5:
            raise ValueError(
                f"a margin is judged by the 2 * confidence_level - 1 interval; "
                f"confidence_level={confidence_level!r} must be above 0.5."
            )
        return cls(
            alternative=alternative,
            confidence_level=float(confidence_level),
            margin=_checked(margin),
        )

    def check_scoring(self, named: Mapping[str, Any], scoring: Any) -> None:
        """Refuse a margin of other metrics than will be scored, before anything is fitted.

        A function may return several scores, whose names only a call tells.
        """
        if self.margin is not None and not callable(scoring):
            self.check_metrics(metric_sources(named, scoring))

    def check_metrics(self, metrics: Collection[str]) -> None:
        """Refuse a margin that does not say which of the metrics it is for."""
        metrics = self.all_of(metrics)
        if self.margin is None:
            return
        if not isinstance(self.margin, Mapping):
            if len(metrics) > 1:
                raise ValueError(
                    f"margin={self.margin!r} is one number for {len(metrics)} metrics, whose "
                    "units differ; give a mapping of metric to margin, such as "
                    f"margin={{{next(iter(metrics))!r}: {self.margin!r}}}."
                )
            return
        unknown = [name for name in self.margin if name not in metrics]
        if unknown:
            raise ValueError(
                f"margin names {unknown[0]!r}, which is not compared here; use "
                f"{', '.join(map(repr, metrics))}."
            )

    def all_of(self, metrics: Collection[str]) -> Collection[str]:
        """Return all metrics of the call, of which a run has scored these."""
        return self.metrics or metrics

    def margin_of(self, metric: str) -> float | None:
        """Return the margin in the unit of one metric, if it has one."""
        if isinstance(self.margin, Mapping):
            return self.margin.get(metric)
        return self.margin


def _checked(margin: Margin) -> float | dict[str, float] | None:
    if margin is None:
        return None
    if not isinstance(margin, Mapping):
        return check_margin(margin)
    if not margin:
        raise ValueError("margin is empty; give a metric its margin, or leave it out.")
    return {
        str(metric): check_margin(value, f"margin[{str(metric)!r}]")
        for metric, value in margin.items()
    }
