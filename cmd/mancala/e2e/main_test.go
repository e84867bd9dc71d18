package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	program "mancala/cmd/internal/server"
)

// patience is how long a test waits for a page. It is far longer than needed,
// because the machine may be busy.
const patience = 2 * time.Minute

// shop holds what all tests share beside the programs: the browsers.
var shop struct {
	dir string

	mu   sync.Mutex
	stop []func() // guarded by mu until the end of all tests
}

func TestMain(m *testing.M) {
	var err error
	if shop.dir, err = os.MkdirTemp("", "mancala-e2e-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	for _, stop := range slices.Backward(shop.stop) {
		stop()
	}
	binary.Remove()
	nextBinary.Remove()
	_ = os.RemoveAll(shop.dir) // a browser that has just ended may still write; the system cleans that folder
	os.Exit(code)
}

// needs skips a test if its tools are missing. With MANCALA_TEST_ALL the test
// fails instead.
func needs(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("whole games in a browser take minutes")
	}
	if _, err := chromiumPath(); err != nil {
		if os.Getenv("MANCALA_TEST_ALL") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
}

func chromiumPath() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("there is no Chromium here")
}

// chromium and shell start the browsers of this run, each once: the whole of Chromium, and its
// headless shell. Where there is no shell, its pages are opened in a second Chromium.
var (
	chromium = sync.OnceValues(func() (context.Context, error) { return startBrowser("chromium", chromiumPath, "") })
	shell    = sync.OnceValues(func() (context.Context, error) { return startBrowser("shell", shellPath, oneProcess) })
)

// oneProcess is the feature that the shell lacks, and the whole of Chromium has. By it the first page with the
// header Cross-Origin-Opener-Policy begins in a new process, and the process of the blank tab ends: each person
// would start two. A test in package web looks at the header.
const oneProcess = ",CrossOriginOpenerPolicy"

func shellPath() (string, error) {
	if path, err := exec.LookPath("chromium-headless-shell"); err == nil {
		return path, nil
	}
	return chromiumPath()
}

// startBrowser starts a browser with a folder of its own, and without some features, each of which follows a comma.
func startBrowser(folder string, find func() (string, error), without string) (context.Context, error) {
	path, err := find()
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.DisableGPU, chromedp.UserDataDir(filepath.Join(shop.dir, folder)),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		// Chromium would start a process in advance for the next site of each person, who visits one.
		chromedp.Flag("disable-features", "Translate,BlinkGenPropertyTrees,SpareRendererForSitePerProcess"+without),
	)
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // Chromium has no sandbox for root
	}
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stop := chromedp.NewContext(allocator)
	shop.mu.Lock()
	shop.stop = append(shop.stop, stopAllocator, stop, func() { _ = chromedp.Cancel(ctx) })
	shop.mu.Unlock()
	if err := chromedp.Do(ctx); err != nil {
		return nil, fmt.Errorf("%s does not start: %w", path, err)
	}
	return ctx, nil
}

// binary is the server's program of this repository.
var binary = program.Program{Flags: program.ForTests}

// nextBinary is the program of another release: one of its scripts differs.
var nextBinary = program.Program{Flags: func(dir string) ([]string, error) {
	source, err := filepath.Abs("../../../web/static/offline/offline.js")
	if err != nil {
		return nil, err
	}
	script, err := os.ReadFile(source)
	if err != nil {
		return nil, err
	}
	changed := filepath.Join(dir, "offline.js")
	if err := os.WriteFile(changed, append(script, "\ndocument.documentElement.dataset.release = 'next';\n"...), 0o600); err != nil {
		return nil, err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {source: changed}})
	if err != nil {
		return nil, err
	}
	list := filepath.Join(dir, "next.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		return nil, err
	}
	flags, err := program.ForTests(dir)
	return append(flags, "-overlay", list), err
}}
