package load

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/bench/kit"
)

// wanted is what a process of clients is told to open: streams at one node.
type wanted struct {
	Base    string
	Streams []stream
}

// stream is one that waits for a question.
type stream struct {
	ID     parley.ID
	Cookie string // of the person who is asked
}

// told is what such a process says: that a stream is open, or that its question is
// settled.
type told struct {
	ID   parley.ID
	Open bool
	At   int64  // nanoseconds of the machine's clock
	Err  string `json:",omitempty"`
}

// Streams is the process that opens streams: what it is to open comes on standard
// input, and what it sees goes to standard output. It ends with its input.
func Streams(ctx context.Context) error {
	kit.RaiseFileLimit()
	var w wanted
	in := bufio.NewReader(os.Stdin)
	if err := json.NewDecoder(in).Decode(&w); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var mu sync.Mutex
	out := json.NewEncoder(os.Stdout)
	say := func(t told) {
		mu.Lock()
		defer mu.Unlock()
		t.At = time.Now().UnixNano()
		_ = out.Encode(t)
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	dialing := make(chan struct{}, 64)
	var all sync.WaitGroup
	for _, one := range w.Streams {
		select {
		case dialing <- struct{}{}:
		case <-ctx.Done():
			return nil
		}
		all.Go(func() {
			if err := one.follow(ctx, w.Base, func() { <-dialing; say(told{ID: one.ID, Open: true}) }, func() { say(told{ID: one.ID}) }); err != nil && ctx.Err() == nil {
				say(told{ID: one.ID, Err: err.Error()})
			}
		})
	}
	all.Wait()
	return nil
}

// follow is one stream on a connection of its own. It speaks HTTP by hand: a client
// with its buffers and goroutines would take more memory than what is measured.
func (s stream) follow(ctx context.Context, base string, opened, settled func()) error {
	began := sync.OnceFunc(opened)
	defer began()
	at, err := url.Parse(base)
	if err != nil {
		return err
	}
	conn, err := net.Dial("tcp", at.Host)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	if _, err := fmt.Fprintf(conn, "GET /api/elicitations/%s/events HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\nAccept: text/event-stream\r\n\r\n", s.ID, at.Host, s.Cookie); err != nil {
		return err
	}
	lines := bufio.NewReaderSize(conn, 512)
	first := true
	for {
		line, err := lines.ReadSlice('\n')
		if err != nil && err != bufio.ErrBufferFull {
			return fmt.Errorf("the stream ended: %w", err)
		}
		switch {
		case first && !bytes.Contains(line, []byte(" 200 ")):
			return fmt.Errorf("refused: %s", bytes.TrimSpace(line))
		case bytes.Contains(line, []byte(`"state":"pending"`)):
			began()
		case bytes.Contains(line, []byte(`"state":"settled"`)):
			settled()
			return nil
		}
		first = false
	}
}

// clients are the processes that have the streams open, one for each node.
type clients struct {
	took    time.Duration
	people  []*http.Cookie
	streams [][]stream // by node
	news    chan told
	stop    []func()
	once    sync.Once
}

func (c *clients) close() {
	c.once.Do(func() {
		for _, stop := range c.stop {
			stop()
		}
	})
}

// openStreams opens a question for each stream, and then the streams.
func (s *site) openStreams(ctx context.Context) (c *clients, err error) {
	c = &clients{news: make(chan told, s.streams*2+1), streams: make([][]stream, len(s.nodes))}
	defer func() {
		if err != nil {
			c.close()
		}
	}()
	people := (s.streams + each - 1) / each
	c.people = make([]*http.Cookie, people)
	err = kit.InParallel(4, people, func(i int) (err error) {
		c.people[i], err = kit.SignIn(ctx, s.nodes[i%len(s.nodes)].URL, person(i))
		return err
	})
	if err != nil {
		return c, err
	}
	var mu sync.Mutex
	expires := time.Now().Add(24 * time.Hour)
	err = kit.InParallel(callers, s.streams, func(i int) error {
		who := i / each
		r, err := s.hub.Open(ctx, question(person(who), expires))
		mu.Lock()
		defer mu.Unlock()
		node := i % len(s.nodes)
		c.streams[node] = append(c.streams[node], stream{r.ID, c.people[who].Name + "=" + c.people[who].Value})
		return err
	})
	if err != nil {
		return c, err
	}
	began := time.Now()
	for i, v := range s.nodes {
		if err := c.start(ctx, wanted{v.URL, c.streams[i]}); err != nil {
			return c, err
		}
	}
	for open := 0; open < s.streams; {
		select {
		case t := <-c.news:
			if t.Err != "" {
				return c, fmt.Errorf("a stream: %s", t.Err)
			}
			if open++; open%2000 == 0 {
				kit.Progress("%d of %d streams open", open, s.streams)
			}
		case <-ctx.Done():
			return c, ctx.Err()
		}
	}
	c.took = time.Since(began)
	return c, nil
}

func person(i int) string { return fmt.Sprint("streaming-", i) }

// start runs this program again, for the streams at one node.
func (c *clients) start(ctx context.Context, w wanted) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, self, "load-streams")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	heard := make(chan struct{})
	go func() {
		defer close(heard)
		for from := json.NewDecoder(out); ; {
			var t told
			if from.Decode(&t) != nil {
				return
			}
			c.news <- t
		}
	}()
	c.stop = append(c.stop, func() {
		in.Close()
		<-heard
		_ = cmd.Wait()
	})
	return json.NewEncoder(in).Encode(w)
}
