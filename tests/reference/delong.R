# Areas under ROC curves by pROC (r-cran-proc): weight, displacement and the quarter mile
# time of 32 cars as scores of the manual gear box (mtcars of R, with ties).
options(digits = 15)
suppressMessages(library(pROC))

scores <- with(mtcars, list(light = -wt, small = -disp, quick = qsec))
curves <- lapply(scores, function(x) roc(mtcars$am, x, direction = "<", quiet = TRUE))
cat("AUC", sapply(curves, auc), "\n")
error <- function(curve) sqrt(var(curve, method = "delong"))
cat("standard errors", sapply(curves, error), "\n")
pairs <- combn(3, 2)
for (i in seq_len(ncol(pairs))) {
  pair <- pairs[, i]
  found <- roc.test(curves[[pair[1]]], curves[[pair[2]]], paired = TRUE, method = "delong")
  cat(names(scores)[pair], "Z", found$statistic, "p", found$p.value,
      "interval", found$conf.int, "\n")
}

# All three: Wald's chi-squared of two differences.
areas <- sapply(curves, auc)
v <- matrix(0, 3, 3)
for (i in 1:3) for (j in 1:3) {
  v[i, j] <- if (i == j) var(curves[[i]], method = "delong") else
    cov(curves[[i]], curves[[j]], method = "delong")
}
contrast <- rbind(c(1, -1, 0), c(1, 0, -1))
d <- contrast %*% areas
wald <- drop(t(d) %*% solve(contrast %*% v %*% t(contrast), d))
cat("Wald", wald, "p", pchisq(wald, 2, lower.tail = FALSE), "\n")
