package limit_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley/limit"
)

// pipes is a listener without sockets, for a bubble.
type pipes struct {
	conns chan net.Conn
	done  chan struct{}
}

type pipeEnd struct {
	net.Conn
	from net.Addr
}

func (p pipeEnd) RemoteAddr() net.Addr { return p.from }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}
func (p *pipes) Close() error   { close(p.done); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

// dial connects from an address.
func (p *pipes) dial(from string) net.Conn {
	ours, theirs := net.Pipe()
	p.conns <- pipeEnd{theirs, &net.TCPAddr{IP: net.ParseIP(from), Port: 5000}}
	return ours
}

// serve serves a handler within bounds, and runs the test in a bubble.
func serve(t *testing.T, bounds limit.Web, handler http.HandlerFunc, test func(t *testing.T, p *pipes)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
		web := bounds.Server(handler)
		web.ErrorLog = log.New(io.Discard, "", 0)
		ended := make(chan error)
		go func() { ended <- web.Serve(bounds.Listener(p)) }()
		test(t, p)
		_ = web.Close()
		<-ended
		time.Sleep(time.Second) // net/http lingers for a moment
	})
}

func send(t *testing.T, c net.Conn, text string) {
	t.Helper()
	if _, err := io.WriteString(c, text); err != nil {
		t.Fatal(err)
	}
}

// cutOff reads until the server closes the connection, and says when.
func cutOff(t *testing.T, c net.Conn) (said string, after time.Duration) {
	t.Helper()
	began := time.Now()
	b, err := io.ReadAll(c)
	if err != nil && !errors.Is(err, io.ErrClosedPipe) {
		t.Fatal(err)
	}
	return string(b), time.Since(began)
}

func quiet(w http.ResponseWriter, r *http.Request) {
	_, err := io.Copy(io.Discard, r.Body)
	if err != nil {
		http.Error(w, "broken off", http.StatusBadRequest)
		return
	}
	fmt.Fprint(w, "ok")
}

func TestAClientThatDoesNotSendItsHeaderIsCutOff(t *testing.T) {
	for name, sent := range map[string]string{"nothing": "", "half of one": "GET / HTTP/1.1\r\nHost: x\r\nAcc"} {
		serve(t, limit.Web{}, quiet, func(t *testing.T, p *pipes) {
			c := p.dial("192.0.2.1")
			send(t, c, sent)
			if _, after := cutOff(t, c); after != 10*time.Second {
				t.Errorf("%s: after %v", name, after)
			}
		})
	}
}

