package pgjournal

import (
	"errors"
	"net"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// TestReadOfASilentConnectionEndsAfterItsTimeout reads from a connection on which
// nothing arrives.
func TestReadOfASilentConnectionEndsAfterItsTimeout(t *testing.T) {
	for _, tt := range []struct {
		name string
		set  func(c net.Conn) error // before the read
		late func(c net.Conn)       // while it waits
		want time.Duration
	}{
		{"by itself", nil, nil, 5 * time.Second},
		{"sooner, if the caller sets a deadline", func(c net.Conn) error { return c.SetDeadline(time.Now().Add(time.Second)) }, nil, time.Second},
		{"not later", func(c net.Conn) error { return c.SetReadDeadline(time.Now().Add(time.Hour)) }, nil, 5 * time.Second},
		{"no bound of the user's", func(c net.Conn) error { return c.SetDeadline(time.Time{}) }, nil, 5 * time.Second},
		{"given up meanwhile", nil, func(c net.Conn) {
			time.Sleep(3 * time.Second)
			_ = c.SetDeadline(time.Now())
		}, 3 * time.Second},
		{"a bound is lifted meanwhile", nil, func(c net.Conn) {
			time.Sleep(3 * time.Second)
			_ = c.SetDeadline(time.Time{})
		}, 5 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				here, there := net.Pipe()
				defer there.Close()
				c := &timeoutConn{Conn: here, most: 5 * time.Second}
				defer c.Close()
				if tt.set != nil {
					if err := tt.set(c); err != nil {
						t.Fatal(err)
					}
				}
				if tt.late != nil {
					go tt.late(c)
				}
				begun := time.Now()
				_, err := c.Read(make([]byte, 1))
				if took := time.Since(begun); !errors.Is(err, os.ErrDeadlineExceeded) || took != tt.want {
					t.Errorf("it waited %v and met %v, want %v", took, err, tt.want)
				}
			})
		})
	}
	t.Run("an answer", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			here, there := net.Pipe()
			defer there.Close()
			c := &timeoutConn{Conn: here, most: 5 * time.Second}
			defer c.Close()
			go func() {
				for range 3 { // each answer has the full time
					time.Sleep(4 * time.Second)
					_, _ = there.Write([]byte("x"))
				}
			}()
			for range 3 {
				if _, err := c.Read(make([]byte, 1)); err != nil {
					t.Fatal(err)
				}
			}
		})
	})
}
