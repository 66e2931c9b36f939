package terminal

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/cmd/parley/internal/server"
	"github.com/parley-hq/parley/internal/testkit/readfirst"
	"github.com/parley-hq/parley/permit"
)

// node is a server of several over the same data.
type node struct {
	*server.Server
	t   *testing.T
	url string
}

// nodes starts servers over one database, with further lines of configuration.
func nodes(t *testing.T, many int, lines ...string) []*node {
	t.Helper()
	return nodesOf(t, many, append([]string{"dev: true"}, lines...)...)
}

// nodesOf is nodes that are not for development unless a line says so.
func nodesOf(t *testing.T, many int, lines ...string) []*node {
	t.Helper()
	store := "sqlite:" + filepath.Join(t.TempDir(), "parley.db")
	var all []*node
	for range many {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		cfg, err := config.Parse(fmt.Appendf(nil, "listen: %s\nstore: %q\n%s\n", listener.Addr(), store, strings.Join(lines, "\n")), func(string) (string, bool) { return "", false })
		if err != nil {
			t.Fatal(err)
		}
		s, err := server.New(t.Context(), cfg, &server.Options{Listener: listener, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- s.Run(ctx) }()
		t.Cleanup(func() {
			stop()
			if err := <-done; err != nil {
				t.Error(err)
			}
			_ = s.Close()
		})
		all = append(all, &node{s, t, "http://" + listener.Addr().String()})
	}
	return all
}

const colour = `{"type":"object","properties":{"colour":{"type":"string","minLength":3}},"required":["colour"]}`

// ask asks alice something.
func (n *node) ask(message string) parley.ID {
	n.t.Helper()
	q, err := n.Hub.Open(n.t.Context(), parley.Request{To: "alice", From: "painter", Message: message, Schema: json.RawMessage(colour)})
	if err != nil {
		n.t.Fatal(err)
	}
	return q.ID
}

func (n *node) outcome(id parley.ID) *parley.Outcome {
	n.t.Helper()
	q, err := n.Hub.Get(n.t.Context(), parley.Principal{User: "alice"}, id)
	if err != nil {
		n.t.Fatal(err)
	}
	return q.Outcome
}

// decline is alice at the question's page.
func (n *node) decline(id parley.ID) {
	n.t.Helper()
	v := visit(n.t, n.url, "alice")
	err := v.Open(n.t.Context(), "/answer/"+string(id))
	if err == nil {
		err = v.Press(n.t.Context(), "Decline", nil)
	}
	if err != nil {
		n.t.Fatal(err)
	}
}

// inboxOf runs a command to its end, with these lines as its input.
func inboxOf(t *testing.T, args []string, lines ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	in := strings.NewReader(strings.Join(lines, "\n") + "\n")
	err := openInbox(t.Context(), args, in, &screen{out: &out, echo: true}, nil, false)
	return out.String(), err
}

// typing is an inbox that somebody sits at.
type typing struct {
	*watched
	t    *testing.T
	keys *io.PipeWriter
	done chan error
}

func sitAt(t *testing.T, stay bool, args ...string) *typing {
	t.Helper()
	in, keys := io.Pipe()
	at := &typing{watched: newWatched(), t: t, keys: keys, done: make(chan error, 1)}
	go func() {
		at.done <- openInbox(t.Context(), args, in, &screen{out: at, echo: true}, nil, stay)
		_ = in.Close()
	}()
	t.Cleanup(func() { _ = keys.Close() })
	return at
}

func (at *typing) types(line string) {
	at.t.Helper()
	if _, err := io.WriteString(at.keys, line+"\n"); err != nil {
		at.t.Fatal(err)
	}
}

func (at *typing) ends() error {
	at.t.Helper()
	select {
	case err := <-at.done:
		return err
	case <-time.After(patient):
		at.t.Fatal("it does not end")
		return nil
	}
}

func TestAQuestionIsListedShownAndAnswered(t *testing.T) {
	home(t)
	n := nodes(t, 1)[0]
	if _, err := logInAs(t, n.url, "alice", "allow"); err != nil {
		t.Fatal(err)
	}
	at := []string{"--server", n.url}
	if got, err := inboxOf(t, at); err != nil || got != "Nothing waits for you.\nThe same on a page: "+n.url+"/inbox\n" {
		t.Fatalf("%q, %v", got, err)
	}
	id := string(n.ask("Which colour?\nThe fence is large."))
	got, err := inboxOf(t, at)
	if err != nil {
		t.Fatal(err)
	}
	inOrder(t, got, "#  age  from", "1  now  painter", "Which colour?\n", id, "The same on a page: "+n.url+"/inbox\n")
	if strings.Contains(got, "fence") {
		t.Errorf("the table has more than a line: %s", got)
	}
	got, err = inboxOf(t, append(at, "--json"))
	var shown struct{ ID, Message string }
	if err != nil || json.Unmarshal([]byte(got), &shown) != nil || shown.ID != id || !strings.HasPrefix(shown.Message, "Which colour?") {
		t.Errorf("%s, %v", got, err)
	}
	got, err = inboxOf(t, append(at, "show", id))
	if err != nil {
		t.Fatal(err)
	}
	inOrder(t, got, "[painter] Which colour?", "The fence is large.", "open until", "colour *", "parley inbox answer "+id, n.url+"/answer/"+id)
	got, err = inboxOf(t, append([]string{"answer", id}, at...), "re", "red")
	if err != nil {
		t.Fatal(err)
	}
	inOrder(t, got, "colour * (at least 3 characters): re\n", "  colour must be at least 3", "colour * (at least 3 characters): red\n", "Sent.")
	if o := n.outcome(parley.ID(id)); o == nil || o.Action != parley.Accept || string(o.Content) != `{"colour":"red"}` || o.Via != "terminal" || o.By != "alice" {
		t.Errorf("%+v", o)
	}
	if _, err = inboxOf(t, append(at, "answer", id), "blue"); err == nil || !strings.HasPrefix(err.Error(), "this question was answered in a terminal, by you (") {
		t.Error(err)
	}
}

func TestAQuestionIsDeclinedOrLeftOpen(t *testing.T) {
	home(t)
	n := nodes(t, 1)[0]
	id := n.ask("Which colour?")
	at := []string{"--server", n.url, "--user", "alice", "answer", string(id)}
	got, err := inboxOf(t, at, "/l")
	if err != nil || !strings.Contains(got, "Left open; it waits at "+n.url+"/answer/") || n.outcome(id) != nil {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := inboxOf(t, at, "/d"); err != nil {
		t.Error(err)
	}
	if o := n.outcome(id); o == nil || o.Action != parley.Decline || o.Via != "terminal" {
		t.Errorf("%+v", o)
	}
}

// Many wait for the same person, and differ in what the calls are made with.
func TestALineTellsAQuestionFromItsNeighbours(t *testing.T) {
	home(t)
	n := bank(t)
	n.waits("50")
	n.waits("5150")
	message, form, err := permit.Action("Drop the table", "It is old.", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []parley.Request{
		{To: "bob", From: "release", Trigger: parley.TriggerApproval, Message: message, Schema: form},
		{To: "bob", From: "shop", Trigger: parley.TriggerApproval, Message: "Allow this call?\n\nArguments:\n{}", Schema: form, Labels: map[string]string{permit.LabelTool: "order", parley.LabelBrief: "It is long."}},
	} {
		if _, err := n.Hub.Open(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	got, err := inboxOf(t, []string{"--server", n.url, "--user", "bob"})
	if err != nil {
		t.Fatal(err)
	}
	inOrder(t, got, `May transfer be called for ned? { "amount": 50 }`+"\n", `May transfer be called for ned? { "amount": 5150 }`+"\n", `Allow this action? "Drop the table"`+"\n", "May order be called?\n")
	got, err = inboxOf(t, []string{"--server", n.url, "--user", "ned"})
	if err != nil {
		t.Fatal(err)
	}
	inOrder(t, got, `others decide (transfer): `, `{ "amount": 50 }`+"\n", `others decide (transfer): `, `{ "amount": 5150 }`+"\n")
}

func TestSomebodyElsesQuestionIsNotThere(t *testing.T) {
	home(t)
	n := nodes(t, 1)[0]
	id := n.ask("Which colour?")
	for _, verb := range []string{"show", "answer"} {
		got, err := inboxOf(t, []string{"--server", n.url, "--user", "bob", verb, string(id)}, "red")
		if err == nil || !strings.HasPrefix(err.Error(), "there is no question "+string(id)) || strings.Contains(got, "colour") {
			t.Errorf("%s: %v\n%s", verb, err, got)
		}
	}
	if got, _ := inboxOf(t, []string{"--server", n.url, "--user", "bob"}); got != "Nothing waits for you.\nThe same on a page: "+n.url+"/inbox\n" {
		t.Error(got)
	}
	if n.outcome(id) != nil {
		t.Error("it was answered")
	}
}

func TestAFormClosesWhenItsQuestionIsAnsweredAtAnotherNode(t *testing.T) {
	home(t)
	two := nodes(t, 2)
	id := two[0].ask("Which colour?")
	at := sitAt(t, false, "--server", two[0].url, "--user", "alice", "answer", string(id))
	at.await(t, "colour * (at least 3 characters): ")
	two[1].decline(id)
	if err := at.ends(); err != nil {
		t.Fatal(err)
	}
	at.await(t, "This question was declined on the hosted page, by you (")
}

func TestAFormIsInterruptedByNothingThatWasOpenWhenItBegan(t *testing.T) {
	home(t)
	n := nodes(t, 1)[0]
	other := n.ask("Which other one?")
	id := n.ask("Which colour?")
	at := sitAt(t, false, "--server", n.url, "--user", "alice", "answer", string(id))
	at.await(t, "colour * (at least 3 characters): ")
	third := n.ask("A third one?") // the list was read anew before it is heard of
	at.await(t, "A third one?")
	n.decline(other)
	n.ask("A fourth one?")
	at.await(t, "A fourth one?")
	at.types("red")
	if err := at.ends(); err != nil {
		t.Fatal(err)
	}
	screen := at.await(t, "Sent.")
	inOrder(t, screen, "[painter] Which colour?", "colour * (at least 3 characters): ", "new:\n", "A third one?\n", string(third), "new:\n", "A fourth one?\n", "colour * (at least 3 characters): red\n", "Sent.")
	if strings.Count(screen, "new:") != 2 || strings.Count(screen, "Which colour?") != 1 || strings.Contains(screen, "Which other one?") || strings.Contains(screen, "declined") {
		t.Errorf("the form was interrupted:\n%s", screen)
	}
}

func TestTheListIsLive(t *testing.T) {
	home(t)
	two := nodes(t, 2)
	first := two[0].ask("First?")
	at := sitAt(t, true, "--server", two[0].url, "--user", "alice")
	at.await(t, "1  now  painter           First?")
	at.await(t, "number to answer")
	second := two[1].ask("Second?")
	at.await(t, "2  now  painter           Second?")
	two[1].decline(first)
	at.await(t, "  1  was declined on the hosted page")
	at.types("1")
	at.await(t, "There is no such number")
	at.types("2")
	at.await(t, "[painter] Second?")
	at.types("green")
	at.await(t, "Nothing waits for you.")
	_ = at.keys.Close()
	if err := at.ends(); err != nil {
		t.Error(err)
	}
	if o := two[0].outcome(second); o == nil || string(o.Content) != `{"colour":"green"}` {
		t.Errorf("%+v", o)
	}
}

func TestWhoLooksAtTheListIsNotNotified(t *testing.T) {
	home(t)
	n := nodes(t, 1)[0]
	to, err := url.Parse(n.url)
	if err != nil {
		t.Fatal(err)
	}
	looked := make(chan struct{}, 1)
	between := httputil.NewSingleHostReverseProxy(to)
	between.FlushInterval = -1
	transport := &http.Transport{}
	between.Transport = transport
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		readfirst.Handler(between).ServeHTTP(w, r)
		if r.URL.Path == "/api/me/looking" {
			looked <- struct{}{}
		}
	}))
	defer transport.CloseIdleConnections()
	defer proxy.Close()
	at := sitAt(t, true, "--server", proxy.URL, "--token", "dev-user:alice")
	select {
	case <-looked:
	case <-time.After(patient):
		t.Error("the server does not know that somebody looks")
	}
	_ = at.keys.Close()
	if err := at.ends(); err != nil {
		t.Error(err)
	}
}

func TestAnInterruptLeavesAQuestionOpen(t *testing.T) {
	home(t)
	n := nodes(t, 1)[0]
	id := n.ask("Which colour?")
	in, keys := io.Pipe()
	defer keys.Close()
	screenful, interrupts, done := newWatched(), make(chan os.Signal, 1), make(chan error, 1)
	go func() {
		done <- openInbox(t.Context(), []string{"--server", n.url, "--user", "alice", "answer", string(id)}, in, &screen{out: screenful, echo: true}, interrupts, false)
	}()
	screenful.await(t, "colour * (at least 3 characters): ")
	interrupts <- os.Interrupt
	if err := <-done; err != nil {
		t.Error(err)
	}
	screenful.await(t, "Left open")
	if n.outcome(id) != nil {
		t.Error("it was answered")
	}
}

func TestACallThatIsTooLongIsAnsweredOnItsPage(t *testing.T) {
	home(t)
	n := nodes(t, 1)[0]
	q, err := n.Hub.Open(t.Context(), parley.Request{To: "alice", From: "shop", Message: "All of it", Schema: json.RawMessage(colour), Labels: map[string]string{parley.LabelBrief: "a part"}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = inboxOf(t, []string{"--server", n.url, "--user", "alice", "answer", string(q.ID)}, "red")
	if err == nil || !strings.HasSuffix(err.Error(), "answer it at "+n.url+"/answer/"+string(q.ID)) || n.outcome(q.ID) != nil {
		t.Errorf("%v", err)
	}
}

func TestAnEndedLoginEndsTheList(t *testing.T) {
	home(t)
	n := nodes(t, 1)[0]
	if _, err := logInAs(t, n.url, "alice", "allow"); err != nil {
		t.Fatal(err)
	}
	at := sitAt(t, true, "--server", n.url)
	at.await(t, "number to answer")
	var out bytes.Buffer
	if err := logOut(t.Context(), []string{"--server", n.url}, &out); err != nil {
		t.Fatal(err)
	}
	n.ask("Is anybody there?") // whoever is told something is asked who they are
	if err := at.ends(); err == nil || !strings.Contains(err.Error(), "run parley login --server "+n.url) {
		t.Errorf("%v", err)
	}
	if at.mu.Lock(); strings.Contains(at.text.String(), "anybody") {
		t.Error("it was told of a question after its end")
	}
	at.mu.Unlock()
}

// The hub takes no control characters; whoever answers at an address may be another.
func TestWhatIsAskedCannotControlTheTerminal(t *testing.T) {
	home(t)
	const bad = "a\x1b[2Jb\u202ec\rd"
	q := map[string]any{
		"id": "id" + bad, "state": "pending", "from": bad, "mode": "form", "message": bad + "\n  9  now  bank  Pay?", "trigger": "tool_approval",
		"labels": map[string]string{"title": bad, permit.LabelTool: bad, permit.LabelAsker: bad}, "created_at": time.Now(), "expires_at": time.Now().Add(time.Hour),
		"requested_schema": map[string]any{"type": "object", "properties": map[string]any{"x": map[string]any{"type": "string", "title": bad, "description": bad}}},
	}
	settled := maps.Clone(q)
	settled["state"], settled["outcome"] = "settled", map[string]any{"action": bad, "by": bad, "via": bad}
	withdrawn, waits := maps.Clone(settled), maps.Clone(q)
	withdrawn["outcome"] = map[string]any{"action": bad, "reason": bad + "\n  9  now"}
	waits["trigger"], waits["approvers"] = parley.TriggerApprovers, map[string]any{"need": 1, "people": []any{map[string]any{"name": bad, "decision": bad}}}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var said any = q
		switch {
		case r.URL.Path == "/api/elicitations":
			said = map[string]any{"items": []any{q, waits}}
		case strings.HasSuffix(r.URL.Path, "/old"):
			said = settled
		case strings.HasSuffix(r.URL.Path, "/withdrawn"):
			said = withdrawn
		case strings.HasSuffix(r.URL.Path, "/waits"):
			said = waits
		case r.Method == http.MethodPost:
			w.WriteHeader(http.StatusConflict)
			said = map[string]any{"error": bad}
		}
		_ = json.NewEncoder(w).Encode(said)
	}))
	defer web.Close()
	for _, words := range [][]string{nil, {"--json"}, {"show", "new"}, {"show", "old"}, {"show", "withdrawn"}, {"show", "waits"}, {"answer", "withdrawn"}, {"answer", "new"}, {"answer", "old"}} {
		got, err := inboxOf(t, append([]string{"--server", web.URL, "--token", "t"}, words...), "x")
		if err != nil {
			got += err.Error()
		}
		for _, one := range []string{"\x1b", "\u202e", "\r", "\n9", "\n  9  now"} {
			if strings.Contains(got, one) && !(one == "\n  9  now" && len(words) == 2) { // the lines of a question that is shown whole are indented further
				t.Errorf("%q: %q is on the screen: %q", words, one, got)
			}
		}
		if got == "" {
			t.Errorf("%q: nothing is on the screen", words)
		}
	}
}

func TestAnApprovalIsGivenInTheTerminalAndTheChatGoesOn(t *testing.T) {
	home(t)
	server := startDemo(t)
	if _, err := logInAs(t, server, "alice", "allow"); err != nil {
		t.Fatal(err)
	}
	in, keys := io.Pipe()
	chat, done := newWatched(), make(chan error, 1)
	go func() {
		done <- converse(t.Context(), []string{"--server", server}, in, &screen{out: chat, echo: true}, nil)
	}()
	_, _ = io.WriteString(keys, "Order 3 boxes of pens\n")
	chat.await(t, "1  ")
	list, err := inboxOf(t, []string{"--server", server})
	if err != nil {
		t.Fatal(err)
	}
	id := regexp.MustCompile(`\n     ([0-9a-v]{20,})\n`).FindStringSubmatch(list)
	if id == nil {
		t.Fatalf("no id in %s", list)
	}
	got, err := inboxOf(t, []string{"--server", server, "answer", id[1]}, "1")
	if err != nil {
		t.Fatal(err)
	}
	inOrder(t, got, "Arguments:", "Allow once", "Sent.")
	chat.await(t, "allowed once in a terminal")
	_ = keys.Close()
	<-done
}

func TestWordsThatTheInboxDoesNotTakeAreAnError(t *testing.T) {
	for _, words := range [][]string{{"shw", "x"}, {"answer", "a", "b"}} {
		if _, err := inboxOf(t, words); err == nil || !strings.HasPrefix(err.Error(), inboxUsage) {
			t.Errorf("%q: %v", words, err)
		}
	}
}

func TestANumberOfTheListIsToldFromAnID(t *testing.T) {
	for _, verb := range []string{"show", "answer"} {
		_, err := inboxOf(t, []string{verb, "1", "--server", "http://127.0.0.1:1"}) // which is not asked
		want := "1 is a number of the list on your screen, for who types there: the list may be another by now. Give the ID, which stands below the question: parley inbox " + verb + " ID"
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v", verb, err)
		}
	}
}

