"""The order of the examples: the questions that are asked most come first."""

_FIRST = (
    "guide_two_estimators.py",
    "guide_many_systems.py",
    "guide_hold_out.py",
    "guide_many_datasets.py",
    "guide_same.py",
    "guide_probable.py",
    "guide_constant.py",
    "guide_groups_time_seeds.py",
    "guide_budget.py",
    "grid_search_statistics.py",
    "sizing_a_test_set.py",
    "check_a_test.py",
    "two_fitted_models.py",
    "corrected_t_test.py",
    "mcnemar.py",
    "worse_for_whom.py",
    "tuned_against_default.py",
    "two_language_models.py",
    "critical_difference_diagram.py",
    "how_many_data_sets.py",
    "networks_and_boosting.py",
    "p_is_06.py",
)


class ByQuestion:
    """The guide in the order of its questions, then the rest by name.

    It is what sphinx-gallery calls a sort key, and is made for a folder.
    """

    def __init__(self, folder):
        self.folder = folder

    def __repr__(self):
        return f"<ByQuestion of {self.folder}>"

    def __call__(self, filename):
        place = _FIRST.index(filename) if filename in _FIRST else len(_FIRST)
        return f"{place:02d} {filename}"
