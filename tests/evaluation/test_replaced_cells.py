"""Data sets drawn from the caller's rows, with cells of other rows."""

import numpy as np
import pytest
from scipy.sparse import csc_matrix, csr_array
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

from skstat.evaluation._data import (
    Population,
    check_data,
    check_replaceable,
    with_replaced_cells,
)

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
N, P = 200, 4
# Every value tells its row and its column.
CELLS = np.arange(N)[:, None] * 10 + np.arange(P)
TABLES = {
    "array": CELLS,
    "pandas": pd.DataFrame(CELLS, columns=list("abca"), index=np.arange(N) + 7),
    "polars": pl.DataFrame(CELLS, schema=list("abcd")),
    "csr": csr_array(CELLS),
    "csc": csc_matrix(CELLS),
    "lists": CELLS.tolist(),
}
ROWS = np.arange(20, 120)


def values(table):
    table = table.toarray() if hasattr(table, "toarray") else table
    return np.asarray(table)


@pytest.mark.parametrize("kind", TABLES)
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_a_cell_is_that_of_its_row_or_of_its_column_in_another(kind, share):
    X = check_replaceable(TABLES[kind], {"nb": GaussianNB()})
    found = with_replaced_cells(X, ROWS, share, np.random.default_rng(0))
    cells = values(found)
    assert cells.shape == (100, P)
    assert (cells % 10 == np.arange(P)).all()
    moved = (cells // 10 != ROWS[:, None]).mean()
    assert abs(moved - share) < 0.1 and (share > 0 or moved == 0)
    again = with_replaced_cells(X, ROWS, share, np.random.default_rng(0))
    assert (values(again) == cells).all()
    more = values(with_replaced_cells(X, ROWS, 0.9, np.random.default_rng(0)))
    replaced = cells != CELLS[ROWS]
    assert share > 0.9 or (more == cells)[replaced].all()


def test_the_kinds_of_columns_and_the_labels_of_rows_stay():
    frame = pd.DataFrame(
        {"n": np.arange(50), "c": pd.Categorical(list("ab") * 25), "t": ["x", None] * 25},
        index=np.arange(50)[::-1],
    )
    rows = np.arange(10)
    found = with_replaced_cells(frame, rows, 0.5, np.random.default_rng(0))
    assert (found.dtypes == frame.dtypes).all()
    assert found.index.tolist() == frame.index[:10].tolist()
    assert frame["n"].tolist() == list(range(50))
    polars = pl.DataFrame({"c": pl.Series(list("ab") * 25, dtype=pl.Categorical)})
    found = with_replaced_cells(polars, rows, 0.5, np.random.default_rng(0))
    assert found.schema == polars.schema


def test_distances_have_no_cells():
    kernel = SVC(kernel="precomputed")
    with pytest.raises(ValueError, match=r"svc takes distances or a kernel of all rows"):
        check_replaceable(np.eye(50), {"svc": kernel})


def test_rows_come_once_and_with_all_that_belongs_to_them():
    y = np.arange(N) % 2
    weight = np.arange(N) + 1.0
    data = check_data(CELLS, y, None, [GaussianNB()])
    population = Population(data, 50, weight, {"w": weight, "k": 3})
    rows, beside = population.draw(np.random.default_rng(0))
    assert len(set(rows.tolist())) == 50
    assert (beside["y"] == y[rows]).all() and (beside["sample_weight"] == weight[rows]).all()
    assert (beside["params"]["w"] == weight[rows]).all() and beside["params"]["k"] == 3
    grouped = check_data(CELLS, y, np.arange(N) // 5, [GaussianNB()])
    rows, beside = Population(grouped, 10).draw(np.random.default_rng(0))
    assert len(rows) == 50 and len(np.unique(beside["groups"])) == 10


def test_a_class_with_too_few_rows_is_named():
    y = np.where(np.arange(N) < 3, "rare", "usual")
    data = check_data(CELLS, y, None, [GaussianNB()])
    with pytest.raises(ValueError, match=r"y holds class 'rare' 3 times: data sets of 50"):
        Population(data, 50).draw(np.random.default_rng(0))
    few = Population(check_data(CELLS, (np.arange(N) < 20), None, [GaussianNB()]), 50)
    for seed in range(20):
        drawn = few.draw(np.random.default_rng(seed))
        assert drawn[1]["y"].sum() >= 4
