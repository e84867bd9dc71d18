package testenv

import (
	"database/sql"
	"errors"
	"net/url"
	"os"
	"path/filepath"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver pgx
)

// postgresFolders are the folders in which Debian and others keep the server's programs.
// They are not in PATH.
var postgresFolders = []string{"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/local/opt/postgresql*/bin"}

// Postgres is a PostgreSQL server that can be stopped and started again. It listens on a
// socket in its folder only.
type Postgres struct {
	*Process
	dir      string
	settings []string
}

// StartPostgres makes and starts a server. A setting has the form "fsync=off".
func StartPostgres(settings ...string) (*Postgres, error) { return makePostgres("", settings) }

// StartPostgresIn is [StartPostgres] in an empty folder from [TempDir]. The files of the
// write-ahead log have 1 MB, so that a small disk can hold some of them.
func StartPostgresIn(dir string, settings ...string) (*Postgres, error) {
	return makePostgres(dir, settings, "--wal-segsize=1")
}

// makePostgres makes and starts a server in dir, or in a new folder if dir is empty.
func makePostgres(dir string, settings []string, flags ...string) (*Postgres, error) {
	initdb, err := Find("initdb", postgresFolders...)
	if err != nil {
		return nil, err
	}
	if dir == "" {
		if dir, err = TempDir("postgres"); err != nil {
			return nil, err
		}
	}
	s := &Postgres{dir: dir, settings: settings}
	flags = append([]string{"--pgdata=data", "--username=mancala", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions"}, flags...)
	if err := Run(dir, initdb, flags...); err != nil {
		return nil, err
	}
	return s, s.Restart()
}

// StartStandby makes and starts a standby of this server, with the same settings. It follows
// the server through a proxy at a host and port.
func (s *Postgres) StartStandby(hostPort string) (*Postgres, error) {
	backup, err := Find("pg_basebackup", postgresFolders...)
	if err != nil {
		return nil, err
	}
	dir, err := TempDir("standby")
	if err != nil {
		return nil, err
	}
	standby := &Postgres{dir: dir, settings: s.settings}
	from := "postgres://mancala@" + hostPort + "/?sslmode=disable"
	if err := Run(dir, backup, "--pgdata=data", "--dbname="+from, "--write-recovery-conf", "--checkpoint=fast", "--no-sync"); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return standby, standby.Restart()
}

// Promote makes a standby a server that accepts writes, with what it has received so far.
func (s *Postgres) Promote() error { return s.Exec("SELECT 1 / pg_promote(true, 60)::int") }

// Restart starts the server after [Postgres.Stop], with its old data.
func (s *Postgres) Restart() error {
	postgres, err := Find("postgres", postgresFolders...)
	if err != nil {
		return err
	}
	args := []string{"-D", "data", "-k", s.dir, "-c", "listen_addresses=", "-c", "max_connections=300"}
	for _, setting := range s.settings {
		args = append(args, "-c", setting)
	}
	s.Process, err = Start(s.dir, "QUIT", postgres, args...)
	if err != nil {
		return err
	}
	return s.Await(func() error { return s.Exec("SELECT 1") })
}

// Stop ends the server as a crash would.
func (s *Postgres) Stop() { s.Process.Stop(true) }

// URL returns the address of a database of this server.
func (s *Postgres) URL(database string) string {
	u := url.URL{Scheme: "postgres", Path: "/" + database, RawQuery: url.Values{"host": {s.dir}, "user": {"mancala"}, "sslmode": {"disable"}}.Encode()}
	return u.String()
}

// Address returns the address where the server listens.
func (s *Postgres) Address() (network, address string) {
	return "unix", filepath.Join(s.dir, ".s.PGSQL.5432")
}

// URLVia returns the address of a database of this server for a client that reaches it
// through a proxy at a host and port.
func (s *Postgres) URLVia(hostPort, database string) string {
	return "postgres://mancala@" + hostPort + "/" + database + "?sslmode=disable"
}

// Exec runs a statement, for example to make a database.
func (s *Postgres) Exec(query string) error { return s.ExecIn("postgres", query) }

// ExecIn runs statements in a database.
func (s *Postgres) ExecIn(database, query string) error {
	db, err := sql.Open("pgx", s.URL(database))
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.Exec(query)
	return err
}

// Remove ends the server and removes its data.
func (s *Postgres) Remove() {
	if s.Process != nil {
		s.Process.Stop(true)
	}
	_ = os.RemoveAll(s.dir)
}
