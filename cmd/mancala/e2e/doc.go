// Package e2e plays mancala as people do: real pages in Chromium, against the real
// binary. It holds tests alone. They run beside each other: each test has a server and a
// database of its own, and each person has a browser context of their own, so that no
// cookie is shared. Only the browser and the build of the binary are shared.
//
// One game is also played in Firefox and in WebKit, by WebDriver (otherbrowsers_test.go).
//
// Without its browser a test is skipped; with MANCALA_TEST_ALL=1 that is a
// failure. The tests wait for what a page shows, never for time to pass.
package e2e
