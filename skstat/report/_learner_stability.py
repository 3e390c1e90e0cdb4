"""The report on learners: are their standard errors from one data set right?"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from skstat._names import shown_name
from skstat.report._contents import Contents, Grid, Section
from skstat.report._forms import ReportForms
from skstat.report._words import ShownMetric
from skstat.stats._common import restoring, tails
from skstat.stats._outcomes import from_plain, to_plain

# Of simulated data sets up to 10 % were above it with learners that hold their level, and
# 92 % with a decision stump, which does not; see measure_learner_stability.
TOO_FAR_APART = 1.25
_DF = 29  # of the default design


@dataclass(frozen=True, kw_only=True)
class LearnerRow:
    """What was measured of one learner, or of the difference of two.

    Attributes
    ----------
    name : str
        Label of the estimator, or ``"A - B"`` of two.
    inflation : float
        How many times as far apart as the corrected t test expects the means over splits
        of two disjoint halves of the rows lie.
    disagreement : float or None
        How much the predictions of models for the same rows differ, trained on most of
        the others each.
    """

    name: str
    inflation: float
    disagreement: float | None = None

    @property
    def type_1_error(self) -> float:
        """Share of true null hypotheses rejected at 0.05, if the inflation is as measured."""
        return _type_1_error(self.inflation)


@dataclass(frozen=True, kw_only=True, repr=False)
class LearnerStability(ReportForms):
    """Whether a design gives honest standard errors for the learners at hand.

    Attributes
    ----------
    rows : tuple of LearnerRow
        One per estimator, and one for the difference if there are two.
    metric : str
        Name of the score.
    n_samples : int
        Rows of the data.
    n_halvings, n_splits, n_models : int
        Pairs of halves, splits of each half, and models for the disagreement.
    test_size, subsample : float
        Fraction tested of a half in each split, and trained on for the disagreement.
    random_state : int
        The seed that repeats the result.
    is_classification : bool
        Whether disagreement is a share of labels, else relative to the spread of y.
    is_loss : bool
        Whether the score is a negated loss.
    """

    rows: tuple[LearnerRow, ...]
    metric: str
    n_samples: int
    n_halvings: int
    n_splits: int
    n_models: int
    test_size: float
    subsample: float
    random_state: int
    is_classification: bool
    is_loss: bool = False
    # What from_dict() reads; older ones too.
    _schema_version: ClassVar[int] = 1

    @property
    def _metric(self) -> str:
        return ShownMetric(self.metric, self.is_loss).name

    @property
    def stable(self) -> tuple[str, ...]:
        """Learners whose standard errors were about right, or too large."""
        return tuple(row.name for row in self.rows if row.inflation <= TOO_FAR_APART)

    @property
    def unstable(self) -> tuple[str, ...]:
        """Learners whose halves differed too much for the standard error that was claimed."""
        return tuple(row.name for row in self.rows if row.inflation > TOO_FAR_APART)

    def __getitem__(self, name: str) -> LearnerRow:
        """Return what was measured of one learner."""
        for row in self.rows:
            if row.name == name:
                return row
        raise KeyError(f"no row {name!r}; there are {[row.name for row in self.rows]}.")

    @property
    def conclusion(self) -> str:
        """What follows for the choice of a design, in a few sentences."""
        sentences = []
        for name in self.unstable:
            row = self[name]
            sentences.append(
                f"{self._said(name)}: two halves of the rows lie {row.inflation:.2f} times as "
                "far apart as "
                f"a corrected t test with {self.test_size:.2g} of the rows for testing "
                "expects; if that holds for all rows, it "
                f"rejects about {100 * row.type_1_error:.0f} % of true null hypotheses at "
                "0.05."
            )
        if self.stable:
            rests = self._difference in self.stable
            sentences.append(
                "No sign of a standard error that is too small was found for "
                f"{self._listed(self.stable)}{', on which a comparison rests' * rests}."
            )
        if self.unstable and self.test_size < 0.3:
            # Of two learners it is the difference that a comparison tests.
            test = "Test"
            if self._difference in self.stable:
                test = f"In other comparisons of {self._listed(self.unstable)} test"
            sentences.append(f"{test} on one third of the rows, the default design.")
        undefined = [row.name for row in self.rows if math.isnan(row.inflation)]
        if undefined:
            sentences.append(f"Without variance nothing is known of {self._listed(undefined)}.")
        return " ".join(sentences)

    @property
    def _difference(self) -> str | None:
        """Name of the row of the difference, which two learners have."""
        if len(self.rows) != 3:
            return None
        a, b, last = (row.name for row in self.rows)
        return last if last == f"{a} - {b}" else None

    def _said(self, name: str) -> str:
        if name != self._difference:
            return shown_name(name)
        a, b, _ = (shown_name(row.name) for row in self.rows)
        return f"the difference of {a} and {b}"

    def _listed(self, names: Sequence[str]) -> str:
        *first, last = map(self._said, names)
        return f"{', '.join(first)} and {last}" if first else last

    def _shown(self, name: str) -> str:
        if name != self._difference:
            return name
        return f"{self.rows[0].name} \N{MINUS SIGN} {self.rows[1].name}"

    def _title(self) -> str:
        return f"Standard errors of {self._metric}"

    def _notes(self) -> str:
        return (
            f"Inflation: distance of the {self._metric} of two halves of {self.n_samples} "
            f"rows, relative to its corrected standard error; {self.n_halvings} random "
            f"halvings, {self.n_splits} splits of each half with {self.test_size:.2g} for "
            f"testing; random_state={self.random_state}. Last "
            f"column: {self.n_models} models trained on {100 * self.subsample:g} % of two "
            "thirds of the rows, on the last third; it does not tell whether a test is "
            "valid."
        )

    def _contents(self) -> Contents:
        what = "labels differ" if self.is_classification else "sd / sd of y"
        grid = Grid(
            self._title(),
            ["", "inflation", "rejects at 0.05", what],
            [
                [
                    shown_name(self._shown(row.name)),
                    _number(row.inflation),
                    _number(row.type_1_error),
                    _number(row.disagreement),
                ]
                for row in self.rows
            ],
            note=self._notes(),
        )
        section = Section(title=grid.title, grids=[grid], records=self.to_dict()["rows"])
        return Contents(conclusion=self.conclusion, sections=[section])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values; undefined numbers are None."""
        return {
            "schema": "skstat.learner_stability",
            "schema_version": self._schema_version,
            "kind": "learner_stability",
            "title": self._title(),
            "conclusion": self.conclusion,
            "stable": list(self.stable),
            "unstable": list(self.unstable),
            "rows": [
                {
                    "name": row.name,
                    "inflation": to_plain(row.inflation),
                    "type_1_error": to_plain(row.type_1_error),
                    "disagreement": to_plain(row.disagreement),
                }
                for row in self.rows
            ],
            **{name: getattr(self, name) for name in _SETTINGS},
            "is_loss": self.is_loss,
        }

    @classmethod
    @restoring
    def from_dict(cls, state: Mapping[str, Any]) -> Self:
        """Restore from ``to_dict()``."""
        if state.get("schema") != "skstat.learner_stability":
            raise ValueError("state lacks schema 'skstat.learner_stability'.")
        return cls(
            rows=tuple(
                LearnerRow(
                    name=row["name"],
                    inflation=from_plain(row["inflation"]),
                    disagreement=row["disagreement"],
                )
                for row in state["rows"]
            ),
            is_loss=state.get("is_loss", False),  # earlier versions did not keep it
            **{name: state[name] for name in _SETTINGS},
        )


_SETTINGS = (
    "metric",
    "n_samples",
    "n_halvings",
    "n_splits",
    "n_models",
    "test_size",
    "subsample",
    "random_state",
    "is_classification",
)


def _type_1_error(inflation: float) -> float:
    if inflation == 0 or math.isnan(inflation):
        return inflation
    return float(2 * tails.t_sf(tails.t_isf(0.025, _DF) / inflation, _DF))


def _number(value: float | None) -> str:
    return "-" if value is None or math.isnan(value) else f"{value:.2f}"
