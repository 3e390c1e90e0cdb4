"""Methods of estimating a performance that have a file of their own."""
