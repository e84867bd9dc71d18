package main

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"mancala/cmd/internal/cli"
)

// process reads the CPU time and memory of one or several processes, as a sum. The
// zero value is a server on another machine, whose values are unknown: they are 0.
type process struct{ pids []int }

// cpu returns the CPU time so far, in the process itself and in the kernel on its
// behalf.
func (p process) cpu() (sum time.Duration) {
	for _, pid := range p.pids {
		// utime and stime are fields 12 and 13 after the name, in hundredths of a
		// second (proc_pid_stat(5)).
		if f := procStat(pid); len(f) >= 13 {
			user, _ := strconv.Atoi(f[11])
			system, _ := strconv.Atoi(f[12])
			sum += time.Duration(user+system) * 10 * time.Millisecond
		}
	}
	return sum
}

// procStat returns the fields of /proc/PID/stat after the name. The name is in
// parentheses and may contain any characters.
func procStat(pid int) []string {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	_, rest, _ := strings.Cut(string(b[strings.LastIndexByte(string(b), ')'):]), " ")
	return strings.Fields(rest)
}

// processTree returns the process root and all its descendants.
func processTree(root int) (p process) {
	parents := map[int]int{}
	all, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range all {
		pid, err := strconv.Atoi(filepath.Base(dir))
		if f := procStat(pid); err == nil && len(f) > 1 {
			parents[pid], _ = strconv.Atoi(f[1])
		}
	}
	for pid := range parents {
		for up := pid; up > 1; up = parents[up] {
			if up == root {
				p.pids = append(p.pids, pid)
			}
		}
	}
	return p
}

// rss returns the resident memory in bytes, without pages of files: the kernel decides
// how much of a program's file stays in memory.
func (p process) rss() (sum int64) {
	for _, pid := range p.pids {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
		f := strings.Fields(string(b))
		if err != nil || len(f) < 3 {
			continue
		}
		resident, _ := strconv.ParseInt(f[1], 10, 64)
		ofFiles, _ := strconv.ParseInt(f[2], 10, 64)
		sum += (resident - ofFiles) * int64(os.Getpagesize())
	}
	return sum
}

// settle waits until the process has been nearly idle for half a second. On a busy
// machine a shorter rest may only mean that other processes ran. It gives up after 20 s,
// because a game with a clock must begin within 30 s, and players may be seated already.
func (p process) settle(ctx context.Context) error {
	const look = 100 * time.Millisecond
	began, last, quiet := time.Now(), p.cpu(), 0
	for len(p.pids) > 0 && quiet < 5 && time.Since(began) < 20*time.Second {
		if err := cli.Pause(ctx, look); err != nil {
			return err
		}
		now := p.cpu()
		if quiet++; now-last > look/10 {
			quiet = 0
		}
		last = now
	}
	return ctx.Err()
}

// listenerPID returns the process of this machine that listens on the host and port of
// a URL, from the tables of the kernel. It returns 0 if there is none, or if this user
// may not see it.
func listenerPID(base string) int {
	u, err := url.Parse(base)
	if err != nil {
		return 0
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil || u.Hostname() != "localhost" && !net.ParseIP(u.Hostname()).IsLoopback() {
		return 0
	}
	sockets := map[string]bool{}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, err := os.ReadFile(table)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			// The fields are sl, local address, remote address, state (0A listens), …, inode.
			f := strings.Fields(line)
			if len(f) > 9 && strings.HasSuffix(f[1], fmt.Sprintf(":%04X", port)) && f[3] == "0A" {
				sockets["socket:["+f[9]+"]"] = true
			}
		}
	}
	files, err := filepath.Glob("/proc/[0-9]*/fd/*")
	if err != nil {
		return 0
	}
	for _, file := range files {
		if link, err := os.Readlink(file); err == nil && sockets[link] {
			pid, _ := strconv.Atoi(strings.Split(file, "/")[2])
			return pid
		}
	}
	return 0
}
