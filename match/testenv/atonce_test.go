package testenv

import (
	"flag"
	"testing"
)

func TestMoreTestsRunAtOnceUnlessTheCommandLineSaysHowMany(t *testing.T) {
	parallel := flag.Lookup("test.parallel").Value
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	before := parallel.String()
	AtOnce(1000)
	if after := parallel.String(); given && after != before || !given && after != "1000" {
		t.Errorf("%s tests run at once, %s before; on the command line: %v", after, before, given)
	}
}
