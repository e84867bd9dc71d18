package search

import (
	"syscall"
	"unsafe"
)

// manyPages is how many bytes a table has for which huge pages pay: to clear them takes
// longer, and a smaller table is soon filled.
const manyPages = 1 << 29

// hugePages asks for memory on pages of 2 MB. In a table of gigabytes nearly every look
// otherwise needs the address of a page that no cache has. It is a wish: nothing is lost if
// the kernel refuses.
func hugePages(buckets []kalahBucket) {
	n := len(buckets) * int(unsafe.Sizeof(kalahBucket{}))
	if n >= manyPages {
		_ = syscall.Madvise(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(buckets))), n), syscall.MADV_HUGEPAGE)
	}
}
