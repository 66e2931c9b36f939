package servers

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// children returns the ids of a process's children that have not ended.
func children(parent int) []int {
	var pids []int
	entries, _ := os.ReadDir("/proc")
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		stat, _ := os.ReadFile("/proc/" + entry.Name() + "/stat")
		var state string
		var ppid int
		// pid (name) state ppid …; the name may hold anything, blanks and parentheses too.
		fields := stat[strings.LastIndexByte(string(stat), ')')+1:]
		if _, err := fmt.Sscan(string(fields), &state, &ppid); err == nil && ppid == parent && state != "Z" && state != "X" {
			pids = append(pids, pid)
		}
	}
	return pids
}