func TestWhoGivesNoIDIsToldTo(t *testing.T) {
	for _, verb := range []string{"show", "answer"} {
		if _, err := inboxOf(t, []string{verb}); err == nil || !strings.HasPrefix(err.Error(), "give the ID of a question: parley inbox "+verb+" ID;") {
			t.Errorf("%s: %v", verb, err)
		}
	}
}

func TestALoginForMCPOnlyIsSaidToBeOne(t *testing.T) {
	home(t)
	n := nodes(t, 1)[0]
	if _, err := logInAs(t, n.url, "alice", "allow", "--mcp-only"); err != nil {
		t.Fatal(err)
	}
	if got, err := inboxOf(t, []string{"--server", n.url}); err == nil || err.Error() != "your login at "+n.url+" is for MCP only: run parley login --server "+n.url+" without --mcp-only" {
		t.Errorf("%s, %v", got, err)
	}
}

func TestANameThatIsNoneIsSaidToBeNone(t *testing.T) {
	home(t)
	n := nodes(t, 1)[0]
	n.ask("Which colour?")
	if got, err := inboxOf(t, []string{"--server", n.url, "--user", " alice "}); err != nil || !strings.Contains(got, "Which colour?") {
		t.Errorf("%s, %v: the sign-in page takes spaces off", got, err)
	}
	for _, name := range []string{" ", "a\x1bb", "parley-program:x", strings.Repeat("a", 10000)} {
		_, err := inboxOf(t, []string{"--server", n.url, "--user", name})
		if err == nil || !strings.HasPrefix(err.Error(), "--user takes the name of a user, and \"") || len(err.Error()) > 200 || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%.20q: %.300v", name, err)
		}
	}
}

