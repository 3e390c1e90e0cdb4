"""Paragraphs for the methods and the results section of a paper, with BibTeX references."""

import platform
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from itertools import zip_longest
from math import isfinite, isnan
from pathlib import Path
from typing import Any, Literal

from skstat._names import inert, no_command, one_line, shown_name
from skstat.report import _terms as say
from skstat.report._conclude import conclude, variation
from skstat.report._evidence import SliceEvidence
from skstat.report._forms import escape_latex
from skstat.report._model import Pair, Report, ReportGrid
from skstat.report._records import parts_of
from skstat.report._say_pair import probability_sentence
from skstat.stats import Reference, equivalence, rank_intervals
from skstat.stats._multiplicity import adjustment_facts
from skstat.stats._procedure import declared
from skstat.stats._procedure import works as literature
from skstat.stats._words import unit_word

Style = Literal["plain", "apa"]

# With more pairs only those with the leader are written, and the others are counted.
_MOST_PAIRS = 6
# Citations in a text: keys of works between characters that no name has.
_CITED = re.compile("\0(.*?)\0")


class Methods:
    """The paragraph on the methods of a comparison, with the works that it cites.

    Parameters
    ----------
    r : Report or ReportGrid
        The report.
    """

    def __init__(self, r: Report | ReportGrid) -> None:
        self._works: dict[str, Reference] = {}
        parts = [part for _, part, _ in parts_of(r)]
        first = parts[0]
        metrics = (part.metric + " (lower is better)" * part.lower for part in parts)
        by = " and by ".join(dict.fromkeys(metrics))
        names = first.names if isinstance(r, Report) else r.systems or first.names
        opening = f"{say.join_names(names)} were compared by {by}."
        if first.is_performance:
            opening = f"The performance of {say.join_names(names)} was measured by {by}."
        self._text = " ".join([one_line(opening), *self._methods(r), self._software(first)])

    def text(self, *, latex: bool) -> str:
        """Return the paragraph; works are cited by key in LaTeX, else by author and year."""
        result = ""
        for index, part in enumerate(_CITED.split(self._text)):
            if index % 2:
                cited = "; ".join(self._works[key].cited for key in part.split(","))
                result += rf"~\citep{{{part}}}" if latex else f" ({cited})"
            else:
                result += " " * part.startswith(" ") + escape_latex(part) if latex else part
        return result

    @property
    def works(self) -> list[Reference]:
        """The works that are cited, each once, in their order."""
        keys = ",".join(_CITED.findall(self._text)).split(",")
        return [self._works[key] for key in dict.fromkeys(keys)]

    def _cite(self, works: Iterable[Reference | Mapping[str, Any]]) -> str:
        """Return a citation of works, which may be given as dictionaries."""
        refs = (Reference.from_dict(w) if isinstance(w, Mapping) else w for w in works)
        by_key = {ref.key: ref for ref in refs}
        self._works |= by_key
        return f"\0{','.join(by_key)}\0" if by_key else ""

    def _methods(self, r: Report | ReportGrid) -> Iterator[str]:
        """Write design and tests, without the opening and the software."""
        if isinstance(r, Report):
            yield from self._design(r)
            yield from self._performance(r) if r.is_performance else self._comparison(r)
        elif r.overall is not None:
            yield from self._methods(r.overall)
            yield from self._in_slices(r)
        else:
            # Sentences that several reports share are written once.
            rows = zip_longest(*map(self._methods, r.reports.values()), fillvalue="")
            yield from dict.fromkeys(text for row in rows for text in row if text)
            if not r.first.is_performance:
                n = len(r.reports)
                yield f"The p-values are not adjusted for the number of {r.by}s ({n})."

    def _design(self, r: Report) -> Iterator[str]:
        """Write the design, the number of fits and the unit of observation."""
        design = r.design
        if text := say.more_of_design(design) or say.design_line(design):
            works = self._cite(design.get("references", ()))
            rows = f" for {design['n_samples']} rows" if "n_samples" in design else ""
            what = f"The design{rows} was " if "kind" in design else "The scores were given; "
            yield f"{what}{text}{works}."
        n_fitted, halves = len(r.names) - len(r.constants), design.get("halves", {})
        n_each = design.get("fits_each", design.get("n_splits", 0)) + halves.get("n_splits", 0)
        if n := r.n_fits or n_each * n_fitted:
            per_system = f", {n // n_fitted} of each system on the same splits" * (n_fitted > 1)
            yield f"The number of fits was {n}{per_system}."
        yield f"The units of observation were {say.units_behind(r)}."

    def _performance(self, r: Report) -> Iterator[str]:
        """Write how performances were estimated."""
        rows = (*r.evidence.rows, *filter(None, [r.evidence.difference]))
        works = {row.estimate.method: row.estimate.references for row in rows}
        methods = " and by ".join(method + self._cite(refs) for method, refs in works.items())
        level = f"{say.percent(r.confidence_level)} confidence intervals"
        yield f"The estimates and their {level} were computed by {methods}."

    def _comparison(self, r: Report) -> Iterator[str]:
        """Write how systems were compared, in pairs and all at once."""
        if r.omnibus is not None:
            works = self._cite(r.omnibus["references"])
            yield f"All were tested at once with the {r.omnibus['test']}{works}."
        who = "The difference was tested" if r.is_pair else "Every pair was tested"
        if r.control is not None:
            who = f"Every other system was tested against {say.join_names([r.control])}"
        tests = " and the ".join(r.tests)
        yield f"{who} with the {tests}{self._cite(_works_of(r))}, {asked_of(r)}."
        if r.is_pair and r.adjustment:
            yield f"The p-value was {r.adjustment}."
        elif r.adjustment:
            facts = adjustment_facts(r.adjustment)
            error = "false discovery rate" if facts.fdr else "family-wise error"
            works = self._cite(facts.references)
            yield f"The p-values were {adjusted_of(r)}{works}, which controls the {error}."
        at_once = ", for all pairs at once" * (r.simultaneous and not r.is_pair)
        level = f"{say.percent(r.confidence_level)}{at_once}"
        yield f"The significance level was {r.alpha:g}, that of confidence intervals {level}."
        if n_drawn := r.evidence.outcomes[0].n_drawn:
            yield f"The test used {n_drawn} random draws."
        yield from self._beyond_tests(r)

    def _beyond_tests(self, r: Report) -> Iterator[str]:
        """Write how a margin, probabilities, ranks and other partitions were analysed."""
        metric, unit = one_line(r.metric), unit_word(r.unit)
        if r.margin is not None:
            works = self._cite(declared(equivalence).references)
            size = f"{say.short(r.margin)} in {metric}"
            how = f"two one-sided tests{works}, each at a level of {r.alpha:g}"
            small = f"Differences smaller than {size} were taken not to matter"
            yield f"{small}; equivalence was tested with {how}."
        if r.probabilities is not None:
            posterior = r.evidence.posteriors[0]
            of, about = (f" {one} every pair" * (not r.is_pair) for one in ("of", "for"))
            words = {"works": self._cite(posterior.references), "unit": unit}
            done = posterior.done.format(of_pairs=of, for_pairs=about, **words)
            size = f"{say.short(posterior.rope)} in {metric}"
            region = f"; differences up to {size} were taken to be practically none"
            yield f"{done}{region * bool(posterior.rope)}."
        if (model := r.strengths) is not None:
            shares = model.shares is not None  # the last reference is about shares
            works = self._cite(model.references if shares else model.references[:-1])
            chance = f"The probability of each to be the {r.words.top}"
            name = f"a Bradley-Terry model in which a comparison counted {model.weight:.2f}"
            why = f"since those of one {unit} are not independent"
            also = ", and by shares of wins" * shares
            yield f"{chance} was computed by {name}, {why}{also}{works}."
        for posterior in [*r.stability.values()][:1]:
            others = say.units(len(posterior.seeds), "other random partition")
            yield f"The whole comparison was repeated on {others}."
        if r.is_leaderboard:
            works = self._cite(declared(rank_intervals).references)
            yield f"The ranks that systems may have follow from the significant pairs{works}."
        if (ranks := r.rank_stability) is not None:
            drawn = f"{ranks.n_resamples} bootstrap resamples of the {unit_word(ranks.unit)}s"
            yield f"How stable the ranks are was seen from {drawn}."

    def _in_slices(self, grid: ReportGrid) -> Iterator[str]:
        """Write how systems were compared in slices."""
        parts = [row for pair in grid.evidence.pairs for row in pair.parts.values()]
        tests = dict.fromkeys(test for _, part in grid.each() for test in part.tests)
        refs = (work for row in parts for work in row.outcome.unadjusted.references)
        how = f"{' and the '.join(tests)}{self._cite(refs)}, {asked_of(grid.first)}"
        cut = one_line(say.join_names(grid.cut_by or ["one column"]))
        rows = f"{say.units(len(grid.reports), 'slice')} of the rows, by {cut}"
        yield f"They were also compared in {rows}, with the {how}."
        if len(parts) > 1:
            works = self._cite(adjustment_facts(grid.adjustment).references)
            how = f"adjusted by {say.adjustment_name(grid.adjustment)}{works}"
            yield f"The p-values of all {len(parts)} comparisons in slices were {how}."
        between = [row.between for row in grid.pairs if row.between]
        if between:
            test = between[0]
            adjusted = ", with p-values adjusted by Holm's method" * (len(between) > 1)
            text = f"{test['test']}{self._cite(test['references'])}{adjusted}"
            yield f"Whether the difference varies between slices was tested with {text}."

    def _software(self, r: Report) -> str:
        """Write the running software, with scikit-learn if it was used for fits."""
        # Importing the package here would be a circular import.
        release = str(sys.modules["skstat"].__version__)
        entry = literature.THE_SKSTAT_DEVELOPERS_2026.entry
        work = Reference(entry.replace("package}", f"package, version {release}}}"))
        text = f"The analysis was done with skstat {release}{self._cite([work])}"
        if r.is_performance or "splitter" in r.design:
            works = self._cite([literature.PEDREGOSA_ET_AL_2011])
            text += f" and scikit-learn {version('scikit-learn')}{works}"
        return f"{text} in Python {platform.python_version()}."


