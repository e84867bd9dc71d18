// Package e2e plays mancala as people do: real pages in Chromium, against the
// real binary. It holds tests alone. Each person has a browser context of his
// own, so nobody shares a cookie; each test has a server and a database of its
// own.
//
// Without Chromium the tests are skipped; with MANCALA_TEST_ALL=1 that is a
// failure. They wait for what a page shows, never for time to pass.
package e2e
