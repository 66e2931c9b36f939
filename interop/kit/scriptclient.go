package kit

import (
	"encoding/json"
	"testing"
)

// ScriptClient is a client of npm/ in the matrix.
type ScriptClient struct {
	*TsClient
	seen chan matrixEvent
}

// StartScriptClient starts a client; command has everything that it needs to
// find its server.
func StartScriptClient(t *testing.T, command []string) *ScriptClient {
	t.Helper()
	c := &ScriptClient{TsClient: RunClient(t, command), seen: make(chan matrixEvent, 64)}
	done := make(chan struct{})
	translated := make(chan struct{})
	go func() {
		defer close(translated)
		c.translate(done)
	}()
	t.Cleanup(func() {
		c.T = t
		c.Send(Fields{"op": "close", "terminate": true}) // a session that is left open stays with its server
		close(done)
		<-translated
	})
	return c
}

// translate turns lines into events until the client ends, or nobody cares.
func (c *ScriptClient) translate(done <-chan struct{}) {
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

func lineEvent(line *TsLine) (matrixEvent, bool) {
	switch {
	case line.Event == "elicitation":
		return matrixEvent{Asked: &MatrixQuestion{TsParams: line.Params, n: line.N}}, true
	case line.Event == "withdrawn":
		return matrixEvent{withdrawn: line.N}, true
	case line.Event != "" || line.ID == 0:
		return matrixEvent{}, false
	}
	end := &MatrixEnd{call: line.ID, Err: line.Error}
	if end.Err == nil {
		if err := json.Unmarshal(line.Result, &end.TsResult); err != nil {
			end.Err = &TsError{Message: err.Error() + " in " + line.Text}
		}
	}
	return matrixEvent{Ended: end}, true
}

func (c *ScriptClient) events() <-chan matrixEvent { return c.seen }

func (c *ScriptClient) call(t *testing.T, tool string, arguments Fields) int {
	t.Helper()
	c.T = t
	return c.TsClient.Call(tool, arguments)
}

func (c *ScriptClient) answer(t *testing.T, n int, action string, content Fields) {
	t.Helper()
	c.T = t
	c.TsClient.Answer(&TsLine{N: n}, action, content)
}

func (c *ScriptClient) GiveUp(t *testing.T, call int) {
	t.Helper()
	c.T = t
	c.Send(Fields{"op": "cancel", "call": call})
}
