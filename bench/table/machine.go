package table

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// Machine is what the figures were made on.
type Machine struct {
	System string `json:"system"`
	CPU    string `json:"cpu,omitempty"`
	Cores  int    `json:"cores"`
	Memory string `json:"memory,omitempty"`
	Go     string `json:"go"`
	Commit string `json:"commit,omitempty"`
	Load   string `json:"load,omitempty"` // averages when it began: what else the machine did
}

func thisMachine() Machine {
	m := Machine{System: runtime.GOOS + "/" + runtime.GOARCH, Cores: runtime.NumCPU(), Go: runtime.Version()}
	m.CPU = after("/proc/cpuinfo", "model name")
	m.Memory = after("/proc/meminfo", "MemTotal")
	if raw, err := os.ReadFile("/proc/loadavg"); err == nil {
		m.Load = strings.Join(strings.Fields(string(raw))[:3], " ")
	}
	if out, err := exec.Command("git", "describe", "--always", "--dirty").Output(); err == nil {
		m.Commit = strings.TrimSpace(string(out))
	}
	return m
}

// after is the value of the first line of a file that begins with a name.
func after(path, name string) string {
	raw, _ := os.ReadFile(path)
	for line := range strings.Lines(string(raw)) {
		if strings.HasPrefix(line, name) {
			_, value, _ := strings.Cut(line, ":")
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func (m Machine) String() string {
	text := fmt.Sprintf("%s, %d cores", m.System, m.Cores)
	for _, more := range []string{m.CPU, m.Memory, m.Go, "commit " + m.Commit, "load average at the beginning " + m.Load} {
		if more != "" && !strings.HasSuffix(more, " ") {
			text += ", " + more
		}
	}
	return text
}