def methods_text(self: Report | ReportGrid, *, latex: bool = False) -> str:
    r"""Return the paragraph on this comparison for the methods section of a paper.

    Test, design, unit of observation, number of fits, adjustment, level, margin, and
    software, with the works that they go back to. :meth:`to_bibtex` has their entries.

    Parameters
    ----------
    latex : bool, default=False
        Write LaTeX, in which works are cited as ``\citep{key}`` (natbib, biblatex) with
        the keys of :meth:`to_bibtex`. Otherwise they are cited by author and year.

    Returns
    -------
    str
        One paragraph. The versions of the software are those that are running now.

    Examples
    --------
    >>> from skstat import compare_scores
    >>> scores = {"new": [0.8, 0.7, 0.9, 0.8], "old": [0.7, 0.6, 0.9, 0.7]}
    >>> report = compare_scores(scores, n_train=60, n_test=30)
    >>> print(report.methods_text().split(", two-sided")[0])
    new and old were compared by score. The design was 4 splits of one data set; trained on
    60 rows, tested on 30. The units of observation were 4 splits. The difference was
    tested with the corrected resampled t test (Nadeau & Bengio, 2003)
    """
    return no_command(inert(Methods(self).text(latex=latex)))


def to_bibtex(self: Report | ReportGrid, path: str | Path | None = None) -> str:
    """Return the works that :meth:`methods_text` cites as BibTeX.

    Parameters
    ----------
    path : str or path-like, optional
        Where to write the text.

    Returns
    -------
    str
        One entry per work, in the order of their citation.

    Examples
    --------
    >>> from skstat import compare_scores
    >>> scores = {"new": [0.8, 0.7, 0.9, 0.8], "old": [0.7, 0.6, 0.9, 0.7]}
    >>> report = compare_scores(scores, n_train=60, n_test=30)
    >>> print(report.to_bibtex()[:170])
    @article{nadeau2003inference,
      author = {Nadeau, C. and Bengio, Y.},
      title = {Inference for the generalization error},
      journal = {Machine Learning},
      year = {2003},
    """
    entries = [work.to_bibtex() for work in Methods(self).works]
    text = "\n\n".join(entries) + "\n"
    if path is not None:
        Path(path).write_text(text, encoding="utf-8")
    return text


