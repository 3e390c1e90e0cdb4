"""ROC, precision-recall and cost curves of two systems.

Imports the engine.
"""

from skstat.comparison._curves.compare_cost_curves import compare_cost_curves
from skstat.comparison._curves.compare_curves import CurveComparison, compare_curves
from skstat.comparison._curves.cost_curve_comparison import CostCurveComparison
from skstat.comparison._curves.cost_curve_display import CostCurveDisplay
