package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
)

// Afterwards mappings of this process as large as what was asked for are marked
// for huge pages ("hg", proc_pid_smaps(5)).
func TestHugeHeap(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		t.Skip("this kernel has no transparent huge pages")
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
	if marked < hugeBytes>>10 {
		t.Errorf("%d kB are marked for huge pages, want %d", marked, hugeBytes>>10)
	}
}
