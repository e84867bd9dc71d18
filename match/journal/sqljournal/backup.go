package sqljournal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Backup writes a copy of the database src to the new file dst. A server may serve
// from src at the same time, in this process or another. The copy is of one moment
// after the call, so it holds everything that was acknowledged before. dst appears
// complete, checked and on the disk, or not at all. The error is an [*Error].
func Backup(ctx context.Context, src, dst string) error {
	err := backup(ctx, src, dst)
	var own *Error
	if err == nil || errors.As(err, &own) {
		return err
	}
	return &Error{Code: codeOf(err), Op: "backup", Path: dst, Err: err}
}

func backup(ctx context.Context, src, dst string) (err error) {
	exists := &Error{Code: CodeExists, Op: "backup", Path: dst, Err: errors.New("the file is there already")}
	if _, err := os.Lstat(dst); err == nil {
		return exists
	}
	if src, err = resolve(src); err != nil {
		return err
	}
	if dst, err = filepath.Abs(dst); err != nil {
		return err
	}
	if _, err := os.Stat(src); err != nil {
		return &Error{Code: CodeCannotOpen, Op: "backup", Path: src, Err: err}
	}
	part, err := os.CreateTemp(filepath.Dir(dst), filepath.Base(dst)+".*.part") // readable by this user only: it holds secrets
	if err != nil {
		return err
	}
	defer os.Remove(part.Name()) // after a success the file is gone already
	defer part.Close()
	if err := copyInto(ctx, src, part.Name()); err != nil {
		return err
	}
	if err := check(ctx, part.Name()); err != nil {
		return err
	}
	if err := part.Sync(); err != nil {
		return err
	}
	if err := part.Close(); err != nil {
		return err
	}
	// A link never replaces a file that another process has made in the meantime. On
	// a file system without links the file is renamed.
	if err := os.Link(part.Name(), dst); errors.Is(err, fs.ErrExist) {
		return exists
	} else if err != nil {
		if err := os.Rename(part.Name(), dst); err != nil {
			return err
		}
	}
	if dir, err := os.Open(filepath.Dir(dst)); err == nil {
		_ = dir.Sync() // some systems cannot sync a folder; the file itself is safe
		_ = dir.Close()
	}
	return nil
}

func copyInto(ctx context.Context, src, dst string) error {
	return with(ctx, src, func(conn *sql.Conn) error {
		if err := identify(conn); err != nil {
			return err
		}
		_, err := conn.ExecContext(ctx, "VACUUM INTO $1", dst)
		return err
	})
}

// check reads the whole copy. It does not make the file if there is none.
func check(ctx context.Context, path string) error {
	return with(ctx, path, func(conn *sql.Conn) error {
		var found string
		if err := conn.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found); err != nil {
			return err
		}
		if found != "ok" {
			return &Error{Code: CodeCorrupt, Op: "backup", Path: path, Err: fmt.Errorf("the copy is broken: %s", found)}
		}
		return nil
	}, "mode=ro")
}

// Inspect calls fn with a pool of connections that can only read a database. A server may
// serve from it at the same time, in this process or another. Nothing in it is changed: it
// may be of an older release. The error is an [*Error], or that of fn.
func Inspect(ctx context.Context, path string, fn func(*sql.DB) error) (err error) {
	wrap := func(err error) error {
		var own *Error
		if errors.As(err, &own) {
			return err
		}
		return &Error{Code: codeOf(err), Op: "inspect", Path: path, Err: err}
	}
	path, err = resolve(path)
	if err != nil {
		return wrap(err)
	}
	if _, err := os.Stat(path); err != nil {
		return &Error{Code: CodeCannotOpen, Op: "inspect", Path: path, Err: err}
	}
	if err := with(ctx, path, identify, "_pragma=query_only(1)"); err != nil {
		return wrap(err)
	}
	pool, err := connect(path, "_pragma=query_only(1)", busyTimeout(5*time.Second))
	if err != nil {
		return wrap(err)
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	return fn(pool)
}

// with calls fn with a connection of its own.
func with(ctx context.Context, path string, fn func(*sql.Conn) error, params ...string) (err error) {
	pool, err := connect(path, append(params, busyTimeout(5*time.Second))...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return fn(conn)
}
