package mcpclient_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/parley-hq/parley/mcpclient"
)

// bulkyPipe serves 2026-07-28 at the other end of a pipe by hand. answer writes the
// response to the call of this id.
func bulkyPipe(t *testing.T, answer func(w io.Writer, id string)) *mcpclient.Conn {
	t.Helper()
	ours, theirs := net.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for in := bufio.NewScanner(theirs); in.Scan(); {
			var m struct {
				ID     json.RawMessage
				Method string
			}
			_ = json.Unmarshal(in.Bytes(), &m)
			switch {
			case m.ID == nil:
			case m.Method == "server/discover":
				fmt.Fprintf(theirs, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"bulky","version":"1"}}}`+"\n", m.ID)
			default:
				go answer(theirs, string(m.ID)) // nobody reads a pipe that is not written to
			}
		}
	}()
	c, err := mcpclient.Connect(t.Context(), &mcpclient.Options{Pipe: ours, MaxMessage: 4 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Close()
		_ = theirs.Close()
		<-done
	})
	return c
}

const (
	idFirst = `{"jsonrpc":"2.0","id":%[1]s,"result":{"content":[{"type":"text","text":"%[2]s"}]}}` + "\n"
	idLast  = `{"result":{"content":[{"type":"text","text":"%[2]s"}]},"jsonrpc":"2.0","id":%[1]s}` + "\r\n"
)

var wide = func(r *mcpclient.Request) { r.Large = true }

func TestALargeResultOfAProgramIsReadWhileItComes(t *testing.T) {
	for name, form := range map[string]string{"the id first": idFirst, "the id last": idLast} {
		t.Run(name, func(t *testing.T) {
			text, taken := strings.Repeat("x", 3<<20), make(chan struct{}, 1)
			c := bulkyPipe(t, func(w io.Writer, id string) {
				all := fmt.Sprintf(form, id, text)
				_, _ = io.WriteString(w, all[:5<<19])
				<-taken // the rest comes once the beginning was given to the caller
				_, _ = io.WriteString(w, all[5<<19:])
			})
			for range 2 { // the connection is as good as before
				x := call(t, c, "any", `{}`, wide)
				m := next(t, x)
				if m.Rest == nil {
					t.Fatal("the result is held whole")
				}
				taken <- struct{}{}
				if err := m.Whole(); err != nil || !strings.Contains(string(m.Result), text) {
					t.Fatalf("%d bytes, %v", len(m.Result), err)
				}
				if _, err := x.Next(); !errors.Is(err, io.EOF) {
					t.Errorf("after it comes %v", err)
				}
				x.Close()
			}
		})
	}
}

func TestACallThatIsClosedLeavesTheRestOfItsLineToNobody(t *testing.T) {
	closed := make(chan struct{})
	var writing sync.Mutex
	c := bulkyPipe(t, func(w io.Writer, id string) {
		writing.Lock()
		defer writing.Unlock()
		all := fmt.Sprintf(idFirst, id, strings.Repeat("x", 3<<20))
		_, _ = io.WriteString(w, all[:5<<19])
		<-closed // or all might be there before
		_, _ = io.WriteString(w, all[5<<19:])
	})
	x := call(t, c, "any", `{}`, wide)
	m := next(t, x)
	x.Close()
	close(closed)
	if err := m.Whole(); !errors.Is(err, mcpclient.ErrClosed) {
		t.Errorf("the rest ended with %v", err)
	}
	y := call(t, c, "any", `{}`, wide)
	defer y.Close()
	if other := next(t, y); other.Rest == nil || other.Whole() != nil {
		t.Errorf("the next call: %t", other.Rest != nil)
	}
}

// With the id at its end a line is whose the only open call is, unless it could be
// the answer to one that was given up.
func TestALargeLineThatMayBeAnotherCallsIsReadToItsEnd(t *testing.T) {
	waits := make(chan string, 2)
	release := make(chan struct{})
	c := bulkyPipe(t, func(w io.Writer, id string) {
		waits <- id
		<-release
		_, _ = io.WriteString(w, fmt.Sprintf(idLast, id, strings.Repeat("x", 3<<20)))
	})
	given := call(t, c, "any", `{}`, wide)
	<-waits
	given.Close()
	x := call(t, c, "any", `{}`, wide)
	<-waits
	release <- struct{}{} // the answers come one after the other, whichever is first
	release <- struct{}{}
	m := next(t, x)
	if m.Rest != nil || !strings.Contains(string(m.Result), "xxx") {
		t.Errorf("it was taken for the only call's: %t, %d bytes", m.Rest != nil, len(m.Result))
	}
	x.Close()
}

func TestALineThatIsTooLongEndsTheConnectionWhileItIsRead(t *testing.T) {
	c := bulkyPipe(t, func(w io.Writer, id string) {
		_, _ = io.WriteString(w, fmt.Sprintf(idFirst, id, strings.Repeat("x", 5<<20)))
	})
	x := call(t, c, "any", `{}`, wide)
	m := next(t, x)
	if err := m.Whole(); !errors.Is(err, mcpclient.ErrTooLarge) || !errors.Is(err, mcpclient.ErrUnderway) {
		t.Errorf("it ended with %v", err)
	}
	x.Close()
	<-c.Done()
}