def asked_of(r: Report) -> str:
    """Write whether tests are two-sided, or which one-sided alternative they have."""
    if r.alternative == "two-sided":
        return r.alternative
    first, second = "the first of two", "the second"
    if r.is_pair:
        first, second = (one_line(shown_name(name)) for name in r.names)
    word = r.words.good if r.alternative == "greater" else r.words.bad
    return f"one-sided (the alternative is that {first} is {word} than {second})"


def adjusted_of(r: Report) -> str:
    """Write how p-values were adjusted, and for how many comparisons."""
    if r.is_pair:
        return r.adjustment
    in_slices = " in slices" * isinstance(r.evidence, SliceEvidence)
    family = f"{say.units(r.n_family, 'pair')}{in_slices}"
    return f"adjusted by {say.adjustment_name(r.adjustment)} for {family}"


def _works_of(r: Report) -> Iterator[Reference]:
    """Iterate over the works on the tests of pairs, and on all pairs together."""
    for one in r.evidence.outcomes.distinct("unadjusted"):
        yield from one.references
    if not isinstance(r.evidence, SliceEvidence):
        yield from r.evidence.pairwise.references


def results_text(
    self: Report | ReportGrid, *, style: Style = "plain", latex: bool = False
) -> str:
    r"""Return the paragraph on this comparison for the results section of a paper.

    Mean scores with their standard deviations, the difference with its interval, the
    statistic, the p-value (adjusted where there are several comparisons) and an effect
    size. If p-values are not valid, the reason comes first.

    Parameters
    ----------
    style : {"plain", "apa"}, default="plain"
        ``"plain"``: the conclusion in words, with the numbers behind it. ``"apa"``: the
        numbers as in ``t(11) = 2.31, p = .041``, as the American Psychological
        Association writes them. Of more than six pairs only those with the leader are written,
        or with the control.
    latex : bool, default=False
        Escape the special characters of LaTeX.

    Returns
    -------
    str
        One paragraph; of several metrics or seeds a line for each.

    Raises
    ------
    ValueError
        If `style` is unknown.

    Examples
    --------
    >>> from skstat import compare_scores
    >>> scores = {"new": [0.8, 0.7, 0.9, 0.8], "old": [0.7, 0.6, 0.9, 0.7]}
    >>> report = compare_scores(scores, n_train=60, n_test=30)
    >>> print(report.results_text(style="apa"))
    Mean score over 4 splits (higher is better): new (M = 0.800, SD = 0.082); old (M =
    0.725, SD = 0.126). The difference between new and old was not significant: difference
    (new − old) = 0.075, 95% CI [−0.063, 0.213], t(3) = 1.73, p = .182.
    """
    write = {"plain": _plain, "apa": _apa}.get(style)
    if write is None:
        raise ValueError(f"style={style!r} is unknown; use 'plain' or 'apa'.")
    lines = []
    for (_, *names), part, grid in parts_of(self):
        sentences = conclude(part) if part.is_performance else write(part)
        lines.append("".join(f"{name}: " for name in names) + " ".join(sentences))
        if grid is not None and part is grid.overall:
            lines += variation(grid)
    texts = (no_command(one_line(line)) for line in lines)
    return "\n".join(map(escape_latex, texts) if latex else texts)


