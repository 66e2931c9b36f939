//go:build linux || darwin

package sqlitestore

import "syscall"

// What access(2) is asked. Package syscall has no names for them.
const mayEnter, mayChange, mayRead = 1, 2, 4

// mayWrite returns why this user cannot write a file, or make files in a directory. Of
// root it only knows what is mounted to be read.
func mayWrite(name string, dir bool) error {
	if dir {
		return syscall.Access(name, mayEnter|mayChange)
	}
	return syscall.Access(name, mayChange|mayRead)
}
