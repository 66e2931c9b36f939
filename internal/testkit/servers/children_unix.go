//go:build unix && !linux

package servers

import (
	"fmt"
	"os/exec"
	"strings"
)

// children returns the ids of a process's children that have not ended.
func children(parent int) []int {
	var pids []int
	out, _ := exec.Command("ps", "-A", "-o", "pid=,ppid=,stat=").Output()
	for line := range strings.Lines(string(out)) {
		var pid, ppid int
		var state string
		if _, err := fmt.Sscan(line, &pid, &ppid, &state); err == nil && ppid == parent && state[0] != 'Z' {
			pids = append(pids, pid)
		}
	}
	return pids
}
