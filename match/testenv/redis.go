package testenv

import (
	"net"
	"os"
	"path/filepath"
)

// Redis is a redis-server that stores nothing on disk and can be stopped and started again.
// It listens on a socket in its folder only.
type Redis struct {
	*Process
	dir string
}

// StartRedis starts a server.
func StartRedis() (*Redis, error) {
	dir, err := TempDir("redis")
	if err != nil {
		return nil, err
	}
	s := &Redis{dir: dir}
	return s, s.Restart()
}

// Restart starts the server after [Redis.Stop].
func (s *Redis) Restart() error {
	program, err := Find("redis-server")
	if err != nil {
		return err
	}
	s.Process, err = Start(s.dir, "KILL", program, "--port", "0", "--unixsocket", s.socket(), "--save", "", "--appendonly", "no", "--dir", s.dir)
	if err != nil {
		return err
	}
	return s.Await(func() error {
		c, err := net.Dial("unix", s.socket())
		if err != nil {
			return err
		}
		return c.Close()
	})
}

// Stop ends the server as a crash would.
func (s *Redis) Stop() { s.Process.Stop(true) }

// URL returns the server's address.
func (s *Redis) URL() string { return "unix://" + s.socket() }

// Address returns the address where the server listens.
func (s *Redis) Address() (network, address string) { return "unix", s.socket() }

func (s *Redis) socket() string { return filepath.Join(s.dir, "redis.sock") }

// Remove ends the server.
func (s *Redis) Remove() {
	if s.Process != nil {
		s.Process.Stop(true)
	}
	_ = os.RemoveAll(s.dir)
}
