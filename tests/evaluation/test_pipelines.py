"""Pipelines with a cache of scikit-learn's fit what they share once per split."""

from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.model_selection import KFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import NearestCentroid
from sklearn.pipeline import make_pipeline

from skstat import paired_cross_validate


def test_a_cache_of_the_pipelines_fits_their_first_step_once_per_split(tmp_path, monkeypatch):
    X, y = load_iris(return_X_y=True)
    cv = KFold(4, shuffle=True, random_state=0)
    fitted, fit = [], PCA.fit_transform

    def counting(self, X, y=None):
        fitted.append(len(X))
        return fit(self, X, y)

    pipelines = {
        "bayes": make_pipeline(PCA(2), GaussianNB(), memory=str(tmp_path)),
        "centroid": make_pipeline(PCA(2), NearestCentroid(), memory=str(tmp_path)),
    }
    alone = {
        name: cross_validate(make_pipeline(PCA(2), one[-1]), X, y, cv=cv)["test_score"]
        for name, one in pipelines.items()
    }
    monkeypatch.setattr(PCA, "fit_transform", counting)
    run = paired_cross_validate(pipelines, X, y, cv=cv, scoring="accuracy")
    assert len(fitted) == cv.get_n_splits()
    for column, name in enumerate(run.names):
        assert run.scores["accuracy"][:, column].tolist() == alone[name].tolist()
