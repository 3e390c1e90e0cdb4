"""The blocks of the report of one question, in reading order: main results, then details."""

from collections.abc import Iterator, Mapping, Sequence
from math import isfinite, isnan, nan
from typing import Any

from skstat._names import clip, clip_all, one_line, shown_name
from skstat.report import _blocks as show
from skstat.report import _terms as say
from skstat.report._model import Pair, Report, System
from skstat.report._say_pair import best_chances, probability_details
from skstat.report._sections import tables
from skstat.stats import BradleyTerryPosterior
from skstat.stats._multiplicity import adjustment_facts
from skstat.stats._words import unit_word

HOW = "What was tested, and how"
_FEW, _MOST_FIRST = 6, 4  # systems that are all shown without details; else how many are
_FEW_RANKED, _TOP = 12, 8  # the same for a leaderboard
_MOST_ROWS = 50  # systems on a screen
_MOST_BARS, _MOST_DRAWN = 25, 60  # largest numbers of differences and of systems in a plot
_SHORT = 12  # characters of a name in a header
_FEW_UNITS = 10  # with fewer units a plan is only given in the details

Rows = Iterator[tuple[str, str]]


def of_one(r: Any, full: bool, screen: bool) -> Iterator[show.Block]:
    """Iterate over the blocks of a `Report`; for the arguments see `document`."""
    yield show.Summary(r.sentences, _badges(r), f"{r.title}, {r.metric}")
    if full or r.is_pair:
        yield from (bars for bars in drawing(r) if bars.rows)
    if r.is_performance:
        yield tables.performance_table([r])
    elif r.is_pair:
        yield show.Facts([_scores(r)])
    else:
        yield _systems_table(r, full, screen)
    yield show.nonempty(_facts(r))
    yield show.Doubts(r.doubts)
    if full and r.ranked:
        extra = tables.ranks_table(r), tables.pairs_table(r, screen), tables.strengths_table(r)
        yield from (show.Fold(table.title, [table]) for table in extra if table is not None)
    yield show.Fold(HOW, [show.nonempty(_details(r))] if full else ())


def _badges(r: Report) -> list[show.Badge]:
    """Return the verdicts as badges of a few words."""
    if r.is_pair:
        pair = r.pairs[0]
        is_named = pair.verdict not in ("equivalent", "undecided")
        says = f"{clip(pair.first)} is {pair.verdict}" if is_named else pair.verdict
        return [show.Badge(says, show.TONES[pair.verdict])]
    if r.control is not None:
        return show.badges_of(pair.verdict for pair in tables.against_control(r).values())
    candidates = r.may_be_best
    if len(candidates) == 1:
        return [show.Badge(f"only {clip(candidates[0])} may be best", "better")]
    text = f"{len(candidates)} of {len(r.names)} may be best"
    return [show.Badge(text, "undecided")] * bool(candidates)


# --- the systems ---------------------------------------------------------------------------


def _systems_table(r: Report, full: bool, screen: bool) -> show.Cells:
    """Return the table of systems; without details only those that may be the best."""
    limit, most = (_FEW_RANKED, _TOP) if r.is_leaderboard else (_FEW, _MOST_FIRST)
    first = r.names if full or r.is_leaderboard else r.may_be_best or r.names
    if full:
        limit = most = _MOST_ROWS if screen else len(r.names)
    shown = {*first[:most], r.control} if len(r.names) > limit else {*r.names}
    systems = [r.systems[i] for i, name in enumerate(r.names) if name in shown]
    more = len({*r.may_be_best} - shown)
    return show.table(
        f"Ranking by {one_line(r.metric)}, {r.words.direction}",
        _columns(r, systems, full),
        n_left=len(r.names) - len(systems),
        where="report.systems" + f", {more} of them may be the best" * bool(more),
    )


