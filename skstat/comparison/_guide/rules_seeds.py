"""The guide for several seeds of each system on one test set."""

from typing import Any

from skstat.comparison._guide.rule import Rule, other
from skstat.comparison._guide.situation import Situation


def _seeds(s: Situation, how: str) -> bool:
    return s.holds == "predictions" and s.n_systems == 2 and s.n_seeds > 1 and s.seeds == how


def _few_seeds(s: Situation) -> str:
    if s.n_seeds >= 5:
        return ""
    return f"{s.n_seeds} seeds say little about how much the result depends on the seed."


_ASK = "compare_predictions(y_true, predictions, metric=metric, {})"
_SEEDS: dict[str, Any] = {
    "systems": "2",
    "data": "one test set",
    "example": "guide_groups_time_seeds.py",
}

SEEDS = (
    Rule(
        **_SEEDS,
        ask=_ASK.format("seeds='means'"),
        id="seeds-means",
        situation="several seeds, claim about seeds only; a mean over rows",
        test="t test of the seeds' scores",
        report="numbers of seeds; that the test set is held fixed",
        applies=lambda s: _seeds(s, "means") and s.is_mean and s.plain,
        name="seed_means_t",
        title="the t test of one score per seed",
        reason="seeds='means' takes the seeds alone as random",
        alternatives=(other("crossed_t", "rows are random too"),),
        cautions=(_few_seeds,),
    ),
    Rule(
        **_SEEDS,
        ask=_ASK.format("seeds='means', paired_seeds=True"),
        id="seeds-means-other",
        situation="several seeds, claim about seeds only; any other metric",
        test="paired t test of the seeds' scores",
        report="numbers of seeds; that the test set is held fixed",
        applies=lambda s: _seeds(s, "means"),
        name="paired_t",
        title="the paired t test of one score per seed",
        reason="seeds='means' takes the seeds alone as random",
        alternatives=(other("seeded_bootstrap", "rows are random too"),),
        cautions=(_few_seeds,),
    ),
    Rule(
        **_SEEDS,
        ask=_ASK.format("seeds='average'"),
        id="seeds-average",
        situation="several seeds, averaged; a mean over rows",
        test="t test of the rows' averages over seeds",
        report="that these seeds are held fixed",
        applies=lambda s: _seeds(s, "average") and s.is_mean and s.plain,
        name="seed_average_t",
        title="the t test of averages over seeds",
        reason="seeds='average' takes the rows alone as random",
        alternatives=(other("crossed_t", "seeds are random too"),),
    ),
    Rule(
        **_SEEDS,
        ask=_ASK.format("seeds='average'"),
        id="seeds-average-other",
        situation="several seeds, averaged; any other metric, groups or weights",
        test="bootstrap of rows",
        report="that these seeds are held fixed",
        applies=lambda s: _seeds(s, "average"),
        name="seeded_bootstrap",
        title="the bootstrap of rows, scores averaged over seeds,",
        reason="seeds='average' takes the rows alone as random",
        alternatives=(other("crossed_t", "seeds are random too"),),
    ),
    Rule(
        **_SEEDS,
        ask=_ASK.format("seeds='crossed'"),
        id="seeds-crossed",
        situation="several seeds of each",
        test="t test of crossed seeds and rows",
        report="numbers of seeds and rows",
        applies=lambda s: _seeds(s, "crossed") and not s.grouped and s.by_rows,
        name="crossed_t",
        title="the t test of crossed seeds and rows",
        reason="seeds and rows are both taken as random",
        alternatives=(
            other("seed_means_t", "seeds='means': claim about seeds only"),
            other("seeded_bootstrap", "groups"),
        ),
        cautions=(_few_seeds,),
    ),
    Rule(
        **_SEEDS,
        ask=_ASK.format("seeds='crossed', groups=groups"),
        id="seeds-crossed-groups",
        situation="several seeds of each; groups, or a metric without shares of the rows",
        test="bootstrap of seeds and groups",
        report="numbers of seeds and groups",
        applies=lambda s: s.holds == "predictions" and s.n_systems == 2 and s.n_seeds > 1,
        name="seeded_bootstrap",
        title="the bootstrap of seeds and rows",
        reason=lambda s: (
            "seeds and groups of rows are both taken as random"
            if s.grouped
            else "seeds and rows are both taken as random, and the metric has no shares of rows"
        ),
        alternatives=(other("crossed_t", "without groups"),),
        cautions=(_few_seeds,),
    ),
)