def _plain(r: Report) -> Iterator[str]:
    yield _scores(r, "plain")
    yield from conclude(r)
    if r.is_pair:
        pair = r.pairs[0]
        sizes = [f"{name} = {say.short(size)}" for name, size in _effects(r, pair).items()]
        statistic = _statistic(r.statistic_name, pair.df, pair.statistic)
        for label, parts in (("Statistic", [statistic]), ("Effect sizes", sizes)):
            if any(parts):
                yield _in_names(f"{label}: {'; '.join(parts)}.", pair)


def _apa(r: Report) -> Iterator[str]:
    if r.invalid:
        yield f"Not valid: {r.invalid}."
    yield _scores(r, "apa")
    if (omnibus := r.omnibus) is not None:
        what = "mean ranks" if omnibus["scale"] == "rank" else "systems"
        parts = [_statistic(omnibus["statistic_name"], omnibus["df"], omnibus["statistic"])]
        parts.append(_p(omnibus["pvalue"]))
        effects = omnibus["effect_sizes"].items()
        parts += [f"{name} = {say.fixed(size, 2)}" for name, size in effects][:1]
        yield f"Test of all {what}: {', '.join(parts)}."
    are_many, leader = len(r.pairs) > _MOST_PAIRS, r.control or r.names[0]
    columns = zip(r.pairs.column("first"), r.pairs.column("second"), strict=True)
    for index, names in enumerate(columns):
        if not are_many or leader in names:
            pair = r.pairs[index]
            numbers = ", ".join(filter(None, _numbers(r, pair)))
            yield _in_names(f"{_verdict(r, pair)}: {numbers}.", pair)
    if are_many and r.control is None:
        n = sum(p < r.alpha for p in r.pairs.column("adjusted"))
        yield f"Of all {len(r.pairs)} pairs {n} differed significantly."
    if r.is_pair and r.probabilities is not None:
        yield probability_sentence(r, r.pairs[0])


