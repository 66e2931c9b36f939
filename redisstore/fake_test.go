package redisstore_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// fake is a server that says what a test wants.
type fake struct {
	url                string
	accepted, standing atomic.Int64 // connections
	stop               func()       // the server, for good
}

// What fakes say besides replies.
const (
	mute  = "\a"
	pause = "\f" // of a tenth of a second
)

// newFake answers each command with what say returns; ok false hangs up behind it. Where it
// returns nothing, the server says what a well one does.
func newFake(t *testing.T, say func(words []string) (answer string, ok bool)) *fake {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	f := &fake{url: "redis://" + l.Addr().String(), stop: func() {
		cancel()
		l.Close()
		all.Wait()
	}}
	t.Cleanup(f.stop)
	all.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			f.accepted.Add(1)
			f.standing.Add(1)
			stop := context.AfterFunc(ctx, func() { conn.Close() })
			all.Go(func() {
				defer f.standing.Add(-1)
				defer stop()
				defer conn.Close()
				for in := bufio.NewReader(conn); ; {
					words, err := readCommand(in)
					if err != nil {
						return
					}
					answer, ok := say(words)
					if ok && answer == "" {
						answer = usual(words)
					}
					for i, part := range strings.Split(strings.Trim(answer, mute), pause) {
						time.Sleep(time.Duration(min(i, 1)) * 100 * time.Millisecond)
						if _, err := io.WriteString(conn, part); err != nil {
							return
						}
					}
					if !ok {
						return
					}
				}
			})
		}
	})
	return f
}

func usual(words []string) string {
	switch words[0] {
	case "CONFIG":
		return "*0\r\n"
	case "CLUSTER":
		return "-ERR This instance has cluster support disabled\r\n"
	case "PING":
		return "+PONG\r\n"
	}
	return "+OK\r\n"
}

func readCommand(in *bufio.Reader) ([]string, error) {
	var n int
	if _, err := fmt.Fscanf(in, "*%d\r\n", &n); err != nil {
		return nil, err
	}
	words := make([]string, n)
	for i := range words {
		head, err := in.ReadString('\n')
		if err != nil {
			return nil, err
		}
		size, err := strconv.Atoi(strings.Trim(head, "$\r\n"))
		if err != nil {
			return nil, err
		}
		word := make([]byte, size+2)
		if _, err := io.ReadFull(in, word); err != nil {
			return nil, err
		}
		words[i] = string(word[:size])
	}
	return words, nil
}