def _columns(r: Report, systems: Sequence[System], full: bool) -> Iterator[show.Column]:
    """Return the columns of the table of systems; notes are only for the details."""
    level, top = say.percent(r.confidence_level), r.words.top
    decimals = max(3, say.decimals_for(r.systems.column("mean")))
    spare: Any = "number" if full else "spare"  # in details all columns are shown

    def of(
        title: str, write: Any, *fields: str, kind: Any = "number", note: Any = ""
    ) -> show.Column:
        cells: list[str] = []
        if all(name in r.systems for name in fields):
            cells = [write(*(getattr(s, name) for name in fields)) for s in systems]
        return show.Column(title, cells, kind, note)

    def score(value: float) -> str:
        return "" if isnan(value) else say.fixed(value, decimals)

    has_mean = not r.is_leaderboard and ("sd" in r.systems or r.over_datasets)
    yield of("", shown_name, "name", kind="name")
    yield of("mean rank", lambda rank: say.fixed(rank, 2), "mean_rank")
    yield of("mean" if has_mean else r.words.score, score, "mean")
    if has_mean:
        note = f"sd: standard deviation over the {unit_word(r.unit)}s."
        yield of("sd", score, "sd", kind=spare, note=note * full)
    note = "Wins, ties and losses are against every other system on every data set."
    if r.missing:
        note += " Mean ranks allow for who has scores on which data sets."
    yield of(
        "higher/equal/lower" if r.direction_assumed else "wins/ties/losses",
        lambda *counts: "/".join(f"{count:g}" for count in counts),
        *("wins", "ties", "losses"),
        note=note * full,
    )
    if r.is_leaderboard:
        yield of(
            f"{level} interval",
            lambda low, high: say.span(low, high, decimals, sign=False),
            *("low", "high"),
            note="Intervals: of each score by itself.",
        )
        yield of("rank", "{:g}".format, "rank")
        note = f"May rank: {level} confidence in all of them together."
        yield of("may rank", say.ranks_text, "rank_low", "rank_high", note=note)
    elif not r.over_datasets and "best_low" in r.systems:
        ends = say.decimals_for(e for s in r.systems for e in (s.best_low, s.best_high))
        yield of(
            f"from the {top} other",
            lambda low, high: say.span(low, high, ends),
            *("best_low", "best_high"),
            note=f"From the {top} other: {r.words.score} minus the {r.words.best} of the "
            f"others, simultaneous {level} intervals.",
        )
    if r.may_be_best and not r.is_leaderboard:
        note = "May be best: no other one is significantly better." * full
        yield of("may be best", lambda may: "yes" if may else "no", "may_be_best", note=note)
    yield from _probabilities(r, systems)
    for kind in ("fit", "predict"):
        yield of(kind, say.time_text, kind, kind=spare)
    if not full:
        yield from _against_control(r, systems)
    if full or r.is_leaderboard:
        note = "Systems that share a letter: no significant difference was found."
        note += " Some pairs could not be tested." * bool(r.why_no_pvalue)
        yield of("group", str, "letters", kind="words", note=note * full)


def _probabilities(r: Report, systems: Sequence[System]) -> Iterator[show.Column]:
    """Return the columns of the probabilities to be the best, by a model or from draws."""
    top, rope = r.words.top, (r.probabilities or {}).get("rope", 0.0)
    if r.strengths is not None:
        model, rope = r.strengths.model, 0.0
        draws = int(model.effective_size)
        shares = [model.best_probabilities[s.name] for s in systems]
        text = "probability to be the strongest, by a Bradley-Terry model"
    elif "probability_best" in r.systems:
        draws, shares = r.best_draws, [s.probability_best for s in systems]
        text = f"probability, given these scores, that its score is the {r.words.best}"
        text += ", or so near to it" * bool(rope)
    else:
        return
    note = f"P({top}): {text}."
    if len(r.may_be_best) > 1:
        note += " Not adjusted for all pairs: a high one does not rule out the others."

    def share_of(share: float) -> str:
        return say.probability_text(share, draws)

    yield show.column(f"P({top})", shares, share_of, note=note)
    near = [s.probability_near_best for s in systems if rope]
    yield show.column(f"P(within {say.short(rope)})", near, share_of)


def _against_control(r: Report, systems: Sequence[System]) -> Iterator[show.Column]:
    """Return the interval and the verdict of every system against the control.

    There is none if the control is the first system of its pairs, because sentences say it, or
    if it was chosen by its score, because the column of systems that may be the best says it.
    """
    if r.control is None or r.may_be_best or r.pairs[0].second != r.control:
        return
    others = tables.against_control(r)
    decimals = say.decimals_of_pairs(*others.values())
    pairs = [others.get(s.name) for s in systems]
    minus = "minus" if r.scale == "score" else "against"
    title = f"{minus} {clip(shown_name(r.control), _SHORT)}"
    yield show.column(title, pairs, lambda pair: say.span(pair.low, pair.high, decimals))
    yield show.column("verdict", pairs, lambda p: "no test" if isnan(p.p) else p.verdict)


