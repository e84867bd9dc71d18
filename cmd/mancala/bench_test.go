package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// The benchmark starts servers from its own binary, which under test is this one.
func init() {
	if len(os.Args) > 1 && os.Args[1] == "bench" {
		if err := runBench(context.Background(), os.Args[2:], os.Stdin, os.Stdout, os.Stderr); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
}

func TestBenchMeasuresEveryWorkOnBothServers(t *testing.T) {
	var out, errOut bytes.Buffer
	// The hub gives up on nobody and is not asked to serve readers who stall.
	err := runBench(t.Context(), strings.Fields("--baseline --transport --json --rounds 1 --time 100ms --rooms 3 --watchers 20 --idle 20 --deliveries 2000 --work full,rate,watch,stalled"), nil, &out, &errOut)
	if err != nil {
		t.Fatalf("%v\n%s", err, errOut.String())
	}
	var got []benchResult
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != 7 {
		t.Fatalf("%d results, want 7\n%s", len(got), out.String())
	}
	for _, r := range got {
		if r.Moves == 0 || r.P50 == 0 || r.P99 < r.P50 || r.Deliveries < 2*r.Moves {
			t.Errorf("%+v", r)
		}
	}
}

func TestBenchNeedsSomethingToMeasure(t *testing.T) {
	for _, args := range []string{"", "--baseline --watchers few", "--nonsense"} {
		if err := runBench(t.Context(), strings.Fields(args), nil, &bytes.Buffer{}, &bytes.Buffer{}); err == nil {
			t.Errorf("bench %s: no error", args)
		}
	}
}
