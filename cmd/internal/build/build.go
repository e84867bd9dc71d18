// Package build builds the server's program with the go tool, for measurements and for
// tests that run it as a process.
package build

import (
	"context"
	"fmt"
	"os/exec"
	"runtime/debug"
	"slices"
)

// Server builds cmd/mancala as the file path. flags are further flags of go build. It
// works in any folder of this module.
func Server(ctx context.Context, path string, flags ...string) error {
	args := append([]string{"build", "-o", path}, flags...)
	if out, err := exec.CommandContext(ctx, "go", append(args, "mancala/cmd/mancala")...).CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, out)
	}
	return nil
}

// ServerForTest is [Server] for a test. The program has the race detector if the running
// test has it. It is built without the processor profile, and so shares the packages that
// other tests have compiled.
func ServerForTest(ctx context.Context, path string) error {
	flags := []string{"-pgo=off"}
	info, ok := debug.ReadBuildInfo()
	if ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		flags = append(flags, "-race")
	}
	return Server(ctx, path, flags...)
}
