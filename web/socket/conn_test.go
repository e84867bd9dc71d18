package socket

import (
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"
)

// A live connection is read around package net, and gives the same results at its
// end.
func TestLiveConnectionIsReadAsByPackageNet(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	pair := func(t *testing.T) (c *Conn, peer net.Conn) {
		t.Helper()
		peer, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { peer.Close() })
		raw, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		c = newConn(raw)
		t.Cleanup(func() { c.Close() })
		c.goLive(nil, 0, 0)
		return c, peer
	}
	for name, tt := range map[string]struct {
		end  func(c *Conn, peer net.Conn)
		want error
	}{
		"the peer has closed": {func(_ *Conn, peer net.Conn) { peer.Close() }, io.EOF},
		"the time is over":    {func(c *Conn, _ net.Conn) { c.SetReadDeadline(time.Unix(1, 0)) }, os.ErrDeadlineExceeded},
		"it is closed":        {func(c *Conn, _ net.Conn) { c.Close() }, net.ErrClosed},
	} {
		t.Run(name, func(t *testing.T) {
			c, peer := pair(t)
			if _, err := peer.Write([]byte("seeds")); err != nil {
				t.Fatal(err)
			}
			got := make([]byte, 5)
			if _, err := io.ReadFull(c, got[:2]); err != nil || string(got[:2]) != "se" {
				t.Fatalf("the first two bytes are %q, %v", got[:2], err)
			}
			if _, err := io.ReadFull(c, got[2:]); err != nil || string(got) != "seeds" {
				t.Fatalf("all of it is %q, %v", got, err)
			}
			if n, err := c.Read(nil); n != 0 || err != nil {
				t.Errorf("nothing was wanted and came: %d, %v", n, err)
			}
			go tt.end(c, peer) // during the read, or before it
			if n, err := c.Read(got); n != 0 || !errors.Is(err, tt.want) {
				t.Errorf("read %d, %v; want %v", n, err, tt.want)
			}
		})
	}
}