func TestAConnectionThatIsIdleIsClosed(t *testing.T) {
	serve(t, limit.Web{}, quiet, func(t *testing.T, p *pipes) {
		c := p.dial("192.0.2.1")
		send(t, c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		said, after := cutOff(t, c)
		if !strings.HasSuffix(said, "ok") || after != 2*time.Minute {
			t.Errorf("%q after %v", said, after)
		}
	})
}

func TestABodyThatDoesNotComeIsCutOff(t *testing.T) {
	ignores := func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") }
	for name, handler := range map[string]http.HandlerFunc{"read": quiet, "not read": ignores} {
		for kind, sent := range map[string]string{
			"with a length": "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nx",
			"in chunks":     "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n",
			"with a GET":    "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nx",
		} {
			serve(t, limit.Web{}, handler, func(t *testing.T, p *pipes) {
				c := p.dial("192.0.2.1")
				send(t, c, sent)
				if said, after := cutOff(t, c); after > time.Minute+time.Second {
					t.Errorf("%s, %s: %q after %v", name, kind, said, after)
				}
			})
		}
	}
}

func TestABodyThatComesByteByByteIsCutOff(t *testing.T) {
	serve(t, limit.Web{}, quiet, func(t *testing.T, p *pipes) {
		c := p.dial("192.0.2.1")
		send(t, c, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
		var sent atomic.Int64
		go func() {
			for ; ; sent.Add(1) {
				time.Sleep(5 * time.Second)
				if _, err := io.WriteString(c, "1\r\nx\r\n"); err != nil {
					return
				}
			}
		}()
		if _, after := cutOff(t, c); after > time.Minute+time.Second {
			t.Errorf("after %v", after)
		}
		time.Sleep(10 * time.Second) // the writer notices
		if n := sent.Load(); n > 12 {
			t.Errorf("%d bytes were taken", n)
		}
	})
}

func TestABodyThatIsTooLongIsCutOffWhereverItGoes(t *testing.T) {
	var read chan int64 // of the bubble
	serve(t, limit.Web{Bytes: 1000}, func(_ http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		read <- n
	}, func(t *testing.T, p *pipes) {
		read = make(chan int64, 1)
		c := p.dial("192.0.2.1")
		go io.Copy(io.Discard, c)
		send(t, c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\n\r\n"+strings.Repeat("x", 2000))
		if n := <-read; n != 1000 {
			t.Errorf("%d bytes were read", n)
		}
		_ = c.Close()
	})
}

// What was sent in time may be answered for as long as it takes.
func TestAnAnswerOutlivesTheTimeOfItsRequest(t *testing.T) {
	serve(t, limit.Web{}, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		for n := range 10 {
			select {
			case <-time.After(5 * time.Minute):
			case <-r.Context().Done():
				fmt.Fprintf(w, "given up: %v", context.Cause(r.Context()))
				return
			}
			fmt.Fprintf(w, "%d,", n)
			_ = http.NewResponseController(w).Flush()
		}
	}, func(t *testing.T, p *pipes) {
		for _, sent := range []string{
			"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody",
			"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
			"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
		} {
			c := p.dial("192.0.2.1")
			send(t, c, sent)
			r, err := http.ReadResponse(bufio.NewReader(c), nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(r.Body)
			if want := "0,1,2,3,4,5,6,7,8,9,"; string(got) != want || err != nil {
				t.Errorf("%q, %v", got, err)
			}
		}
	})
}

func TestAClientThatDoesNotReadIsCutOff(t *testing.T) {
	var failed chan error // of the bubble
	serve(t, limit.Web{}, func(w http.ResponseWriter, _ *http.Request) {
		for {
			if _, err := w.Write(bytes.Repeat([]byte("x"), 1<<20)); err != nil {
				failed <- err
				return
			}
		}
	}, func(t *testing.T, p *pipes) {
		failed = make(chan error, 1)
		c := p.dial("192.0.2.1")
		send(t, c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		began := time.Now()
		if err := <-failed; !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(began) != 30*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		_ = c.Close()
	})
}

func TestASlowClientGetsALongAnswer(t *testing.T) {
	long := bytes.Repeat([]byte("x"), 1<<20)
	serve(t, limit.Web{}, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(long) }, func(t *testing.T, p *pipes) {
		c := p.dial("192.0.2.1")
		send(t, c, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
		got := 0
		for b := make([]byte, 64<<10); ; time.Sleep(20 * time.Second) {
			n, err := io.ReadFull(c, b)
			if got += n; err != nil {
				break
			}
		}
		if got < len(long) {
			t.Errorf("%d bytes of %d came", got, len(long))
		}
	})
}

func TestConnectionsAreBounded(t *testing.T) {
	serve(t, limit.Web{Connections: 4, PerAddress: 2}, quiet, func(t *testing.T, p *pipes) {
		refused := func(from string) (net.Conn, bool) {
			c := p.dial(from)
			type answer struct {
				n int
				b [12]byte
			}
			said := make(chan answer, 1)
			go func() {
				var a answer
				a.n, _ = io.ReadFull(c, a.b[:])
				said <- a
			}()
			synctest.Wait()
			select {
			case a := <-said:
				return c, string(a.b[:a.n]) == "HTTP/1.1 503"
			default:
				return c, false
			}
		}
		first, _ := refused("192.0.2.1")
		for _, step := range []struct {
			from string
			want bool
		}{
			{"192.0.2.1", false}, {"192.0.2.1", true}, // two of an address
			{"127.0.0.1", false}, {"127.0.0.1", false}, // a proxy here may speak for many
			{"192.0.2.2", true}, // four in all
		} {
			if _, got := refused(step.from); got != step.want {
				t.Errorf("%s: refused %t, want %t", step.from, got, step.want)
			}
		}
		_ = first.Close()
		synctest.Wait()
		if _, got := refused("192.0.2.1"); got {
			t.Error("a connection that was closed still counts")
		}
	})
}
