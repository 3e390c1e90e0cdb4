# Diebold and Mariano's test by forecast::dm.test (r-cran-forecast): squared errors of two
# forecasts of the yearly flow of the Nile, the means of the last 2 and of the last 10
# years; and losses that alternate so that the unweighted variance would be negative.
options(digits = 15)
suppressMessages(library(forecast))

flow <- as.numeric(Nile)
years <- 11:40
error <- function(m) sapply(years, function(i) flow[i] - mean(flow[(i - m):(i - 1)]))
short <- error(2)
long <- error(10)
for (h in 1:4) for (alternative in c("two.sided", "greater")) {
  found <- dm.test(short, long, alternative = alternative, h = h, power = 2)
  cat("horizon", h, alternative, "DM", found$statistic, "p", found$p.value, "\n")
}
losses <- c(5, 1, 4, 2, 5, 1, 6, 1, 4, 1, 5, 2)
found <- dm.test(losses, rep(2, 12), h = 2, power = 1, varestimator = "bartlett")
cat("Bartlett", "DM", found$statistic, "p", found$p.value, "\n")
