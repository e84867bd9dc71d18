// Package pages serves the HTML pages. Each has an address of its own, is rendered on
// the server, and is useful before any script runs (UX.md).
//
// Each page has a file, and so has each part that several pages share. The pages ask
// the services in package site for every decision about players and games.
package pages
