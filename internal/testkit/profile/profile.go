// Package profile writes profiles of a process that is measured.
package profile

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
)

// Start writes a CPU profile from now on, and one of the heap at the end. The folder is made if it is not there.
func Start(prefix string) (end func(), err error) {
	if err := os.MkdirAll(filepath.Dir(prefix), 0o755); err != nil {
		return nil, err
	}
	cpu, err := os.Create(prefix + "cpu.pprof")
	if err != nil {
		return nil, err
	}
	if err := pprof.StartCPUProfile(cpu); err != nil {
		return nil, err
	}
	return func() {
		pprof.StopCPUProfile()
		_ = cpu.Close()
		heap, err := os.Create(prefix + "heap.pprof")
		if err == nil {
			err = pprof.WriteHeapProfile(heap)
			_ = heap.Close()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "the heap profile was not written:", err)
		}
	}, nil
}