# --- main facts ----------------------------------------------------------------------------


def has_few_units(r: Report) -> bool:
    """Whether there are too few units for a plan to be shown with the main results."""
    return (r.n_units if r.sampled is None else r.sampled["n"]) < _FEW_UNITS


def _facts(r: Any) -> Rows:
    """Return the main facts: test, design, and what would decide an undecided comparison.

    Difference, interval and p-value of two systems are in the conclusion only.
    """
    if r.is_performance:
        yield "Method", "; ".join(r.tests)
    elif r.is_pair:
        side = "two-sided" if r.alternative == "two-sided" else _one_sided(r)
        yield "Test", ", ".join(filter(None, [r.pairs[0].test, side, r.adjustment]))
    else:
        yield "Test", tables.test_of_pairs(r)
    yield "Design", say.design_line(r.design) or say.units(r.n_units, r.unit)
    if r.change is not None:
        yield "More rows", _change(r, r.change)
    for stability in r.stability.values() if r.is_pair else ():
        yield "Other partitions", say.stability_text(stability)
    yield "To decide", "" if has_few_units(r) else r.would_take


def _scores(r: Report) -> tuple[str, str]:
    """Return the scores of two systems, and which values are better."""
    decimals = max(say.decimals_of_pairs(r.pairs[0]), 3)
    texts = []
    for s in r.systems:
        sd = "" if isnan(s.sd) else f" (sd {say.fixed(s.sd, decimals)})"
        texts.append(f"{shown_name(s.name)} {say.fixed(s.mean, decimals)}{sd}")
    label = f"Mean {r.metric}" if "sd" in r.systems else r.metric
    return label, "; ".join([*texts, r.words.direction])


def _one_sided(r: Report) -> str:
    """Write the direction of the alternative in terms of the shown values."""
    a, b = map(shown_name, r.pairs[0][:2])
    above = (r.alternative == "greater") != r.lower
    return f"one-sided ({a} {'>' if above else '<'} {b})"


def _change(r: Report, change: Mapping[str, Any]) -> str:
    """Write how the difference changes from half of the rows to the larger training sets."""
    pair, (low, high) = r.pairs[0], change["interval"]
    decimals, (a, b) = say.decimals_of_pairs(pair), map(shown_name, pair[:2])
    ahead, behind = (a, b) if (low > 0) != r.lower else (b, a)
    start = f"{ahead} gains on {behind}"
    if low <= 0 <= high:
        start = "no significant change of the difference"
    half, by = (say.fixed(change[name], decimals, sign=True) for name in ("half", "change"))
    interval = f"{say.percent(r.confidence_level)} interval {say.span(low, high, decimals)}"
    values = f"{half} with half, changed by {by} ({interval})"
    return f"{start} from half of the rows to these training sets: {values}"


# --- details: all numbers, the methods, and the assumptions ---------------------------------


def _details(r: Any) -> Rows:
    """Return the facts of the details; some texts may be empty."""
    yield from _of_pair(r, r.pairs[0]) if r.is_pair else _of_systems(r)
    yield from _how(r)
    sturdiness = r.evidence.sturdiness if r.is_pair else None  # this takes time
    if sturdiness is not None:
        text = say.sturdiness_text(sturdiness, shown_name(r.pairs[0].better or ""))
        yield f"Leaving out {unit_word(sturdiness.unit)}s", text
    if r.would_take:
        yield "To decide", r.would_take * has_few_units(r)
        what = "half of the interval's width" if r.margin is None else "the margin"
        text = f"for {what}, from an upper limit of what varied; report.plan() has other sizes"
        yield "Planned", text


