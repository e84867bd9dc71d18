package testenv

import (
	"flag"
	"runtime"
	"strconv"
)

// AtOnce lets at least n tests of a package run at once, unless -parallel is given. TestMain calls it in a
// package whose tests wait for processes, sockets and clocks: as many as there are processors, which is the
// default of go test, leave the processors idle.
func AtOnce(n int) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		_ = flag.Set("test.parallel", strconv.Itoa(max(n, runtime.GOMAXPROCS(0)))) // a flag of every test
	}
}
