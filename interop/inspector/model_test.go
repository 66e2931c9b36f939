package inspector_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/interop/kit"
)

// model is the client of a scripted model: it draws apps and cannot ask. Its session is another
// one than the Inspector's, as with hosts that have one for the model and one for apps.
type model struct {
	t       *testing.T
	session *mcp.ClientSession
	person  string
}

func newModel(t *testing.T, s site, name, version string) model {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "model", Version: "1"}, &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{
		Extensions: map[string]any{"io.modelcontextprotocol/ui": map[string]any{"mimeTypes": []string{"text/html;profile=mcp-app"}}},
	}})
	session, err := client.Connect(t.Context(), kit.OverHTTP(t, s.url+"/mcp", bearer(person(name+version))), &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return model{t, session, person(name + version)}
}

// said is what a call returned: a text, and the question that it waits for, if it does.
type said struct{ text, question string }

func (m model) tell(tool string, arguments any) (said, error) {
	result, err := m.session.CallTool(m.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return said{}, err
	}
	var all []string
	for _, c := range result.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			all = append(all, text.Text)
		}
	}
	var meta struct{ ElicitationPending struct{ ElicitID string } }
	raw, err := json.Marshal(result.Meta)
	if err == nil {
		err = json.Unmarshal(raw, &meta)
	}
	return said{strings.Join(all, "\n"), meta.ElicitationPending.ElicitID}, err
}

// asks makes a call that has a question, and returns that.
func (m model) asks(tool string, arguments any) string {
	m.t.Helper()
	told, err := m.tell(tool, arguments)
	if err != nil || told.question == "" || !strings.Contains(told.text, "showQuestion") {
		m.t.Fatalf("%s: %+v, %v", tool, told, err)
	}
	return told.question
}

// waits waits for a question's answer, again and again, until there is something else to tell.
func (m model) waits(question string) <-chan said {
	end := make(chan said, 1)
	go func() {
		for {
			told, err := m.tell("waitForElicitationResult", map[string]any{"elicitId": question})
			if err != nil {
				told.text = err.Error()
			}
			if err != nil || told.question != question {
				end <- told
				return
			}
		}
	}()
	return end
}

// got is what waiting came to.
func (m model) got(end <-chan said) said {
	m.t.Helper()
	select {
	case told := <-end:
		return told
	case <-time.After(kit.Patience):
		m.t.Fatal("the model still waits")
		return said{}
	}
}

// gets is for waiting that comes to a result.
func (m model) gets(end <-chan said, want string) {
	m.t.Helper()
	if told := m.got(end); told != (said{text: want}) {
		m.t.Errorf("the model got %+v, want %s", told, want)
	}
}
