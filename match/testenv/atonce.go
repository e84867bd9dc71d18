package testenv

import (
	"flag"
	"runtime"
	"strconv"
)

// AtOnce lets at least n tests of a package run at once, unless -parallel is given. TestMain calls it in a
// package whose tests wait for processes, sockets and clocks. By default go test runs as many as there are
// processors, which are idle while these tests wait.
func AtOnce(n int) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		_ = flag.Set("test.parallel", strconv.Itoa(max(n, runtime.GOMAXPROCS(0)))) // a flag of every test
	}
}
