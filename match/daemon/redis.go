package daemon

import (
	"net"
	"os"
	"path/filepath"
)

// Redis is a redis-server that writes nothing down and may be ended and started
// again. It listens in its folder only.
type Redis struct {
	*Daemon
	dir string
}

// StartRedis starts a server.
func StartRedis() (*Redis, error) {
	dir, err := Folder("redis")
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
	s.Daemon, err = Start(s.dir, "KILL", program, "--port", "0", "--unixsocket", s.socket(), "--save", "", "--appendonly", "no", "--dir", s.dir)
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
func (s *Redis) Stop() { s.Daemon.Stop(true) }

// URL is the server's address.
func (s *Redis) URL() string { return "unix://" + s.socket() }

// Address is where the server listens.
func (s *Redis) Address() (network, address string) { return "unix", s.socket() }

func (s *Redis) socket() string { return filepath.Join(s.dir, "redis.sock") }

// Remove ends the server for good.
func (s *Redis) Remove() {
	if s.Daemon != nil {
		s.Daemon.Stop(true)
	}
	_ = os.RemoveAll(s.dir)
}
