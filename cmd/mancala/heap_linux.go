package main

import (
	"runtime/debug"
	"sync"
	"syscall"
)

// hugeBytes is how much of the heap is on huge pages: what is used most, and the least
// that the kernel can fill where memory was given back.
const hugeBytes = 64 << 20

// hugeHeap asks the kernel to keep the heap on huge pages (deploy/decisions/0020).
// Nothing but addresses is used by that: the block is given back at once,
// untouched, and what is allocated later comes to lie where it was. Only the first
// call does anything: a second block would be memory that has been in use.
var hugeHeap = sync.OnceFunc(func() {
	_ = syscall.Madvise(make([]byte, hugeBytes), syscall.MADV_HUGEPAGE) // a kernel without them says no, and all goes on as before
	debug.FreeOSMemory()
})
