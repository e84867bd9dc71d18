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
)

// process reads what the system knows of a server, or of several as if they were
// one. The zero value is a server of another machine, of which nothing is known.
type process struct{ pids []int }

// cpu returns the time that the process has spent computing, for itself and in
// the kernel on its behalf.
func (p process) cpu() (sum time.Duration) {
	for _, pid := range p.pids {
		// After the name utime and stime are the 12th and 13th, in hundredths of a
		// second.
		if f := procStat(pid); len(f) >= 13 {
			user, _ := strconv.Atoi(f[11])
			system, _ := strconv.Atoi(f[12])
			sum += time.Duration(user+system) * 10 * time.Millisecond
		}
	}
	return sum
}

// procStat are the fields that the system tells of a process after its name, which
// stands in parentheses and may hold anything.
func procStat(pid int) []string {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	_, rest, _ := strings.Cut(string(b[strings.LastIndexByte(string(b), ')'):]), " ")
	return strings.Fields(rest)
}

// processTree is a process with all that it has started, and they.
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

// rss returns the resident memory of the process in bytes, without pages of
// files: of the program the kernel keeps more or less as it likes.
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

// settle waits until the process has done what it still had to do: until it has
// hardly computed for half a second. On a busy machine a shorter rest may only
// mean that others had their turn. It waits less than the 30 s in which a game with a
// clock must begin: people may sit there already.
func (p process) settle(ctx context.Context) error {
	const look = 100 * time.Millisecond
	began, last, quiet := time.Now(), p.cpu(), 0
	for len(p.pids) > 0 && quiet < 5 && time.Since(began) < 20*time.Second {
		if err := pause(ctx, look); err != nil {
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

// listenerPID finds the process of this machine that listens where a URL leads,
// by the tables of the kernel; 0 if there is none, or none that may be seen.
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
			// sl, local address, remote address, state (0A: listens), …, inode
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