func TestTheServerOfTheEnvironmentIsUsed(t *testing.T) {
	home(t)
	n := nodes(t, 1)[0]
	if err := os.Setenv(serverVariable, n.url); err != nil { // home puts it back
		t.Fatal(err)
	}
	if got, err := inboxOf(t, []string{"--user", "alice"}); err != nil || got != "Nothing waits for you.\nThe same on a page: "+n.url+"/inbox\n" {
		t.Errorf("%s, %v", got, err)
	}
}

func TestARowOfAnApprovalSaysWhichToolAndWhoseCall(t *testing.T) {
	home(t)
	n := nodes(t, 1)[0]
	for _, labels := range []map[string]string{
		{permit.LabelTool: "transfer", permit.LabelAsker: "ned"},
		{permit.LabelTool: "delete_account"},
		{permit.LabelTool: "post\u202e" + strings.Repeat("x", 200)},
		nil,
	} {
		if _, err := n.Hub.Open(t.Context(), parley.Request{To: "alice", From: "bank", Trigger: parley.TriggerApproval, Message: "Allow this call?\n\nArguments:\n{}", Labels: labels}); err != nil {
			t.Fatal(err)
		}
	}
	got, err := inboxOf(t, []string{"--server", n.url, "--user", "alice"})
	if err != nil {
		t.Fatal(err)
	}
	inOrder(t, got, "bank              May transfer be called for ned? {}\n", "bank              May delete_account be called? {}\n", "bank              May post\\u202exxx", "x… {}\n", "bank              Allow this call?\n")
}
