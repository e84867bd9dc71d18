package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const passes = `{"Action":"start","Package":"a"}
{"Action":"run","Package":"a","Test":"TestOne"}
{"Action":"output","Package":"a","Test":"TestOne","Output":"=== RUN   TestOne\n"}
{"Action":"output","Package":"a","Test":"TestOne","Output":"    a_test.go:7: a remark\n"}
{"Action":"output","Package":"a","Test":"TestOne","Output":"--- PASS: TestOne (1.25s)\n"}
{"Action":"pass","Package":"a","Test":"TestOne","Elapsed":1.25}
{"Action":"output","Package":"a","Output":"PASS\n"}
{"Action":"output","Package":"a","Output":"ok  \ta\t1.3s\n"}
{"Action":"pass","Package":"a","Elapsed":1.3}
`

const fails = `{"Action":"output","Package":"b","Test":"TestTwo","Output":"=== RUN   TestTwo\n"}
{"Action":"output","Package":"b","Test":"TestTwo/part","Output":"    b_test.go:9: got 1, want 2\n"}
{"Action":"output","Package":"b","Test":"TestTwo/part","Output":"    --- FAIL: TestTwo/part (0.50s)\n"}
{"Action":"fail","Package":"b","Test":"TestTwo/part","Elapsed":0.5}
{"Action":"output","Package":"b","Test":"TestTwo","Output":"--- FAIL: TestTwo (0.50s)\n"}
{"Action":"fail","Package":"b","Test":"TestTwo","Elapsed":0.5}
{"Action":"output","Package":"b","Test":"TestThree","Output":"panic: test timed out\n"}
{"Action":"output","Package":"b","Output":"FAIL\tb\t0.6s\n"}
{"Action":"fail","Package":"b","Elapsed":0.6}
`

const broken = `{"ImportPath":"c","Action":"build-output","Output":"c.go:1:1: expected 'package'\n"}
{"ImportPath":"c","Action":"build-fail"}
{"Action":"output","Package":"c","Output":"FAIL\tc [build failed]\n"}
{"Action":"fail","Package":"c","FailedBuild":"c"}
`

func TestReportPrintsPackagesAndTheOutputOfFailures(t *testing.T) {
	for _, tt := range []struct {
		name, in, want, times, failed string
	}{
		{"passes", passes, "ok  \ta\t1.3s\n", "    1.25 a TestOne\n", ""},
		{"fails", fails, "    b_test.go:9: got 1, want 2\n    --- FAIL: TestTwo/part (0.50s)\n--- FAIL: TestTwo (0.50s)\n" +
			"panic: test timed out\nFAIL\tb\t0.6s\n", "    0.50 b TestTwo\n",
			"\tb TestTwo/part\n    b_test.go:9: got 1, want 2\n    --- FAIL: TestTwo/part (0.50s)\n" +
				"\tb TestTwo\n--- FAIL: TestTwo (0.50s)\n\tb\n"},
		{"does not build", broken, "c.go:1:1: expected 'package'\nFAIL\tc [build failed]\n", "", "\tc\n"},
		{"is no JSON", "go: no such package\n", "go: no such package\n", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			times := filepath.Join(t.TempDir(), "times")
			var out strings.Builder
			failed := ""
			if err := run(strings.NewReader(tt.in), &out, times); err != nil {
				failed = strings.TrimPrefix(err.Error(), "these failed:\n")
			}
			if failed != tt.failed {
				t.Errorf("the report names %q, want %q", failed, tt.failed)
			}
			if out.String() != tt.want {
				t.Errorf("the report prints\n%s, want\n%s", out.String(), tt.want)
			}
			if got, err := os.ReadFile(times); err != nil || string(got) != tt.times {
				t.Errorf("the times are %q, %v, want %q", got, err, tt.times)
			}
		})
	}
}
