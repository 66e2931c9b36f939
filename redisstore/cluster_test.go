package redisstore_test

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/parley-hq/parley/internal/testkit/servers"
)

// cluster starts a cluster of one node and returns its URL.
func cluster(t *testing.T) string {
	t.Helper()
	servers.Redis(t) // skips or fails where there is no Redis
	path, err := exec.LookPath("redis-server")
	if err != nil {
		path, err = exec.LookPath("valkey-server")
	}
	if err != nil {
		t.Skip("no server's binary here")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	bus := busPort(t)
	l.Close()
	cmd := exec.Command(path, "--bind", "127.0.0.1", "--port", fmt.Sprint(port), "--dir", t.TempDir(), "--save", "",
		"--cluster-enabled", "yes", "--cluster-port", fmt.Sprint(bus), "--cluster-announce-ip", "127.0.0.1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	url := fmt.Sprintf("redis://127.0.0.1:%d", port)
	assignSlots(t, url)
	return url
}

func busPort(t *testing.T) int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// assignSlots gives the node all slots and waits until it takes commands.
func assignSlots(t *testing.T, url string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var client redis.Conn
	for {
		var err error
		if client, err = redis.DialURL(url); err == nil {
			break
		}
		if time.Sleep(10 * time.Millisecond); ctx.Err() != nil {
			t.Fatal(err)
		}
	}
	defer client.Close()
	if _, err := ask(t, client, "CLUSTER", "ADDSLOTSRANGE", "0", "16383"); err != nil {
		t.Fatal(err)
	}
	for {
		info, err := redis.String(ask(t, client, "CLUSTER", "INFO"))
		if strings.Contains(info, "cluster_state:ok") {
			return
		}
		if time.Sleep(10 * time.Millisecond); ctx.Err() != nil {
			t.Fatal(info, err)
		}
	}
}
