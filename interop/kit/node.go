package kit

import (
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"
)

// givenAddresses are those that freeAddresses has returned. A node that was
// killed has not given up its own: it is started again.
var givenAddresses sync.Map

// FreeAddresses returns addresses on which nobody listens, of ports that no
// system gives to those who do not ask for one: theirs could be taken before the
// node starts, or while it is dead.
func FreeAddresses(t *testing.T, n int) (all []string) {
	t.Helper()
	for range 1000 {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 20000+rand.IntN(12000)))
		if err != nil {
			continue
		}
		defer l.Close()
		address := l.Addr().String()
		if _, given := givenAddresses.LoadOrStore(address, true); given {
			continue
		}
		if all = append(all, address); len(all) == n {
			return all
		}
	}
	t.Fatal("no port is free")
	return nil
}

// Node is a process that runs `parley serve`.
type Node struct {
	Url    string
	Cmd    *exec.Cmd
	Said   Output
	Ended  chan struct{} // closed after err is set
	Err    error
	killed bool
}

// Run starts a node's program and waits until it serves. It runs until the test
// ends, unless it is killed.
func (n *Node) Run(t *testing.T) {
	t.Helper()
	n.Cmd.Stdout, n.Cmd.Stderr = &n.Said, &n.Said
	if err := n.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		n.Err = n.Cmd.Wait()
		close(n.Ended)
	}()
	t.Cleanup(func() { n.End(t) })
	browser := NewVisitor(t).Browser
	Eventually(t, "the node serves", func() bool {
		select {
		case <-n.Ended:
			t.Fatalf("the node ended: %v\n%s", n.Err, n.Said.String())
		default:
		}
		answer, err := browser.Get(n.Url + "/readyz")
		if err != nil {
			return false
		}
		answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	})
}

// Kill is kill -9.
func (n *Node) Kill(t *testing.T) {
	t.Helper()
	n.killed = true
	if err := n.Cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-n.Ended
	if status, ok := n.Cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
		t.Fatalf("the node ended before it was killed: %v\n%s", n.Err, n.Said.String())
	}
}

// Stop tells a node to stop, and waits until it has.
func (n *Node) Stop(t *testing.T) {
	t.Helper()
	if err := n.Cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case <-n.Ended:
	case <-time.After(Patience):
		t.Fatal("the node does not stop")
	}
}

// End stops a node that still runs, at the end of a test.
func (n *Node) End(t *testing.T) {
	if !n.killed {
		_ = n.Cmd.Process.Signal(syscall.SIGTERM)
		killer := time.AfterFunc(Patience, func() { _ = n.Cmd.Process.Kill() })
		<-n.Ended
		killer.Stop()
		if n.Err != nil { // a data race ends with an error, too
			t.Errorf("the node at %s: %v", n.Url, n.Err)
		}
	}
	if t.Failed() {
		t.Logf("the node at %s wrote:\n%s", n.Url, n.Said.String())
	}
}

// Eventually waits for what must happen.
func Eventually(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for deadline := time.Now().Add(Patience); !happened(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it did not come to this: %s", what)
		}
	}
}
