package daemon

import (
	"database/sql"
	"net/url"
	"os"
	"path/filepath"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver pgx
)

// where Debian and others keep the server's programs, which are not in PATH.
var where = []string{"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/local/opt/postgresql*/bin"}

// Postgres is a PostgreSQL that may be ended and started again. It listens in its
// folder only.
type Postgres struct {
	*Daemon
	dir      string
	settings []string
}

// StartPostgres makes and starts a server. settings are like "fsync=off".
func StartPostgres(settings ...string) (*Postgres, error) {
	initdb, err := Find("initdb", where...)
	if err != nil {
		return nil, err
	}
	dir, err := Folder("postgres")
	if err != nil {
		return nil, err
	}
	s := &Postgres{dir: dir, settings: settings}
	if err := Run(dir, initdb, "--pgdata=data", "--username=mancala", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions"); err != nil {
		return nil, err
	}
	return s, s.Restart()
}

// Restart starts the server after [Postgres.Stop], with what it had.
func (s *Postgres) Restart() error {
	postgres, err := Find("postgres", where...)
	if err != nil {
		return err
	}
	args := []string{"-D", "data", "-k", s.dir, "-c", "listen_addresses=", "-c", "max_connections=300"}
	for _, setting := range s.settings {
		args = append(args, "-c", setting)
	}
	s.Daemon, err = Start(s.dir, "QUIT", postgres, args...)
	if err != nil {
		return err
	}
	return s.Await(func() error { return s.Exec("SELECT 1") })
}

// Stop ends the server as a crash would.
func (s *Postgres) Stop() { s.Daemon.Stop(true) }

// URL is the address of a database of this server.
func (s *Postgres) URL(database string) string {
	u := url.URL{Scheme: "postgres", Path: "/" + database, RawQuery: url.Values{"host": {s.dir}, "user": {"mancala"}, "sslmode": {"disable"}}.Encode()}
	return u.String()
}

// Address is where the server listens.
func (s *Postgres) Address() (network, address string) {
	return "unix", filepath.Join(s.dir, ".s.PGSQL.5432")
}

// Behind is the address of a database of this server for who goes there by way of
// a host and port.
func (s *Postgres) Behind(hostPort, database string) string {
	return "postgres://mancala@" + hostPort + "/" + database + "?sslmode=disable"
}

// Exec runs a statement, as to make a database.
func (s *Postgres) Exec(query string) error {
	db, err := sql.Open("pgx", s.URL("postgres"))
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec(query)
	return err
}

// Remove ends the server for good.
func (s *Postgres) Remove() {
	if s.Daemon != nil {
		s.Daemon.Stop(true)
	}
	_ = os.RemoveAll(s.dir)
}
