// Package ballast keeps the collector of garbage from running all the time while a
// server is small.
package ballast

import (
	"os"
	"runtime"
)

// bytes are counted as in use and never touched, so they take no memory. The collector
// runs when the heap has doubled: a server that uses 10 MB would collect after every
// 10 MB that its calls allocate, which took a fifth of a gateway's time.
const bytes = 32 << 20

// Load takes the ballast on, and returns what drops it. A server may have that much
// more garbage at a time. Whoever has set GOGC or GOMEMLIMIT knows better: then there
// is none.
func Load() (drop func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	held := make([]byte, bytes)
	return func() { runtime.KeepAlive(held) }
}
