package main

import (
	"runtime/debug"
	"sync"
	"syscall"
)

// hugeBytes is how much of the heap is on huge pages. The runtime allocates at the lowest
// addresses first, so this part is used most. With more, the kernel would fill more of the
// memory that was given back.
const hugeBytes = 64 << 20

// hugeHeap asks the kernel to keep the heap on huge pages (deploy/decisions/0020). It uses
// addresses but no memory: it allocates a block and returns it at once, untouched. Later
// allocations use the same addresses. Only the first call has an effect, because a second
// block would be memory that has been in use.
var hugeHeap = sync.OnceFunc(func() {
	_ = syscall.Madvise(make([]byte, hugeBytes), syscall.MADV_HUGEPAGE) // a kernel without huge pages returns an error, which changes nothing
	debug.FreeOSMemory()
})