def _of_pair(r: Report, pair: Pair) -> Rows:
    a, b = map(shown_name, pair[:2])
    decimals, level = say.decimals_of_pairs(pair), say.percent(r.confidence_level)
    size = f"{say.fixed(pair.estimate, decimals, sign=True)} {r.metric}"
    limits = say.span(pair.low, pair.high, decimals)
    notes = " ".join(tables.about_differences(r, [pair], a, b))
    yield "Difference", f"{size}, {level} interval {limits}. {notes}"
    first, second = r.systems.column("mean")
    if not (r.quantity.is_difference or isnan(first - second)):
        size = say.fixed(first - second, max(decimals, 3), sign=True)
        text = f"{size} {r.metric} ({a} {say.MINUS} {b}), which the test does not estimate"
        yield "Difference of means", text
    if "sd" in r.systems:
        yield "sd", f"standard deviation over the {unit_word(r.unit)}s"
    yield "Statistic", _statistic(r, pair)
    if r.equivalence is not None:
        yield "Equivalence", _equivalence(r, r.equivalence, pair)
    if r.probabilities is not None:
        yield "Probabilities", _credible(r, r.probabilities, pair)


def _statistic(r: Report, pair: Pair) -> str:
    name = say.in_names(r.statistic_name, *map(shown_name, pair[:2]))
    size = say.short(pair.statistic) if isfinite(pair.statistic) else "undefined"
    df = "" if pair.df is None else f", df = {say.short(pair.df)}"
    raw, adjusted, error = say.pvalue_text(pair.pvalue), "", r.monte_carlo_error
    if r.n_family > 1:
        adjusted = f", adjusted {say.pvalue_text(pair.adjusted)}"
    drawn = f" (Monte Carlo error {say.short(float(f'{error:.1g}'))})" if error else ""
    # With a joint law the Monte Carlo error is of the adjusted p-value, else of the raw one.
    pvalues = raw + adjusted + drawn if r.simultaneous else raw + drawn + adjusted
    return f"{name} = {size}{df}, {pvalues}"


def _equivalence(r: Report, test: Mapping[str, Any], pair: Pair) -> str:
    margin, minus = say.short(r.margin), f" {say.MINUS} ".join(map(shown_name, pair[:2]))
    limits = say.span(pair.inner_low, pair.inner_high, say.decimals_of_pairs(pair))
    names = ("pvalue", "lower_pvalue", "upper_pvalue")
    text, below, above = (say.pvalue_text(test[name]) for name in names)
    below = f"{minus} \N{LESS-THAN OR EQUAL TO} {say.MINUS}{margin}: {below}"
    above = f"{minus} \N{GREATER-THAN OR EQUAL TO} {margin}: {above}"
    text = f"{text} (two one-sided tests; against {below}, against {above})"
    if test["adjustment"]:
        limits += " (not adjusted)"
        adjusted = say.pvalue_text(test["adjusted_pvalue"])
        text = f"{adjusted} {test['adjustment']}, unadjusted {text}"
    return f"margin {margin} {r.metric}; {inner_level(r)} interval {limits}; {text}"


def _credible(r: Report, facts: Mapping[str, Any], pair: Pair) -> str:
    """Write the credible interval, the draws and the model of the probabilities."""
    bits = [*probability_details(r, pair)]
    bits += ["not adjusted for other comparisons"] * bool(r.adjustment)
    if facts["interval"] is not None:
        low, high = (nan if end is None else end for end in facts["interval"])
        limits = say.span(low, high, say.decimals_for([low, high]))
        level = say.percent(facts["confidence_level"])
        bits.insert(0, f"{level} credible interval of {facts['subject']} {limits}")
    return f"{'; '.join(bits)}. Model: {facts['model']}"


def _of_systems(r: Report) -> Rows:
    """Return the facts of all systems together."""
    if r.is_performance:
        yield "Of the difference", "; ".join({p.test for p in r.pairs}.difference(r.tests))
        yield "Why this method", r.reason
        return
    if r.omnibus is not None:
        yield "All at once", say.omnibus_text(r.omnibus)
    if r.critical_difference is not None:
        yield "Critical difference", f"{say.fixed(r.critical_difference, 3)} in mean rank"
    undrawn = [f"{shown_name(a)} and {shown_name(b)}" for a, b in r.undrawn]
    yield "Not joined by a bar", say.join_items(undrawn)
    if r.margin is not None:
        method = r.adjustment
        if method == "max-t" or adjustment_facts(method).logical:
            method = "holm"  # as in `equivalences`
        inside = f"the {inner_level(r)} interval inside the margin"
        tests = f"two one-sided tests of every pair ({inside})"
        adjusted = f"p-values adjusted by {say.adjustment_name(method)}"
        yield "Margin", f"{say.short(r.margin)} {r.metric}: {tests}, {adjusted}"
    if r.probabilities is not None:
        rope = r.probabilities["rope"]
        region = f"differences up to {say.short(rope)} {r.metric} are practically none"
        region = region if rope else "without a region"
        yield "Probabilities", f"{r.probabilities['model']}; {region}; not adjusted"
    if r.strengths is not None:
        yield "Strengths", _strengths(r, r.strengths)
    yield "Other partitions", say.pairs_stability_text(r.stability)
    yield "Left out", say.join_items(r.left_out)


