"""What a comparison of two systems shows, as rows of label and text, for every form.

In these dictionaries the values of losses are losses, as readers see them.
"""

from collections.abc import Sequence
from typing import Any

from skstat._names import one_line, shown_name
from skstat.report._contents.contents import Contents, Section
from skstat.report._contents.drawings import interval_drawing
from skstat.report._contents.interval import shown_interval
from skstat.report._contents.records import pair_record
from skstat.report._contents.tone import comparison_badge
from skstat.report._words import (
    bounds_text,
    choice_text,
    decimals_for,
    design_line,
    df_text,
    direction_text,
    draws_text,
    estimand_in_names,
    expected_text,
    fixed,
    in_names,
    more_of_design,
    percent,
    pvalue_text,
    short,
    stability_text,
    three_probabilities,
    units,
    units_behind,
)
from skstat.stats._outcomes import Probabilities, unit_word


def comparison_contents(part: dict[str, Any]) -> Contents:
    """Return what is shown of a comparison of two systems."""
    a, b = map(shown_name, part["names"])
    section = Section(
        title=one_line(f"{a} against {b}, {part['metric']}"),
        badges=[comparison_badge(part)],
        rows=headline_rows(part),
        drawing=interval_drawing(part),
        interval=shown_interval(part),
        about=detail_rows(part),
        comparisons=[_pair(part)],
        records=[_record(part)],
    )
    return Contents(
        conclusion=part["conclusion"],
        sections=[section],
        doubts=part["doubts"],
        subject=f"{a} against {b}",
        metric=part["metric"],
    )


def lead_first(sentences: Sequence[str]) -> list[tuple[str, str]]:
    """Let the first sentence lead: it says what was found of all systems."""
    return [(sentences[0], ""), *(("", text) for text in sentences[1:])]


def _pair(part: dict[str, Any]) -> dict[str, Any]:
    """Return a comparison as several systems hold it: names, limits and decimals apart."""
    (a, b), (low, high) = part["names"], part["interval"]
    row = {
        **part,
        "first": a,
        "second": b,
        "low": low,
        "high": high,
        "undefined": part["interval_kind"] == "none",
        "decimals": _decimals(part),
    }
    if part["margin"] is not None:
        row["equivalence_pvalue"] = equivalence_pvalue(part)
    if (probable := part["probabilities"]) is not None:
        row |= {f"probability_{name}": probable[name] for name in Probabilities._fields}
        row["rope"] = probable["rope"]
    return row


def _record(part: dict[str, Any]) -> dict[str, Any]:
    """Return a comparison as one row of plain numbers."""
    first, second = (score["mean"] for score in part["scores"])
    stability = part.get("stability") or {}
    return pair_record(
        _pair(part),
        part,
        (first, second),
        n=part["n_units"],
        quantity=part["quantity"]["name"],
        same_verdict=stability.get("share"),
    )


