package search

// ThreadTime is for benchmarks on a machine that others use.
var ThreadTime = threadTime
