//go:build unix

package testenv

import (
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// serverAttributes puts a server into a process group of its own, so that an interrupt from
// the keyboard reaches only this process. If this process is root, the server runs as the
// user nobody, because PostgreSQL refuses to run as root.
func serverAttributes() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true}
	if uid, gid, ok := nobody(); ok {
		attr.Credential = &syscall.Credential{Uid: uid, Gid: gid}
	}
	return attr
}

// giveToServer makes the server's user the owner of a folder.
func giveToServer(dir string) error {
	if uid, gid, ok := nobody(); ok {
		return os.Chown(dir, int(uid), int(gid))
	}
	return nil
}

func nobody() (uid, gid uint32, ok bool) {
	if os.Geteuid() != 0 {
		return 0, 0, false
	}
	u, err := user.Lookup("nobody")
	if err != nil {
		return 0, 0, false
	}
	id, err := strconv.ParseUint(u.Uid, 10, 32)
	group, err2 := strconv.ParseUint(u.Gid, 10, 32)
	return uint32(id), uint32(group), err == nil && err2 == nil
}