def _scores(r: Report, style: Style) -> str:
    """Write the mean score of every system, and its standard deviation over the units."""
    systems = [system for system in r.systems if system.name not in r.constants]
    decimals = max(3, say.decimals_for(system.mean for system in systems))
    texts = []
    for system in systems:
        bits = [f"{'M = ' * (style == 'apa')}{say.fixed(system.mean, decimals)}"]
        bits += [f"SD = {say.fixed(system.sd, decimals)}"] * isfinite(system.sd)
        bits += [f"mean rank {say.fixed(system.mean_rank, 2)}"] * isfinite(system.mean_rank)
        texts.append(f"{shown_name(system.name)} ({', '.join(bits)})")
    what = f"Mean {r.metric}" if "sd" in r.systems else r.metric
    over = f"; SD over {r.sd_over}" * bool(r.sd_over)
    n = say.units(r.n_units, r.unit)
    return f"{what} over {n} ({r.words.direction}{over}): {'; '.join(texts)}."


def _verdict(r: Report, pair: Pair) -> str:
    """Write which of A and B is better, or that there is no significant difference."""
    if pair.verdict in ("better", "worse", "higher", "lower"):
        return f"A was significantly {pair.verdict} than B"
    if pair.verdict == "equivalent":
        also = ", but differed significantly" * (pair.p < r.alpha)
        return f"A and B were equivalent within the margin of {say.short(r.margin)}{also}"
    if pair.p < r.alpha:
        return "A and B differed significantly, but in no common direction or size"
    if isnan(pair.pvalue):
        return "No test of A against B was possible"
    undecided = "the difference between A and B was not significant"
    if r.alternative != "two-sided":
        better = r.words.good if r.alternative == "greater" else r.words.bad
        undecided = f"it was not shown that A was {better} than B"
    if pair.verdict == "not inferior":
        close = f"A was not {r.words.bad} than B by {say.short(r.margin)}"
        return f"{close}, and {undecided}"
    return undecided[0].upper() + undecided[1:]


