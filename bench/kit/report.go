package kit

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

// Report says where a measured process listens, then what it uses as often as
// it is asked, until standard input ends.
func Report(url string) error {
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode(url); err != nil {
		return err
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		if err := out.Encode(consumed(in.Text() == "settled")); err != nil {
			return err
		}
	}
	return nil
}

// Consumption is what a process has used, or uses.
type Consumption struct {
	CPU        time.Duration // user and system, since its start
	RSS        int64         // 0 where the system does not say
	Heap       int64         // live objects
	Stacks     int64
	Goroutines int
}

// consumed measures this process. Settled, it first gives back what it does not
// need.
func consumed(settled bool) Consumption {
	if settled {
		runtime.GC() // twice, so that finalizers and pools have let go
		debug.FreeOSMemory()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return Consumption{
		CPU:        time.Duration(u.Utime.Nano() + u.Stime.Nano()),
		RSS:        residentOf(os.Getpid()),
		Heap:       int64(m.HeapAlloc),
		Stacks:     int64(m.StackInuse),
		Goroutines: runtime.NumGoroutine(),
	}
}

// residentOf is the memory of a process that is resident; 0 where the system does not say.
func residentOf(pid int) int64 {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	var size, resident int64
	if _, err := fmt.Fscan(strings.NewReader(string(raw)), &size, &resident); err != nil {
		return 0
	}
	return resident * int64(os.Getpagesize())
}

// Footprint is what all that waits costs a server: calls, sessions or streams.
type Footprint struct {
	Before, During, Settled Consumption // settled: after a collection
}

// Bytes returns the costs in the order of the table.
func (f Footprint) Bytes() []int64 {
	return []int64{
		f.During.RSS - f.Before.RSS, f.Settled.RSS - f.Before.RSS,
		f.Settled.Heap - f.Before.Heap, f.Settled.Stacks - f.Before.Stacks,
	}
}

// RaiseFileLimit lets this process open as many files as it may.
func RaiseFileLimit() uint64 {
	var l syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l) != nil {
		return 0
	}
	if l.Cur < l.Max {
		l.Cur = l.Max
		if syscall.Setrlimit(syscall.RLIMIT_NOFILE, &l) != nil {
			_ = syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l)
		}
	}
	return uint64(l.Cur)
}
