"""The methods of estimates of performance."""

from collections.abc import Mapping, Sequence
from typing import Any

from skstat._names import one_line
from skstat.report._paper.design import design_sentences, unit_sentence
from skstat.report._paper.methods import Methods, Sentence, cite
from skstat.report._paper.software import software
from skstat.report._words import join_names, percent
from skstat.stats import Estimate


def methods_of_performance(report: Mapping[str, Any], estimates: Sequence[Estimate]) -> Methods:
    """Say how the scores of estimators were estimated.

    Parameters
    ----------
    report : mapping
        The dictionary of the report, with losses as losses.
    estimates : sequence of Estimate
        The estimates, the difference of two among them.
    """
    names = [one_line(name) for name in report["names"]]
    methods = {estimate.method: estimate.references for estimate in estimates}
    parts: Sentence = [
        part
        for number, (method, works) in enumerate(methods.items())
        for part in (" or by " * (number > 0) + method, cite(*works))
    ]
    metric = one_line(report["metric"]) + (" (lower is better)" if report["is_loss"] else "")
    sentences: list[Sentence] = [
        *design_sentences(report["design"], len(names)),
        [
            "The estimates and their ",
            f"{percent(report['confidence_level'])} confidence intervals were computed by ",
            *parts,
            ".",
        ],
        unit_sentence(report),
        [f"The number of fits was {report['n_fits']}."],
        software(fitted=True),
    ]
    return Methods(
        opening=f"The performance of {join_names(names)} was measured by",
        metrics=(metric,),
        sentences=tuple(sentences),
    )
