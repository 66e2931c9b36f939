package interop_test

import (
	"encoding/json"
	"testing"
)

// scriptClient is a client of npm/ in the matrix.
type scriptClient struct {
	*tsClient
	seen chan matrixEvent
}

// startScriptClient starts a client; command has everything that it needs to
// find its server.
func startScriptClient(t *testing.T, command []string) *scriptClient {
	t.Helper()
	c := &scriptClient{tsClient: runClient(t, command), seen: make(chan matrixEvent, 64)}
	done := make(chan struct{})
	translated := make(chan struct{})
	go func() {
		defer close(translated)
		c.translate(done)
	}()
	t.Cleanup(func() {
		c.t = t
		c.send(fields{"op": "close", "terminate": true}) // a session that is left open stays with its server
		close(done)
		<-translated
	})
	return c
}

// translate turns lines into events until the client ends, or nobody cares.
func (c *scriptClient) translate(done <-chan struct{}) {
	for i := 0; ; {
		c.mu.Lock()
		fresh, news, ended := c.lines[i:], c.news, c.ended
		c.mu.Unlock()
		i += len(fresh)
		for _, line := range fresh {
			if e, ok := lineEvent(line); ok {
				select {
				case c.seen <- e:
				case <-done:
					return
				}
			}
		}
		if len(fresh) > 0 {
			continue
		}
		if ended {
			return
		}
		select {
		case <-news:
		case <-done:
			return
		}
	}
}

func lineEvent(line *tsLine) (matrixEvent, bool) {
	switch {
	case line.Event == "elicitation":
		return matrixEvent{asked: &matrixQuestion{tsParams: line.Params, n: line.N}}, true
	case line.Event == "withdrawn":
		return matrixEvent{withdrawn: line.N}, true
	case line.Event != "" || line.ID == 0:
		return matrixEvent{}, false
	}
	end := &matrixEnd{call: line.ID, err: line.Error}
	if end.err == nil {
		if err := json.Unmarshal(line.Result, &end.tsResult); err != nil {
			end.err = &tsError{Message: err.Error() + " in " + line.text}
		}
	}
	return matrixEvent{ended: end}, true
}

func (c *scriptClient) events() <-chan matrixEvent { return c.seen }

func (c *scriptClient) call(t *testing.T, tool string, arguments fields) int {
	t.Helper()
	c.t = t
	return c.tsClient.call(tool, arguments)
}

func (c *scriptClient) answer(t *testing.T, n int, action string, content fields) {
	t.Helper()
	c.t = t
	c.tsClient.answer(&tsLine{N: n}, action, content)
}

func (c *scriptClient) giveUp(t *testing.T, call int) {
	t.Helper()
	c.t = t
	c.send(fields{"op": "cancel", "call": call})
}
