// Package e2e plays mancala as people do: real pages in Chromium, against the real
// binary. It holds tests alone. They run beside each other: each test has a server and a
// database of its own, and each person has a browser context of their own, so that no
// cookie is shared. Only the browser and the build of the binary are shared.
//
// Without Chromium the tests are skipped; with MANCALA_TEST_ALL=1 that is a
// failure. They wait for what a page shows, never for time to pass.
package e2e