def _numbers(r: Report, pair: Pair) -> Iterator[str]:
    """Write the difference with its interval, the statistic, the p-value and an effect size."""
    minus = f"rank of B {say.MINUS} rank of A" if r.words.by_rank else f"A {say.MINUS} B"
    decimals = say.decimals_of_pairs(pair)
    yield f"{r.quantity.name} ({minus}) = {say.fixed(pair.estimate, decimals)}"
    tested = not isnan(pair.pvalue)
    sided = "" if r.alternative == "two-sided" else "one-sided "
    if interval := bracketed(pair.low, pair.high, decimals):
        kind = "simultaneous " if r.simultaneous else "adjusted " * bool(r.adjustment)
        yield f"{sided}{kind}{say.percent(r.confidence_level)} CI {interval}"
    if tested and pair.df is not None:
        yield _statistic(r.statistic_name, pair.df, pair.statistic)
    yield f"{sided * tested}{_p(pair.pvalue)}"
    if not isnan(pair.adjusted):
        yield f"adjusted {_p(pair.adjusted)}"
    if r.margin is not None:
        unadjusted = r.equivalence is not None and not r.equivalence["adjustment"]
        if unadjusted and tested and pair.verdict == "not inferior":
            yield f"non-inferiority {_p(pair.noninferior_p)}"
        yield f"{'' if unadjusted else 'adjusted '}equivalence {_p(pair.equivalence_p)}"
    effects = _effects(r, pair)
    effects.pop(r.quantity.name, None)  # written above
    if tested and effects:
        name = next(iter(effects))
        if r.quantity.name != "difference" and "rank-biserial" in effects:
            name = "rank-biserial"
        yield f"{name} = {say.fixed(effects[name], 2)}"


def bracketed(low: float, high: float, decimals: int) -> str:
    """Write an interval in brackets; empty if neither limit is finite."""
    if not (isfinite(low) or isfinite(high)):
        return ""
    return f"[{_number(low, decimals)}, {_number(high, decimals)}]"


def _number(value: float | None, decimals: int) -> str:
    """Write a limit or a statistic, which may be infinite."""
    if value is not None and isfinite(value):
        return say.fixed(value, decimals)
    return f"{say.MINUS if value is not None and value < 0 else ''}\N{INFINITY}"


def _statistic(name: str, df: Any, value: float | None) -> str:
    """Write ``t(15) = 2.74``, or ``R+ = 89``; nothing if there is none."""
    if not name or (value is not None and isnan(value)):
        return ""
    if df is None:
        return f"{name} = {say.short(value)}"
    degrees = ", ".join(map(say.short, df if isinstance(df, list | tuple) else [df]))
    return f"{name}({degrees}) = {_number(value, 2)}"


def _p(pvalue: float) -> str:
    """Write ``p = .015``, without the leading zero."""
    if isnan(pvalue):
        return "no p-value"
    if 0.001 <= pvalue < 0.9995:
        return f"p = {pvalue:.3f}".replace("0.", ".")
    return "p < .001" if pvalue < 0.001 else "p > .999"


def _effects(r: Report, pair: Pair) -> dict[str, float]:
    """Return standardised effects; none over splits, where shared rows would inflate them."""
    sizes = {} if r.unit == "split" else pair.effects
    return {say.effect_name(name): size for name, size in sizes.items() if isfinite(size)}


def _in_names(text: str, pair: Pair) -> str:
    """Replace A and B in a text by the names of both systems."""
    return say.in_names(text, *map(shown_name, pair[:2]))
