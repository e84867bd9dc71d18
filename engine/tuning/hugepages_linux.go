package tuning

import (
	"syscall"
	"unsafe"
)

// hugePagesFrom is the size in bytes from which huge pages pay. Clearing a huge page takes
// longer, and a smaller table is filled soon.
const hugePagesFrom = 1 << 29

// HugePages asks for a large table on pages of 2 MB. Without them, nearly every access to
// a table of gigabytes needs the address of a page that no cache holds. It is only a hint:
// the kernel may refuse it. BenchmarkHugePages shows what it buys.
func HugePages[T any](table []T) {
	var one T
	if n := len(table) * int(unsafe.Sizeof(one)); n >= hugePagesFrom {
		_ = syscall.Madvise(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(table))), n), syscall.MADV_HUGEPAGE)
	}
}
