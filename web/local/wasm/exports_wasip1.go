package main

import (
	"unsafe"

	"mancala/web/local"
)

// request and answer keep the bytes that the other side reads and writes. Go does not move
// them, and does not free them before the next call.
var request, answer []byte

// requestAt allocates memory for a request of size bytes, and returns its address. It returns 0 if
// the request is too long.
//
//go:wasmexport request_at
func requestAt(size uint32) unsafe.Pointer {
	if size > local.MaxRequest {
		return nil
	}
	request = make([]byte, size, max(size, 1)) // not empty, so that it has an address
	return unsafe.Pointer(unsafe.SliceData(request))
}

// answerRequest answers the request that was written, and returns the answer's length in
// bytes.
//
//go:wasmexport answer_request
func answerRequest() uint32 {
	answer = local.Answer(request)
	return uint32(len(answer))
}

// answerAt returns the address of the answer.
//
//go:wasmexport answer_at
func answerAt() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(answer)) }
