// Package profile writes profiles of a process that is measured.
package profile

import (
	"fmt"
	"os"
	"runtime/pprof"
)

// Start writes a CPU profile from now on, and one of the heap at the end.
func Start(prefix string) (end func(), err error) {
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
