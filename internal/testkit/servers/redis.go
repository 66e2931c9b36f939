package servers

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// StartRedis starts redis-server, or valkey-server where that is installed instead. Every write is on disk before it is
// acknowledged, so neither a restart nor a kill loses one. ctx bounds the start, not the server's life. The error is
// [ErrNotInstalled] if there is no binary.
func StartRedis(ctx context.Context, _ *Options) (*Server, error) {
	path, err := findRedis()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "parley-redis-")
	if err != nil {
		return nil, err
	}
	return start(ctx, redis{path}, dir)
}

func findRedis() (string, error) {
	for _, name := range []string{"redis-server", "valkey-server"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("redis-server: %w", ErrNotInstalled)
}

type redis struct{ path string }

func (redis) url(port int) string { return fmt.Sprintf("redis://127.0.0.1:%d", port) }

func (redis) prepare(context.Context, *guard) error { return nil }

func (r redis) command(dir string, port int) *exec.Cmd {
	cmd := exec.Command(r.path,
		"--bind", "127.0.0.1", "--port", strconv.Itoa(port), "--dir", dir,
		"--appendonly", "yes", "--appendfsync", "always", "--save", "")
	cmd.Dir = dir
	return cmd
}

// ready asks for the process id too: the answer may come from another server that was faster to take the port.
func (redis) ready(ctx context.Context, _ string, port, pid int) bool {
	conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Second))
	if _, err := conn.Write([]byte("PING\r\nINFO server\r\nQUIT\r\n")); err != nil {
		return false
	}
	answer := bufio.NewScanner(conn)
	if !answer.Scan() || answer.Text() != "+PONG" { // -LOADING while it reads its file
		return false
	}
	for answer.Scan() {
		if id, ok := strings.CutPrefix(answer.Text(), "process_id:"); ok {
			return id == strconv.Itoa(pid)
		}
	}
	return false
}

func (redis) signals() (stop, abandon syscall.Signal) { return syscall.SIGTERM, syscall.SIGKILL }