def _strengths(r: Report, fit: BradleyTerryPosterior) -> str:
    """Write the assumptions, draws and fit of the model behind the probabilities."""
    unit, n_pairs, model = unit_word(r.unit), len(fit.wins), fit.model
    ties = f" (differences up to {say.short(fit.rope)} {r.metric})" * bool(fit.rope)
    bits = [
        f"one strength for each system; ties{ties} are half a win for either; a comparison "
        f"counts as {fit.weight:.2f} of an independent one, as those on one {unit} depend on "
        "each other",
        f"{model.n_draws} draws, worth {model.effective_size:.0f}",
        f"check of the model: the wins of {round(fit.inside * n_pairs)} of {n_pairs} pairs "
        "are within the limits that it predicts with a probability of 90%",
    ]
    if fit.shares is not None:
        shares = fit.shares
        chances = best_chances(r, shares.best_probabilities, shares.effective_size)
        bits.append(f"by shares of wins, without a model: {chances}")
    return "; ".join(bits)


def _how(r: Report) -> Rows:
    """Return the facts on estimands, hypotheses, units, assumptions and design."""
    names = ["A", "B"]
    effects: Mapping[str, float] = {} if r.omnibus is None else r.omnibus["effect_sizes"]
    if r.is_pair:
        names, effects = list(map(shown_name, r.pairs[0][:2])), r.pairs[0].effects
    sizes = (f"{say.effect_name(name)} {say.short(size)}" for name, size in effects.items())
    yield "Effect sizes", "; ".join(say.in_names(size, *names) for size in sizes)
    yield "Choice of test", say.choice_text(r.choice)
    yield "Estimand", r.estimand
    if r.omnibus is not None:
        yield "Null, all at once", r.omnibus["null_hypothesis"]
    yield "Null hypothesis" if r.is_pair else "Null, in pairs", "; ".join(r.null_hypotheses)
    yield "Unit", say.units_behind(r)
    yield "Assumptions", "; ".join(r.assumptions)
    yield "Not covered", "; ".join(r.ignored_variance)
    yield "All of the design", say.more_of_design(r.design)
    if larger := r.design.get("larger"):
        share, n = larger["train_size"], larger["n_fits"]
        trained = f"train_size={share} trains on {say.share_of_rows(share)} of the rows"
        yield "Larger training sets", f"{trained}, by {n} fits"
    yield "Fits", str(r.n_fits or "")
    if r.is_pair and r.lower:
        text = f"a score in an assumption or a hypothesis is {say.MINUS}{r.metric}"
        yield "Sign", f"lower {r.metric} is better; {text}"


def drawing(r: Any) -> Iterator[show.Bars]:
    """Return the plots: intervals of scores, of differences, or of ranks."""
    if r.is_performance:
        rows = _bars_of(r, low="low", estimate="mean", high="high", mark="training_score")
        note = "Open circles: training scores (optimistic)." * ("training_score" in r.systems)
        yield show.Bars(rows, zero=False, note=note, says="intervals of the estimates")
    elif r.is_pair:
        yield from _bar_of_pair(r)
    elif r.is_leaderboard or r.over_datasets:
        rank = "rank" if r.is_leaderboard else "mean_rank"
        rows = _bars_of(r, low="rank_low", estimate=rank, high="rank_high")
        groups = [group for group in r.groups if len(group) > 1]
        label = rank.replace("_", " ")
        note = "Joined by a bar: no significant difference was found." * bool(groups)
        look: Any = {"zero": False, "ends": (1, len(rows)), "groups": groups, "note": note}
        yield show.Bars(rows, title=label, says=f"{label}s, 1 is best", **look)
    elif all(isfinite(end) for s in r.systems for end in (s.best_low, s.best_high)):
        rows = _bars_of(r, low="best_low", high="best_high")
        yield from intervals(r, rows, f"from the {r.words.top} other", r.words.good)
    else:
        short = dict(zip(r.names, clip_all(r.names, 14), strict=True))
        rows = [bar_of(f"{short[p.first]} {say.MINUS} {short[p.second]}", p) for p in r.pairs]
        yield from intervals(r, rows, "difference", f"first {r.words.good}", r.margin)


