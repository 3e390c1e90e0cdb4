"""The software that a report was made with, and how it is cited."""

import platform
import sys
from importlib.metadata import PackageNotFoundError, version

from skstat.report._paper.methods import Sentence, cite
from skstat.stats import Reference

SCIKIT_LEARN = Reference(
    authors=(
        "Pedregosa, F.",
        "Varoquaux, G.",
        "Gramfort, A.",
        "Michel, V.",
        "Thirion, B.",
        "Grisel, O.",
        "Blondel, M.",
        "Prettenhofer, P.",
        "Weiss, R.",
        "Dubourg, V.",
        "Vanderplas, J.",
        "Passos, A.",
        "Cournapeau, D.",
        "Brucher, M.",
        "Perrot, M.",
        "Duchesnay, E.",
    ),
    year=2011,
    title="Scikit-learn: machine learning in Python",
    venue="Journal of Machine Learning Research",
    volume="12",
    pages="2825-2830",
)


def software(*, fitted: bool) -> Sentence:
    """Name the software, with the versions that are running; scikit-learn where it fitted."""
    own = _own_version()
    found: list[str | tuple[Reference, ...]] = [
        f"The analysis was done with skstat {own}",
        cite(_skstat(own)),
    ]
    installed = _version_of("scikit-learn") if fitted else None
    if installed is not None:
        found += [f" and scikit-learn {installed}", cite(SCIKIT_LEARN)]
    return [*found, f" in Python {platform.python_version()}."]


def _skstat(own: str) -> Reference:
    return Reference(
        authors=("The skstat developers",),
        year=2026,
        title="skstat: statistical comparison of scikit-learn estimators",
        venue=f"Python package, version {own}",
        kind="misc",
    )


def _own_version() -> str:
    # Asked of the module, not imported: the package knows all that is made of reports.
    return str(sys.modules["skstat"].__version__)


def _version_of(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