def headline_rows(part: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what everybody should read beside the conclusion: scores, test and design.

    Difference, interval and p-value are in the conclusion, and not said again.
    """
    rows = [
        (_scores_label(part), _scores_text(part)),
        ("Test", _test_line(part)),
        ("Design", design_line(part["design"]) or units(part["n_units"], part["unit"])),
    ]
    if "change" in part:
        rows.append(("More rows", change_text(part)))
    if part.get("stability"):
        rows.append(("Other partitions", stability_text(part["stability"])))
    return rows


def _scores_label(part: dict[str, Any]) -> str:
    of_units = any(score["sd"] is not None for score in part["scores"])
    return f"Mean {part['metric']}" if of_units else str(part["metric"])


def _scores_text(part: dict[str, Any]) -> str:
    decimals = max(_decimals(part), 3)
    scores = [
        f"{shown_name(name)} {fixed(score['mean'], decimals)}"
        + (f" (sd {fixed(score['sd'], decimals)})" if score["sd"] is not None else "")
        for name, score in zip(part["names"], part["scores"], strict=True)
    ]
    return "; ".join([*scores, direction_text(part)])


def _test_line(part: dict[str, Any]) -> str:
    """Name the test, its direction and the adjustment; the numbers are details."""
    return ", ".join(filter(None, [part["test"], _asked(part), part["adjustment"]]))


def detail_rows(part: dict[str, Any]) -> list[tuple[str, str]]:
    """Return every number and word behind the headline."""
    decimals = _decimals(part)
    a, b = map(shown_name, part["names"])
    rows = [
        ("Difference", difference_text(part)),
        (f"{_percent_label(part)} interval", interval_text(part)),
    ]
    quantity = part["quantity"]
    if not quantity["is_difference"] and quantity["difference"] is not None:
        size = fixed(quantity["difference"], max(decimals, 3), sign=True)
        text = f"{size} {part['metric']} ({_minus(part)}), which the test does not estimate"
        rows.append(("Difference of means", text))
    rows.append(("Statistic", statistic_text(part)))
    if part["margin"] is not None:
        rows.append(("Margin", margin_text(part)))
        rows.append(("Equivalence", equivalence_text(part)))
    if part["probabilities"] is not None:
        rows.append(("Probabilities", probabilities_text(part)))
    sizes = (
        f"{_in_names(part, name)} {short(value)}"
        for name, value in part["effect_sizes"].items()
    )
    rows += [
        ("Effect sizes", "; ".join(sizes)),
        ("Choice of test", choice_text(part["choice"])),
        (
            "Estimand",
            estimand_in_names(part["estimand"], a, b, part["metric"], part["scale"]),
        ),
        ("Null hypothesis", _in_names(part, part["null_hypothesis"])),
        ("Unit", units_behind(part)),
        ("Assumptions", "; ".join(_in_names(part, text) for text in part["assumptions"])),
        ("Not covered", "; ".join(part["ignored_variance"])),
        ("All of the design", more_of_design(part["design"])),
        ("Sign", meaning_of_score(part)),
    ]
    return [(label, text) for label, text in rows if text]


def _in_names(part: dict[str, Any], text: str) -> str:
    a, b = map(shown_name, part["names"])
    return in_names(text, a, b)


def _minus(part: dict[str, Any]) -> str:
    """Write which difference it is, by the names of the systems."""
    a, b = map(shown_name, part["names"])
    return f"{a} \N{MINUS SIGN} {b}"


def meaning_of_score(part: dict[str, Any]) -> str:
    """Say what is meant by the score of a loss."""
    if not part["is_loss"]:
        return ""
    metric = part["metric"]
    return (
        f"lower {metric} is better. Where words and statistics speak of a score, it is "
        f"\N{MINUS SIGN}{metric}"
    )


def difference_text(part: dict[str, Any]) -> str:
    """Write the estimate with its direction."""
    estimate = fixed(part["estimate"], _decimals(part), sign=True)
    if part["scale"] == "mean rank":
        a, b = map(shown_name, part["names"])
        return f"{estimate} in mean rank (rank of {b} − rank of {a}), by {part['metric']}"
    lower = "; lower is better" if part["is_loss"] else ""
    quantity = part["quantity"]
    if quantity["is_difference"]:
        return f"{estimate} {part['metric']} ({_minus(part)}{lower})"
    of = f" of single {unit_word(part['unit'])}s" if quantity["of_units"] else ""
    return f"{estimate}: {quantity['name']} in {part['metric']}{of} ({_minus(part)}{lower})"


def change_text(part: dict[str, Any]) -> str:
    """Write how the difference changes from half of the rows to the larger training sets."""
    change, decimals = part["change"], _decimals(part)
    low, high = change["interval"]
    a, b = map(shown_name, part["names"])
    gains = (low > 0) != part["is_loss"]
    found = (
        "no significant change of the difference"
        if low <= 0 <= high
        else f"{a if gains else b} gains on {b if gains else a}"
    )
    return (
        f"{found} from half of the rows to these training sets: "
        f"{fixed(change['half'], decimals, sign=True)} with half, "
        f"changed by {fixed(change['change'], decimals, sign=True)} "
        f"({_percent_label(part)} interval {fixed(low, decimals, sign=True)} to "
        f"{fixed(high, decimals, sign=True)})"
    )


def interval_text(part: dict[str, Any]) -> str:
    """Write the interval's limits."""
    low, high = part["interval"]
    decimals = _decimals(part)
    kind = part["interval_kind"]
    if kind == "none":
        return "none exists"
    if kind == "unlimited":
        return f"no limit with so few {unit_word(part['unit'])}s"
    if kind == "at least":
        return f"at least {fixed(low, decimals, sign=True)} (one-sided)"
    if kind == "at most":
        return f"at most {fixed(high, decimals, sign=True)} (one-sided)"
    text = f"{fixed(low, decimals, sign=True)} to {fixed(high, decimals, sign=True)}"
    if part["simultaneous"]:
        return f"{text} (simultaneous)"
    return f"{text} (adjusted like the p-value)" if part["adjustment"] else text


def statistic_text(part: dict[str, Any]) -> str:
    """Write statistic, df and p-value."""
    bits = [f"{_in_names(part, part['statistic_name'])} = {short(part['statistic'])}"]
    if part["df"] is not None:
        bits.append(f"df = {df_text(part['df'])}")
    error = part["monte_carlo_error"]
    drawn = f" (Monte Carlo error {short(float(f'{error:.1g}'))})" if error else ""
    bits.append(pvalue_text(part["pvalue"]))
    if part["adjusted_pvalue"] is not None:
        bits.append(f"adjusted {pvalue_text(part['adjusted_pvalue'])}")
    # Of a family the adjusted one is drawn, else the own one.
    own = part["adjusted_pvalue"] is not None and not part["simultaneous"]
    bits[-2 if own else -1] += drawn
    return ", ".join(bits)


def _asked(part: dict[str, Any]) -> str:
    """Write the direction of the alternative, of the values that are shown."""
    if part["alternative"] == "two-sided":
        return "two-sided"
    above = (part["alternative"] == "greater") != part["is_loss"]
    a, b = map(shown_name, part["names"])
    return f"one-sided ({a} {'>' if above else '<'} {b})"


def equivalence_pvalue(part: dict[str, Any]) -> float | None:
    """Return the p-value of equivalence that the verdict rests on."""
    found: dict[str, Any] = part["equivalence"]
    return found["adjusted_pvalue"] if found["adjustment"] else found["pvalue"]


def margin_text(part: dict[str, Any]) -> str:
    """Write the margin, and the verdict on it."""
    verdict = part["verdict"]
    if part["better"] is not None:
        verdict = f"{shown_name(part['better'])} is better"
    elif verdict in ("undecided", "not inferior"):
        not_worse = part["equivalence"]["noninferior"]
        verdict = "undecided" + "".join(
            f", {shown_name(name)} is not worse by as much"
            for name, shown in zip(part["names"], not_worse, strict=True)
            if shown
        )
    return f"{short(part['margin'])} {part['metric']}; verdict: {verdict}"


def equivalence_limits(part: dict[str, Any]) -> str:
    """Write the limits of the 1 - 2 alpha interval."""
    found = part["equivalence"]
    low, high = found["interval"]
    if low is None and high is None:
        return "none exists" if found["pvalue"] is None else "without a limit"
    below, above = (
        "no limit" if end is None else fixed(end, _decimals(part), sign=True)
        for end in (low, high)
    )
    return f"{below} to {above}"


def equivalence_text(part: dict[str, Any]) -> str:
    """Write the 1 - 2 alpha interval and the p-values of both sides."""
    found, limits = part["equivalence"], equivalence_limits(part)
    margin = short(part["margin"])
    sides = (
        f"against {_minus(part)} \N{LESS-THAN OR EQUAL TO} \N{MINUS SIGN}{margin}: "
        f"{pvalue_text(found['lower_pvalue'])}, against {_minus(part)} "
        f"\N{GREATER-THAN OR EQUAL TO} {margin}: {pvalue_text(found['upper_pvalue'])}"
    )
    if found["adjustment"]:
        limits += " (not adjusted)"
    text = f"{percent(found['confidence_level'])} interval {limits}; "
    if found["adjustment"]:
        text += f"{pvalue_text(found['adjusted_pvalue'])} {found['adjustment']}, unadjusted "
    return f"{text}{pvalue_text(found['pvalue'])} (two one-sided tests; {sides})"


def probabilities_text(part: dict[str, Any]) -> str:
    """Write the probabilities, the credible interval, and what they rest on."""
    found = part["probabilities"]
    a, b = map(shown_name, part["names"])
    bits = [
        three_probabilities(found, a, b),
        expected_text(found, part["unit"]),
        _credible(found),
        bounds_text(found, a, b),
        draws_text(found),
        "not adjusted for other comparisons" if part["adjustment"] else "",
    ]
    return f"{'; '.join(filter(None, bits))}. Model: {found['model']}"


def _credible(found: dict[str, Any]) -> str:
    """Write the credible interval, of a posterior of a difference."""
    if found["interval"] is None:
        return ""
    low, high = found["interval"]
    limits = "none exists"
    if low is not None:
        decimals = decimals_for([low, high])
        limits = f"{fixed(low, decimals, sign=True)} to {fixed(high, decimals, sign=True)}"
    level = percent(found["confidence_level"])
    return f"{level} credible interval of {found['subject']} {limits}"


def _percent_label(part: dict[str, Any]) -> str:
    return percent(part["confidence_level"])


def _decimals(part: dict[str, Any]) -> int:
    return decimals_for([part["estimate"], *part["interval"]])
