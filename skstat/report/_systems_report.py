"""The report on several systems that were scored on the same units."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar, Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from skstat._times import Times, select_times
from skstat.report._adapter import model_of_systems, of_model
from skstat.report._best_system import best_pvalues, intervals_from_best
from skstat.report._choosing import choose
from skstat.report._comparison_report import ComparisonReport
from skstat.report._doubts import Doubt
from skstat.report._forms import TableStyle
from skstat.report._model import Report
from skstat.report._own_scores import OwnScores, Place, known_own_scores, own_scores_of
from skstat.report._pair_rows import PairRows
from skstat.report._paper import (
    PaperForms,
)
from skstat.report._partition_stability import Stability
from skstat.report._plan_of_report import plan
from skstat.report._plots import display_of
from skstat.report._recommendation import Recommendation
from skstat.report._systems_state import stability_of_pairs, systems_state
from skstat.report._systems_values import ranking_rows
from skstat.report._words import (
    ShownMetric,
    adjustment_name,
    conclude,
)
from skstat.stats import (
    BestPosterior,
    BradleyTerryPosterior,
    ConfidenceInterval,
    EquivalenceOutcome,
    OmnibusOutcome,
    PairwiseOutcome,
    Posterior,
    compact_letters,
)
from skstat.stats._common import Readers, Stored, to_plain
from skstat.stats._multiplicity import Adjustment
from skstat.stats._outcomes import alpha_of
from skstat.stats._paired import EquivalenceFamily, equivalence_tests
from skstat.stats._samples import sample_from_dict


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class SystemsReport(PaperForms, Stored):
    """What a comparison of several systems on one data set or test set found.

    Attributes
    ----------
    sample : ScoreTable, Predictions or SystemsSummary
        What was compared. A restored report has only a summary of predictions, and so has one
        of several seeds.
    pairwise : PairwiseOutcome
        Comparisons in pairs, with adjusted p-values; verdicts rest on these.
    omnibus : OmnibusOutcome or None
        Test of all systems at once, where there is one: never for splits, which share
        training rows.
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
        Why these tests were chosen, when it was not the caller who did.
    samples : tuple or None
        The sample of every pair, where it is not a part of `sample` as it stands.
    constants : mapping of str to float
        Systems that are a score known in advance, by name.
    margin : float or None
        The smallest difference that matters, in the unit of the score.
    posteriors : sequence of Posterior, or None
        The comparison of every pair read as probabilities, if that was asked by ``rope=``.
    strengths : BradleyTerryPosterior or None
        Which system is the best, with what probability, if that was asked by ``rope=`` over
        data sets.
    best_posterior : BestPosterior or None
        Which system is the best, with what probability, if that was asked by ``rope=`` of all
        pairs on one data set or test set.
    run : CrossValidationRun, DatasetsRun or None
        The run that the scores are from. A restored report has none.
    stability : mapping of tuple to Stability, or None
        What other partitions of the same rows said of every pair, if that was asked.
    times : mapping of str to Times, or None
        Mean seconds per fit, and to predict and score the test rows of a split, of every
        system that was fitted here. No second run repeats them to the last digit.
    next_step : str or None
        What could decide what these scores cannot, as a sentence.
    parameters : mapping of str to mapping, or None
        Parameters of every candidate of a search. A restored report has none.
    bounds : tuple of float or None
        Lowest and highest score that the metric can give, where they are known.
    own_scores : OwnScores or None
        Intervals of the scores of single systems that a restored report keeps. Else they are
        computed when somebody asks for them, as :meth:`summary_table` does.
    """

    kind: ClassVar[str] = "systems"
    _by_name = True
    _readers: ClassVar[Readers] = {
        **ComparisonReport._readers,
        "omnibus": lambda found: OmnibusOutcome.from_dict(found) if found else None,
        "samples": lambda samples: samples and tuple(map(sample_from_dict, samples)),
        "constants": lambda constants: dict(constants or {}),
        "stability": stability_of_pairs,
    }
    _newer = ComparisonReport._newer | {
        *("best_posterior", "constants", "next_step", "parameters", "posteriors", "run"),
        "strengths",
    }

    sample: Any
    pairwise: PairwiseOutcome
    omnibus: OmnibusOutcome | None = None
    metric: str = "score"
    is_loss: bool = False
    direction_assumed: str = ""
    confidence_level: float = 0.95
    design: Mapping[str, Any] = field(default_factory=dict)
    ignored_variance: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    choice: Recommendation | None = None
    samples: tuple[Any, ...] | None = None
    constants: Mapping[str, float] = field(default_factory=dict)
    margin: float | None = None
    posteriors: Sequence[Posterior] | None = None
    strengths: BradleyTerryPosterior | None = None
    best_posterior: BestPosterior | None = None
    run: Any = None
    stability: Mapping[tuple[str, str], Stability] | None = None
    times: Mapping[str, Times] | None = None
    next_step: str | None = None
    parameters: Mapping[str, Mapping[str, Any]] | None = None
    bounds: tuple[float | None, float | None] = (None, None)
    own_scores: OwnScores | None = None

    @cached_property
    def _model(self) -> Report:
        return model_of_systems(self)

    @property
    def _shown_metric(self) -> ShownMetric:
        """How values of the metric are shown: losses under their own name and sign."""
        return ShownMetric(self.metric, self.is_loss)

    @property
    def alpha(self) -> float:
        """Family-wise level of the verdicts."""
        return alpha_of(self.confidence_level)

    @property
    def names(self) -> tuple[str, ...]:
        """The systems, in the order they were given."""
        return tuple(self.sample.names)

    @property
    def test(self) -> str:
        """Name of the procedure that compares pairs."""
        return self.pairwise.test

    @property
    def _least_pair(self) -> int:
        """Place of the pair with the smallest adjusted p-value."""
        pvalues = self.pairwise.adjusted_pvalues
        return 0 if np.isnan(pvalues).all() else int(np.nanargmin(pvalues))

    @property
    def statistic(self) -> float:
        """Statistic of the test of all systems at once, or else of the surest pair."""
        asked = (
            self.pairwise.outcomes[self._least_pair] if self.omnibus is None else self.omnibus
        )
        return float(asked.statistic)

    @property
    def df(self) -> float | tuple[float, float] | None:
        """Its degrees of freedom, if any."""
        asked = (
            self.pairwise.outcomes[self._least_pair] if self.omnibus is None else self.omnibus
        )
        return asked.df

    @property
    def pvalue(self) -> float:
        """p-value of the test of all systems at once, or else the smallest adjusted one.

        That is a p-value of the same hypothesis: no two systems differ.
        """
        if self.omnibus is None:
            return float(self.pairwise.adjusted_pvalues[self._least_pair])
        return self.omnibus.pvalue

    @property
    def alternative(self) -> str:
        """Direction of the comparisons in pairs."""
        return self.pairwise.outcomes[0].alternative

    @property
    def effect_sizes(self) -> Mapping[str, float]:
        """Sizes of the differences between all systems."""
        return {} if self.omnibus is None else self.omnibus.effect_sizes

    @property
    def estimand(self) -> str:
        """What is compared in pairs."""
        each = "; ".join(self.pairwise.family.distinct("estimand"))
        return each if len(self) == 1 else f"of every pair, {each}"

    @property
    def null_hypothesis(self) -> str:
        """Hypothesis of no difference."""
        asked = self.pairwise.outcomes[0] if self.omnibus is None else self.omnibus
        return asked.null_hypothesis

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What must hold for the p-values to mean what they say."""
        all_at_once = () if self.omnibus is None else self.omnibus.assumptions
        pairs = chain.from_iterable(self.pairwise.family.distinct("assumptions"))
        return tuple(dict.fromkeys((*all_at_once, *pairs)))

    @property
    def unit(self) -> str:
        """What one observation is."""
        return str(self.sample.unit)

    @property
    def n_units(self) -> int:
        """Number of observations."""
        return int(self.sample.n_units)

    @property
    def control(self) -> str | None:
        """The system that the others are compared with, if there is one."""
        return self.pairwise.control

    @property
    def _sign(self) -> float:
        """Sign that turns scores into the values that were given: errors were negated."""
        return 1.0 if getattr(self.sample, "higher_is_better", True) else -1.0

    @property
    def _ranked_by_rank(self) -> bool:
        """Whether mean ranks order the systems, instead of mean scores."""
        return False

    @cached_property
    def scores(self) -> dict[str, float]:
        """Score of every system, the best first."""
        summaries = zip(self.names, self.sample.summaries(), strict=True)
        found = {name: math.nan if s["mean"] is None else s["mean"] for name, s in summaries}
        ordered = sorted(found.items(), key=lambda item: -item[1])
        return {name: self._sign * score for name, score in ordered}

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The systems, the best first."""
        return tuple(self.scores)

    @property
    def may_be_best(self) -> tuple[str, ...]:
        """Systems that no other one is significantly better than, at the report's level.

        With adjusted p-values that control the family-wise error the best system is among
        them with a chance of at least the confidence level. Empty if that was not asked:
        with a control, unless it was chosen by the scores, or in one direction.
        """
        if self.direction_assumed:  # which end is the best one nobody knows
            return ()
        found = self.best_pvalues.items()
        return tuple(name for name, pvalue in found if not pvalue < self.alpha)

    @cached_property
    def best_pvalues(self) -> dict[str, float]:
        """p-value of every system that none is better; empty if that was not asked.

        It is the smallest adjusted one of the pairs in which the other is ahead, and 1
        where there is none: a system may be the best exactly if no pair contradicts it.
        """
        if not (self._all_pairs or self.pairwise.n_family):
            return {}
        return best_pvalues(self.pairwise, self.names)

    choose = of_model(choose)
    plan = of_model(plan)

    @cached_property
    def from_best(self) -> dict[str, ConfidenceInterval]:
        """Intervals of each score minus the highest of the others.

        They follow from the simultaneous intervals of all pairs, and are simultaneous
        with them: one below 0 tells that another system is better. Empty where the intervals
        of the pairs are not simultaneous.
        """
        simultaneous = self.pairwise.family.distinct("simultaneous")
        if not (self._all_pairs and all(simultaneous)):
            return {}
        return intervals_from_best(self.pairwise, self.names, self.confidence_level)

    @cached_property
    def letters(self) -> dict[str, str]:
        """Letters by system, the best first: those who share one do not differ significantly.

        Empty where the systems are compared with a control only, or in one direction.
        """
        return compact_letters(list(self.order), self._differs) if self._all_pairs else {}

    @property
    def _untested(self) -> list[tuple[str, str]]:
        """Pairs that no test was possible for, as where their difference has no variance."""
        adjusted = self.pairwise.adjusted_pvalues.tolist()
        found = zip(self.pairwise.pairs, adjusted, strict=True)
        return [pair for pair, pvalue in found if math.isnan(pvalue)]

    @property
    def _all_pairs(self) -> bool:
        """Whether every two systems were asked whether they differ.

        One-sided, the answer depends on which system is named first, and so on the order of
        the columns.
        """
        asked = self.pairwise.family.distinct("alternative")
        return self.control is None and set(asked) == {"two-sided"}

    @cached_property
    def _differs(self) -> np.ndarray:
        """Which systems differ significantly, the best first."""
        place = {name: number for number, name in enumerate(self.names)}
        order = [place[name] for name in self.order]
        return self.pairwise.differs(self.alpha)[np.ix_(order, order)]

    @property
    def equivalences(self) -> Sequence[EquivalenceOutcome]:
        """Tests of the margin of every pair, adjusted for all; empty without a margin."""
        return () if self._against_margin is None else self._against_margin

    @cached_property
    def _against_margin(self) -> EquivalenceFamily | None:
        if self.margin is None:
            return None
        adjustment = self.pairwise.adjustment
        # The joint law of the differences says nothing of a margin.
        method = adjustment if adjustment in get_args(Adjustment) else "holm"
        return equivalence_tests(
            self.pairwise.outcomes,
            self.margin,
            cast(Adjustment, method),
            n_family=self.pairwise.n_family,
        )

    @property
    def rope(self) -> float | None:
        """Largest difference that is practically none, if probabilities were asked."""
        return None if self.posteriors is None else self.posteriors[0].rope

    @property
    def reports(self) -> tuple[ComparisonReport, ...]:
        """One report per pair."""
        return tuple(self[pair] for pair in self.pairwise.pairs)

    def __getitem__(self, pair: tuple[str, str] | str) -> ComparisonReport:
        """Return the report on the first system of a pair against the second.

        Of systems that are compared with a control the name of one is enough, which asks for
        no order.
        """
        places = self.pairwise.places
        wanted: Any = tuple(map(str, pair)) if isinstance(pair, tuple | list) else (str(pair),)
        if isinstance(pair, str) and self.control not in (None, pair):
            wanted = next((names for names in places if pair in names), wanted)
        if wanted not in places and wanted[::-1] in places:
            return self[wanted[::-1]].turned()
        if wanted not in places:
            raise KeyError(f"no comparison {pair!r}; a pair of names is one: {list(places)}.")
        place = places[wanted]
        adjustment = self.pairwise.adjustment
        n_pairs = self.pairwise.n_family or len(places)
        return ComparisonReport(
            outcome=self.pairwise.outcomes[place],
            sample=self._sample_of(place),
            names=wanted,
            metric=self.metric,
            is_loss=self.is_loss,
            direction_assumed=self.direction_assumed,
            confidence_level=self.confidence_level,
            design=self.design,
            ignored_variance=self.ignored_variance,
            doubts=self.doubts,
            constant=self.constants.get(wanted[1]),
            adjusted_pvalue=float(self.pairwise.adjusted_pvalues[place]),
            adjustment=f"adjusted by {adjustment_name(adjustment)} for {n_pairs} pairs",
            margin=self.margin,
            adjusted_equivalence=None if self.margin is None else self.equivalences[place],
            posterior=None if self.posteriors is None else self.posteriors[place],
            times=select_times(self.times, wanted),
            bounds=self.bounds,
            own_scores=self.own_scores,
        )

    def _n_units_of_pairs(self) -> NDArray[np.int64]:
        """Return the number of units that every pair was compared on."""
        if self.samples is None:
            return np.full(len(self), self.n_units)
        return np.array([int(sample.n_units) for sample in self.samples])

    def _sample_of(self, place: int) -> Any:
        if self.samples is not None:
            return self.samples[place]
        return self.sample.pair(*self.pairwise.pairs[place])

    @cached_property
    def _own(self) -> OwnScores:
        return own_scores_of(self, self.pairwise.outcomes[0])

    def _systems_with_samples(self) -> list[Place]:
        """Return every system, constants left out, with a sample that it is in."""
        wanted = [name for name in self.names if name not in self.constants]
        if self.samples is None:
            return [(name, self.sample, self.names.index(name)) for name in wanted]
        found: dict[str, Place] = {}
        for pair, sample in zip(self.pairwise.pairs, self.samples, strict=True):
            for place, name in enumerate(pair):
                if name in wanted:
                    found.setdefault(name, (name, sample, place))
            if len(found) == len(wanted):
                break
        return list(found.values())

    def _part(self) -> tuple[str, Any] | None:
        pairwise = self.__dict__.get("pairwise")
        if pairwise is None:
            return None
        a, b = pairwise.pairs[0]
        return f"the report of one pair, report[{a!r}, {b!r}]", self[a, b]

    def __iter__(self) -> Iterator[ComparisonReport]:
        return (self[pair] for pair in self.pairwise.pairs)

    def __len__(self) -> int:
        return len(self.pairwise.pairs)

    @property
    def conclusion(self) -> str:
        """What was found, in a few plain sentences."""
        return " ".join(self._sentences)

    @cached_property
    def _sentences(self) -> list[str]:
        return conclude(self._model)

    def _title(self) -> str:
        return f"{len(self.names)} systems"

    def _known(self) -> dict[str, Any]:
        posteriors = None if self.posteriors is None else tuple(self.posteriors)
        own = {"sample": self.sample, "samples": self.samples, "posteriors": posteriors}
        return self._state() | own

    def _plain(self, last: dict[Any, Any]) -> dict[str, Any]:
        # The rows, which are built when they are read, are plain values.
        rows = self._rows.told()
        pairs = [row | {"effect_sizes": dict(row["effect_sizes"])} for row in rows]
        found = super()._plain(last) | {"pairs": pairs}
        return found | {"own_scores": to_plain(known_own_scores(self))}

    def _state(self) -> dict[str, Any]:
        return systems_state(self)

    def to_latex(
        self,
        table: Literal["scores", "pairs"] = "scores",
        *,
        caption: str | None = None,
        label: str | None = None,
        booktabs: bool = True,
        stars: bool = False,
    ) -> str:
        r"""Return the report as a LaTeX table.

        Parameters
        ----------
        table : {"scores", "pairs"}, default="scores"
            ``"scores"``: the systems with their scores, the best in bold, and letters;
            ``"pairs"``: the comparisons.
        caption : str, optional
            Caption of the table, in LaTeX. With a caption or a label the whole ``table``
            environment is written, otherwise the ``tabular`` alone.
        label : str, optional
            Label of the table, for ``\ref{...}``.
        booktabs : bool, default=True
            Use the rules of the booktabs package, which needs ``\usepackage{booktabs}``.
            Otherwise use ``\hline``, which needs no package.
        stars : bool, default=False
            Mark what differs significantly by stars: ``*`` p < .05, ``**`` p < .01, ``***``
            p < .001; in a table of scores the adjusted p-value against the best, or
            the control.

        Returns
        -------
        str
            The table; conclusion and doubts are comments.

        Raises
        ------
        ValueError
            If stars are wanted for p-values that are not valid, or of a table without any.
        """
        return self._latex(table, TableStyle(caption, label, booktabs, stars))

    def plot(
        self, ax: Any = None, *, kind: str | None = None, width: float | str | None = None
    ) -> Any:
        """Draw the comparison.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; default a new figure.
        kind : {"best", "intervals", "pvalues"}, optional
            ``"best"``: how far every system may be from the best other one, with
            simultaneous intervals; the default where that was asked. ``"intervals"``:
            all pairs against zero. ``"pvalues"``: adjusted p of every pair.
        width : float or {"column", "text"}, optional
            Width in inches of a new figure for print, with text of 8 points: ``"column"`` of
            most journals is 3.3, and ``"text"`` 6.9.

        Returns
        -------
        IntervalsDisplay
            With ``ax_`` and ``figure_``.
        """
        if isinstance(ax, str):  # plot("cd")
            ax, kind = None, ax
        return display_of(self._model, kind).plot(ax=ax, width=width)

    def _ranking(self) -> list[dict[str, Any]]:
        return [dict(row) for row in self._ranked]

    @cached_property
    def _ranked(self) -> list[dict[str, Any]]:
        # Kept, because every form asks for it.
        return ranking_rows(self)

    @cached_property
    def _rows(self) -> PairRows:
        # Kept, because intervals of many pairs take time.
        return PairRows(self)
