package kit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// Serving is a parley serve in a process of its own, which is measured from outside.
type Serving struct {
	URL   string
	Over  atomic.Bool   // it was ended for its memory
	Ended chan struct{} // closed when the process is gone

	cmd   *exec.Cmd
	log   bytes.Buffer
	limit int64 // bytes of memory
	peak  atomic.Int64
}

// Said is the end of what it printed.
func (v *Serving) Said() string {
	text := v.log.String()
	return text[max(0, len(text)-2000):]
}

// PID is the number of its process.
func (v *Serving) PID() int { return v.cmd.Process.Pid }

// Memory is how many bytes of memory are resident now.
func (v *Serving) Memory() int64 { return v.memory("VmRSS") }

// MostMemory is how many bytes of memory were resident at most.
func (v *Serving) MostMemory() int64 { return max(v.peak.Load(), v.memory("VmHWM")) }

// StartServe runs a program with a configuration, which is made for the address
// that it is to listen on, and waits until it is ready.
func StartServe(ctx context.Context, program []string, limit int64, dir string, config func(listen string) string) (*Serving, error) {
	listen, err := FreeAddress()
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "parley.yaml")
	if err := os.WriteFile(path, []byte(config(listen)), 0o600); err != nil {
		return nil, err
	}
	v := &Serving{URL: "http://" + listen, limit: limit, Ended: make(chan struct{}), cmd: exec.Command(program[0], append(program[1:], "-c", path)...)}
	v.cmd.Stdout, v.cmd.Stderr = &v.log, &v.log
	if err := v.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = v.cmd.Wait()
		close(v.Ended)
	}()
	go v.watch()
	for {
		answer, err := http.Get(v.URL + "/readyz")
		if err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return v, nil
			}
		}
		select {
		case <-ctx.Done():
			v.Stop()
			return nil, fmt.Errorf("it was not ready in time:\n%s", v.Said())
		case <-v.Ended:
			return nil, fmt.Errorf("it ended:\n%s", v.Said())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// watch ends a process that takes more memory than it may, for the machine's sake.
func (v *Serving) watch() {
	for {
		select {
		case <-v.Ended:
			return
		case <-time.After(20 * time.Millisecond):
		}
		if now := v.memory("VmHWM"); now > 0 {
			v.peak.Store(now)
			if now > v.limit {
				v.Over.Store(true)
				_ = v.cmd.Process.Kill()
				return
			}
		}
	}
}

// memory reads a figure of /proc, in bytes; 0 if the process is gone.
func (v *Serving) memory(name string) int64 {
	raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", v.cmd.Process.Pid))
	for line := range strings.Lines(string(raw)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			n, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return n << 10
		}
	}
	return 0
}

// Kill is kill -9.
func (v *Serving) Kill() {
	_ = v.cmd.Process.Kill()
	<-v.Ended
}

// Stop ends it, by force after five seconds.
func (v *Serving) Stop() {
	_ = v.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-v.Ended:
	case <-time.After(5 * time.Second):
		if err := v.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			fmt.Fprintln(os.Stderr, "bench:", err)
		}
		<-v.Ended
	}
}

// CPU is its processor time so far.
func (v *Serving) CPU() time.Duration { return CPUOf(v.PID()) }

// CPUOf is the processor time of a process so far.
func CPUOf(pid int) time.Duration {
	raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, after, _ := strings.Cut(string(raw), ") ")
	fields := strings.Fields(after)
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.ParseInt(fields[11], 10, 64)
	system, _ := strconv.ParseInt(fields[12], 10, 64)
	return time.Duration(user+system) * time.Second / 100 // of the kernel's USER_HZ
}

// Build compiles a program of this tree into a folder, and returns where it is.
func Build(ctx context.Context, dir, source string) (string, error) {
	Progress("building")
	program := filepath.Join(dir, "parley")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", program, source).CombinedOutput(); err != nil {
		return "", fmt.Errorf("building: %w\n%s", err, out)
	}
	return program, nil
}
