//go:build !unix

package shared

import "sync"

var locks sync.Map

// lock keeps the goroutines of this process apart: here tests have no shared folder.
func lock(file string) (unlock func(), err error) {
	mu, _ := locks.LoadOrStore(file, new(sync.Mutex))
	mu.(*sync.Mutex).Lock()
	return mu.(*sync.Mutex).Unlock, nil
}
