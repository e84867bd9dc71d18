package search

// ThreadTime is for benchmarks on a machine with other work.
var ThreadTime = threadTime
