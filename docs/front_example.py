from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import skstat

X, y = load_breast_cancer(return_X_y=True)
linear = make_pipeline(StandardScaler(), LogisticRegression())
models = {"linear": linear, "bayes": GaussianNB()}
report = skstat.compare_estimators(models, X, y, random_state=0)
print(report)
report.plot()
