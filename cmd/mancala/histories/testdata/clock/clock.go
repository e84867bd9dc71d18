// Package main gets this file and the assembly beside it for tests. They put a function before
// the one by which Go's runtime asks Linux for the time. It adds to the wall clock as many
// seconds as a test wants. The monotonic clock stays as it is.
package main

import (
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
)

var (
	realClock uintptr // the function of Linux, 0 if the machine has none
	ahead     int64   // seconds that the wall clock is ahead
)

// installClock makes the runtime call clockGettime.
func installClock()

// The file MANCALA_TEST_CLOCK sets the clock when the program starts, if it is there, and
// after the signal USR2. The file with ".set" then has the same text.
func init() {
	file := os.Getenv("MANCALA_TEST_CLOCK")
	if file == "" {
		return
	}
	if installClock(); realClock == 0 {
		panic("the clock cannot be set: Linux offers no __vdso_clock_gettime here")
	}
	set := func() {
		text, err := os.ReadFile(file)
		if err != nil {
			panic(err)
		}
		seconds, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
		if err != nil {
			panic(err)
		}
		atomic.StoreInt64(&ahead, seconds)
		if err := os.WriteFile(file+".set", text, 0o600); err != nil {
			panic(err)
		}
	}
	if _, err := os.Stat(file); err == nil {
		set()
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR2)
	go func() {
		for range signals {
			set()
		}
	}()
}
