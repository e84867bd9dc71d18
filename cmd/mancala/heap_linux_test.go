package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
)

// The mappings that are marked for huge pages have the flag "hg" (proc_pid_smaps(5)).
func TestHugeHeapMarksItsBytesForHugePages(t *testing.T) {
	want := uint64(hugeBytes >> 10)
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		want = 0 // this kernel has no huge pages
	}
	hugeHeap()
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var size, marked, kB uint64
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if n, _ := fmt.Sscanf(lines.Text(), "Size: %d kB", &kB); n == 1 {
			size = kB
		}
		if flags, ok := strings.CutPrefix(lines.Text(), "VmFlags:"); ok && strings.Contains(flags, " hg") {
			marked += size
		}
	}
	if marked < want {
		t.Errorf("%d kB are marked for huge pages, want %d", marked, want)
	}
}
