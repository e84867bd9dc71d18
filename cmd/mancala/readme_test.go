package main

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestReadmeNamesFlagsAndFilesThatExist(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var f serveFlags
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	f.register(fs)
	for _, line := range regexp.MustCompile(`(?m)^    mancala (--.*)`).FindAllStringSubmatch(string(text), -1) {
		if err := fs.Parse(strings.Fields(line[1])); err != nil {
			t.Error(err)
		}
	}
	paths := regexp.MustCompile("[ (`|](deploy/[\\w./-]+)|\\]\\(([\\w./-]+)\\)").FindAllStringSubmatch(string(text), -1)
	for _, m := range paths {
		if _, err := os.Stat("../../" + m[1] + m[2]); err != nil {
			t.Error(err)
		}
	}
	if len(paths) < 10 {
		t.Errorf("found only %d paths", len(paths))
	}
}
