//go:build unix

package tuning

import (
	"syscall"
	"testing"
)

// BenchmarkSockets writes 350 bytes to a socket and reads them, with the calls of this
// package and with those of the runtime.
func BenchmarkSockets(b *testing.B) {
	plainRead := func(fd int, p []byte) (int, bool, error) {
		n, err := syscall.Read(fd, p)
		return n, n > 0, err
	}
	for _, calls := range []struct {
		name  string
		write func(int, []byte) (int, error)
		read  func(int, []byte) (int, bool, error)
	}{{"ours", TryWrite, TryRead}, {"the runtime's", syscall.Write, plainRead}} {
		b.Run(calls.name, func(b *testing.B) {
			ends, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
			if err != nil {
				b.Fatal(err)
			}
			defer syscall.Close(ends[0])
			defer syscall.Close(ends[1])
			message, got := make([]byte, 350), make([]byte, 512)
			for b.Loop() {
				if _, err := calls.write(ends[0], message); err != nil {
					b.Fatal(err)
				}
				if n, _, err := calls.read(ends[1], got); n != len(message) || err != nil {
					b.Fatal(n, err)
				}
			}
		})
	}
}

func TestBlockedSocketsAreNotWaitedFor(t *testing.T) {
	ends, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(ends[0])
	for _, fd := range ends {
		if err := syscall.SetNonblock(fd, true); err != nil {
			t.Fatal(err)
		}
	}
	block := make([]byte, 1<<16)
	if n, come, err := TryRead(ends[1], block); n != 0 || come || err != nil {
		t.Errorf("read %d bytes, %v, %v where there are none", n, come, err)
	}
	written := 0
	for {
		n, err := TryWrite(ends[0], block)
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			break // the buffer is full
		}
		written += n
	}
	if n, come, err := TryRead(ends[1], block); n == 0 || !come || err != nil || written == 0 {
		t.Errorf("read %d of %d bytes, %v, %v", n, written, come, err)
	}
	_ = syscall.Close(ends[1])
	if _, err := TryWrite(ends[0], block); err == nil {
		t.Error("wrote to a socket whose other end is closed")
	}
}
