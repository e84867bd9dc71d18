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
	for _, m := range regexp.MustCompile("[ (`|](deploy/[\\w./-]+)").FindAllStringSubmatch(string(text), -1) {
		if _, err := os.Stat("../../" + m[1]); err != nil {
			t.Error(err)
		}
	}
}