def bar_of(name: str, pair: Pair) -> show.Bar:
    """Return the interval of a difference."""
    return show.Bar(name, pair.low, pair.estimate, pair.high, show.TONES[pair.verdict])


def intervals(
    r: Report, rows: list[show.Bar], title: str, who: str, margin: float | None = None
) -> Iterator[show.Bars]:
    """Return a plot of differences against zero, if any is known and they are not too many.

    Parameters
    ----------
    r : Report
        The report.
    rows : list of show.Bar
        The differences.
    title : str
        Name of the differences.
    who : str
        Label of the side on which the first system is better.
    margin : float, optional
        The smallest difference that matters.
    """
    ends = [end for bar in rows for end in (bar.low, bar.high)]
    if len(rows) <= _MOST_BARS and any(map(isfinite, ends)):
        left, right = (who, "") if r.lower else ("", who)
        yield show.Bars(rows, left, right, title, margin, says=f"intervals: {title}")


def inner_level(r: Report) -> str:
    """Write the level of the interval that decides about a margin: 1 - 2 alpha."""
    return say.percent(round(2 * r.confidence_level - 1, 12))


def inner_of(r: Report, pair: Pair) -> tuple[float, float] | None:
    """Return the interval that decides about the margin; None if its p-value is adjusted."""
    decides = r.equivalence is not None and not r.equivalence["adjustment"]
    limits = pair.inner_low, pair.inner_high
    return limits if decides and not r.words.by_rank and isfinite(sum(limits)) else None


def _bar_of_pair(r: Any) -> Iterator[show.Bars]:
    """Return a plot of the interval of a difference against zero, the margin or the region."""
    pair, margin, turned = r.pairs[0], r.margin, r.is_turned
    if isnan(pair.estimate) or not any(map(isfinite, (pair.low, pair.high))):
        return
    inner = inner_of(r, pair)
    law: Sequence[tuple[float, float]] = ()
    if margin is None and r.probabilities is not None and r.scale == "score":
        points = zip(*(r.evidence.posterior._law() or ((), ())), strict=True)
        shown = say.ShownMetric(r.metric, r.is_turned).value
        law = sorted((float(shown(at)), float(height)) for at, height in [*points][::4])
        margin = r.probabilities["rope"]
    first, second = clip_all(pair[:2], 20)
    first, second = f"{first} {r.words.good}", f"{second} {r.words.good}"
    note = ""
    if inner:
        note = f"Thick: the {inner_level(r)} interval, which decides about the margin."
    yield show.Bars(
        [bar_of("", pair)._replace(inner=inner or ())],
        first if turned else second,
        second if turned else first,
        margin=margin,
        law=law,
        sides=("better", "worse") if turned else ("worse", "better"),
        note=note,
        says=f"interval of the difference against zero: {r.sentences[0]}",
    )


def _bars_of(r: Report, **fields: str) -> list[show.Bar]:
    """Return a bar for every system, if all have values, and they are not too many.

    The tone shows the verdict against the control, or whether a system may be the best.
    """
    against, candidates = tables.against_control(r), r.may_be_best
    tones = {name: show.TONES[pair.verdict] for name, pair in against.items()}
    if candidates and r.control is None:
        tone: show.Tone = "better" if len(candidates) == 1 else "undecided"
        tones = {name: tone if name in candidates else "worse" for name in r.names}
    rows = []
    for s in r.systems:
        values = {key: getattr(s, field) for key, field in fields.items()}
        name = s.name + " (control)" * (s.name == r.control)
        rows.append(show.Bar(name, tone=tones.get(s.name, ""), **values))
    unknown = any(isnan(bar.low) and isnan(bar.estimate) for bar in rows)
    return [] if unknown or len(rows) > _MOST_DRAWN else rows
