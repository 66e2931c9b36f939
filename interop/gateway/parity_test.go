package gateway_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/interop/kit"
)

// parityMark is where the part of the page begins that this test writes.
const parityMark = "## All that servers offer, directly and through the gateway\n"

// parityServer is a server of which all is used, and how.
type parityServer struct {
	*matrixServer
	spec kit.Fields
	// explained says why something differs: by the client's title, or for all
	// clients, and then by the thing.
	explained map[string]map[string]string
}

// parityKinds are the clients. What they use directly is of their own era where
// the server speaks that, and otherwise of the server's.
var parityKinds = []struct {
	title  string
	client int
	modern bool
}{
	{"TypeScript 1.32, 2025-11-25", 1, false},
	{"TypeScript 2.4, 2026-07-28", 2, true},
}

const allClients = ""

func parityServers(t *testing.T) []*parityServer {
	t.Helper()
	everything := startEverything(t, "http://127.0.0.1:1")
	twos := startServer2(t)
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "note.txt"), []byte("one\ntwo\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	npm := func(name string, args ...string) []string {
		script, err := filepath.Abs("npm/node_modules/@modelcontextprotocol/" + name + "/dist/index.js")
		if err != nil {
			t.Fatal(err)
		}
		return append([]string{"node", script}, args...)
	}
	note := filepath.Join(folder, "note.txt")
	const logged = "the `logger` names the server"
	older := map[string]string{"notified of a log message": logged}
	const task = "the task is the server's with the gateway, whose client never hears of its id"
	environment := map[string]string{"call get-env": "a program's environment is `PATH`, `HOME` and what the configuration gives it", "call simulate-research-query": task}
	return []*parityServer{
		{matrixServer: everything[0], spec: everythingSpec(), explained: map[string]map[string]string{allClients: environment, parityKinds[0].title: older}},
		{matrixServer: everything[1], spec: everythingSpec(), explained: map[string]map[string]string{allClients: {"call simulate-research-query": task}, parityKinds[0].title: older}},
		{matrixServer: &matrixServer{name: "files", title: "server-filesystem, stdio", legacy: true, command: npm("server-filesystem", folder)}, spec: kit.Fields{
			"calls": kit.Fields{
				"read_file": kit.Fields{"path": note}, "read_text_file": kit.Fields{"path": note, "head": 1}, "read_media_file": kit.Fields{"path": note},
				"read_multiple_files": kit.Fields{"paths": []string{note}}, "write_file": kit.Fields{"path": filepath.Join(folder, "new.txt"), "content": "x"},
				"edit_file":        kit.Fields{"path": note, "edits": []kit.Fields{{"oldText": "one", "newText": "1"}}, "dryRun": true},
				"create_directory": kit.Fields{"path": filepath.Join(folder, "sub")}, "list_directory": kit.Fields{"path": folder},
				"list_directory_with_sizes": kit.Fields{"path": folder}, "directory_tree": kit.Fields{"path": folder},
				"move_file":    kit.Fields{"source": filepath.Join(folder, "none.txt"), "destination": filepath.Join(folder, "nowhere.txt")},
				"search_files": kit.Fields{"path": folder, "pattern": "*.txt"}, "get_file_info": kit.Fields{"path": note},
			},
		}},
		{matrixServer: &matrixServer{name: "memory", title: "server-memory, stdio", legacy: true, command: npm("server-memory")}, spec: kit.Fields{
			"calls": kit.Fields{
				"create_entities":     kit.Fields{"entities": []kit.Fields{{"name": "tea", "entityType": "drink", "observations": []string{"hot"}}}},
				"create_relations":    kit.Fields{"relations": []kit.Fields{{"from": "tea", "to": "cup", "relationType": "in"}}},
				"add_observations":    kit.Fields{"observations": []kit.Fields{{"entityName": "tea", "contents": []string{"green"}}}},
				"delete_entities":     kit.Fields{"entityNames": []string{"tea"}},
				"delete_observations": kit.Fields{"deletions": []kit.Fields{{"entityName": "tea", "observations": []string{"hot"}}}},
				"delete_relations":    kit.Fields{"relations": []kit.Fields{{"from": "tea", "to": "cup", "relationType": "in"}}},
				"search_nodes":        kit.Fields{"query": "tea"}, "open_nodes": kit.Fields{"names": []string{"tea"}},
			},
		}},
		{matrixServer: &matrixServer{name: "tsboth", title: "TypeScript 2.4, both, HTTP", legacy: true, modern: true, url: twos + "/both/mcp"}, spec: serverTwoSpec()},
		{matrixServer: &matrixServer{name: "tsmodern", title: "TypeScript 2.4, 2026-07-28, HTTP", modern: true, url: twos + "/modern/mcp"}, spec: serverTwoSpec()},
	}
}

func everythingSpec() kit.Fields {
	return kit.Fields{
		"calls": kit.Fields{
			"echo": kit.Fields{"message": "hi"}, "get-sum": kit.Fields{"a": 1, "b": 2}, "get-annotated-message": kit.Fields{"messageType": "error", "includeImage": true},
			"get-structured-content": kit.Fields{"location": "Chicago"}, "get-resource-reference": kit.Fields{"resourceType": "Text", "resourceId": 1},
			"get-resource-links": kit.Fields{"count": 2}, "trigger-long-running-operation": kit.Fields{"duration": 1, "steps": 2},
			"trigger-sampling-request": kit.Fields{"prompt": "rhyme", "maxTokens": 10}, "simulate-research-query": kit.Fields{"topic": "tea"},
		},
		"skip":    []string{"gzip-file-as-resource", "toggle-simulated-logging", "toggle-subscriber-updates", "trigger-url-elicitation"},
		"prompts": kit.Fields{"args-prompt": kit.Fields{"city": "Rome"}, "completable-prompt": kit.Fields{"department": "Sales", "name": "David"}, "resource-prompt": kit.Fields{"resourceType": "Text", "resourceId": "1"}},
		"reads":   []string{"demo://resource/dynamic/text/2", "demo://resource/dynamic/blob/2", "demo://resource/none"},
		"completions": []kit.Fields{
			{"ref": kit.Fields{"type": "ref/prompt", "name": "completable-prompt"}, "argument": kit.Fields{"name": "department", "value": "S"}},
			{"ref": kit.Fields{"type": "ref/resource", "uri": "demo://resource/dynamic/text/{resourceId}"}, "argument": kit.Fields{"name": "resourceId", "value": "1"}},
		},
		"session": kit.Fields{"tool": "gzip-file-as-resource", "uri": "demo://resource/session/parity.gz", "arguments": kit.Fields{
			"name": "parity.gz", "data": "data:text/plain;base64,aGVsbG8=", "outputType": "resourceLink",
		}},
		"progress": []string{"trigger-long-running-operation"}, // while a person is asked the gateway tells of that, too
		"updates":  kit.Fields{"uri": "demo://resource/dynamic/text/1", "tool": "toggle-subscriber-updates"}, "logs": "toggle-simulated-logging",
	}
}

// serverTwoSpec uses the tools that ask nothing: the others are the cases above.
func serverTwoSpec() kit.Fields {
	return kit.Fields{"calls": kit.Fields{"plain": kit.Fields{"token": "parity"}}}
}

// parity runs all that a spec says against a server, or the gateway, as one
// client.
func parity(t *testing.T, spec kit.Fields, add kit.Fields) map[string]json.RawMessage {
	t.Helper()
	whole := maps.Clone(spec)
	maps.Copy(whole, add)
	if whole["era"] == "modern" { // it has no such methods: see docs/gateway.md for what it has instead
		delete(whole, "session")
		delete(whole, "updates")
		delete(whole, "logs")
	}
	raw, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "npm/parity.mjs")
	var said, failed bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(raw), &said, &failed
	if err := cmd.Run(); err != nil {
		t.Fatalf("parity.mjs: %v\n%s", err, failed.String())
	}
	var out map[string]json.RawMessage
	if err := json.Unmarshal(said.Bytes(), &out); err != nil {
		t.Fatalf("%v in %s", err, said.String())
	}
	return out
}

// changing are the parts of results that differ from call to call: ids, times,
// weather.
var changing = regexp.MustCompile(`[0-9a-f]{32}|UmVzb3VyY2Ug[A-Za-z0-9+/=]+|\d{4}-\d\d-\d\dT[0-9:.]+Z|\d?\d:\d\d:\d\d( [AP]M)?|(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \w{3} \d\d \d{4} [^"\\]*`)

// settled is what came of something, as it is compared: without what changes, and
// what each hop says of itself.
func settled(t *testing.T, key string, raw json.RawMessage) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%s: %v", key, err)
	}
	if result, ok := v.(kit.Fields); ok {
		for _, hop := range []string{"resultType", "ttlMs", "cacheScope"} { // of 2026-07-28
			delete(result, hop)
		}
		if meta, ok := result["_meta"].(kit.Fields); ok {
			delete(meta, "io.modelcontextprotocol/serverInfo")
			if len(meta) == 0 {
				delete(result, "_meta")
			}
		}
		if strings.HasPrefix(key, "tool ") {
			delete(result, "execution") // tasks up to 2025-11-25 end at the gateway
		}
		if result["isError"] == false {
			delete(result, "isError") // which it is without saying so
		}
	}
	again, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if key == "call test_tool_with_progress" { // Python's: it returns the token of the request
		again = regexp.MustCompile(`"\d+"`).ReplaceAll(again, []byte(`"…"`))
	}
	if said, ok := v.(string); ok && key == "instructions" {
		return strings.ReplaceAll(said, "\n> ", "\n")
	}
	return changing.ReplaceAllString(string(again), "…")
}

// parityColumns are the kinds of things, by how their keys begin.
var parityColumns = []struct{ title, keys string }{
	{"instructions", "instructions"}, {"tools listed", "tool "}, {"called", "call "}, {"progress", "progress "},
	{"prompts listed", "prompt "}, {"got", "get "}, {"resources listed", "resource "}, {"templates listed", "template "}, {"read", "read "},
	{"completions", "complete "}, {"notifications", "notified "},
}

func TestTheGatewayGivesWhatServersOffer(t *testing.T) {
	kit.NeedNode(t)
	t.Parallel()
	program := kit.BuildParley(t)
	servers := append(parityServers(t), pythonServers(t)...)
	seen := make([][]parityRow, len(servers))
	t.Run("servers", func(t *testing.T) { // which ends when all of them have
		for i, s := range servers {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				seen[i] = s.play(t, startGateway(t, program, []*matrixServer{s.matrixServer}, gatewaySettings{}))
			})
		}
	})
	var rows, notes []string
	for _, row := range slices.Concat(seen...) {
		rows, notes = append(rows, row.text), append(notes, row.notes...)
	}
	if t.Failed() || len(rows) != len(servers)*len(parityKinds) {
		t.Log("not all ran: the table is neither compared nor written")
		return
	}
	writeParity(t, parityPage(rows, notes))
}

// parityRow is what came of a server with one of the clients: a line of the table,
// and what differs.
type parityRow struct {
	text  string
	notes []string
}

// play uses a server with every client, one after the other.
func (s *parityServer) play(t *testing.T, g *gatewaySite) (rows []parityRow) {
	for _, kind := range parityKinds {
		t.Run(kind.title, func(t *testing.T) {
			counts, notes := s.compare(t, g, kind.title, kind.client, kind.modern)
			rows = append(rows, parityRow{"| " + s.title + " | " + kind.title + " | " + strings.Join(counts, " | ") + " |", notes})
		})
	}
	return rows
}

// compare uses a server directly and through the gateway, and returns how much
// was the same, by column, and what was not.
func (s *parityServer) compare(t *testing.T, g *gatewaySite, title string, client int, modern bool) (counts, notes []string) {
	t.Helper()
	direct := kit.Fields{"client": client, "command": s.command}
	if s.url != "" {
		direct = kit.Fields{"client": client, "url": s.url}
	}
	through := kit.Fields{"client": client, "url": g.url + "/mcp", "prefix": s.name + "__", "token": tokenOf(t, "p"+strings.ReplaceAll(title, " ", ""))}
	switch {
	case modern:
		through["era"] = "modern"
		if direct["era"] = "legacy"; s.modern {
			direct["era"] = "modern"
		}
	case !s.legacy: // the older client cannot use it directly
		direct["client"], direct["era"] = 2, "modern"
	}
	spec := maps.Clone(s.spec)
	if modern || direct["era"] == "modern" { // compared where both have them
		for _, older := range []string{"session", "updates", "logs"} {
			delete(spec, older)
		}
	}
	want, got := parity(t, spec, direct), parity(t, spec, through)
	for tries := 0; progress(want) < progress(got) && tries < 3; tries++ {
		want = parity(t, spec, direct) // on a busy machine a client may have the result before it hears of progress
	}
	for _, column := range parityColumns {
		same, all, errors := 0, 0, 0
		for _, key := range slices.Sorted(maps.Keys(union(want, got))) {
			if !strings.HasPrefix(key, column.keys) {
				continue
			}
			if key == "instructions" && string(want[key]) == `""` {
				continue // it says nothing of itself: there is nothing to compare
			}
			all++
			if refused(want[key]) {
				errors++
			}
			why, differs := s.difference(t, title, key, want[key], got[key])
			if !differs {
				same++
			} else {
				notes = append(notes, fmt.Sprintf("| %s | %s | %s | %s |", s.title, title, key, why))
			}
		}
		counts = append(counts, parityCount(same, all, errors))
	}
	return counts, notes
}

// progress is of how many calls the client was told how far they are.
func progress(seen map[string]json.RawMessage) (n int) {
	for key := range seen {
		if strings.HasPrefix(key, "progress ") {
			n++
		}
	}
	return n
}

func parityCount(same, all, errors int) string {
	count := fmt.Sprintf("%d of %d", same, all)
	switch {
	case all == 0:
		return "–"
	case same == all:
		count = fmt.Sprintf("✓ %d", all)
	}
	if errors > 0 {
		count += fmt.Sprintf(", %d errors", errors)
	}
	return count
}

// refused reports whether what came of something directly is an error, of the
// protocol or of a tool: that it is the same says less.
func refused(raw json.RawMessage) bool {
	var result struct {
		IsError bool            `json:"isError"`
		Error   json.RawMessage `json:"error"`
	}
	return json.Unmarshal(raw, &result) == nil && (result.IsError || result.Error != nil)
}

func union(a, b map[string]json.RawMessage) map[string]json.RawMessage {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// difference reports whether something is not the same, and why. A difference
// that nobody has explained fails the test, and so does an explanation of none.
func (s *parityServer) difference(t *testing.T, client, key string, want, got json.RawMessage) (why string, differs bool) {
	t.Helper()
	var direct, through string
	if want != nil {
		direct = settled(t, key, want)
	}
	if got != nil {
		through = settled(t, key, got)
	}
	if key == "instructions" {
		differs = !strings.HasSuffix(through, strings.TrimSpace(direct))
	} else {
		differs = direct != through
	}
	if unknown := "the transcript has no "; strings.Contains(direct+through, unknown) {
		t.Errorf("%s: nobody recorded it: directly %.600s\nthrough the gateway %.600s", key, direct, through)
	}
	why = s.explained[client][key]
	if why == "" {
		why = s.explained[allClients][key]
	}
	switch {
	case differs && why == "":
		t.Errorf("%s: directly %.600s\nthrough the gateway %.600s", key, direct, through)
	case !differs && why != "":
		t.Errorf("%s: nothing differs, and it is explained: %s", key, why)
	}
	return why, differs
}

func parityPage(rows, notes []string) string {
	var b strings.Builder
	b.WriteString(parityMark + `
What other people's servers offer is used by real clients twice: directly, and through a gateway that has nothing else behind it. All that
is listed is compared and used, but for server-everything's ` + "`trigger-url-elicitation`" + `, which is in the tables above; three of its tools are
called for the notifications that they lead to. **✓** and a number: so many, and each was the same as JSON, but for what
differs from call to call (ids, times, a text with the time in it) and what each hop says of itself (` + "`_meta`" + ` of the protocol's, ` + "`resultType`" + `, ` + "`ttlMs`" + `, ` + "`cacheScope`" + `,
` + "`execution`" + ` of tools). Names have the server's in front, and so have instructions. A client of 2026-07-28 is compared with what the server
says in the era that it speaks; notifications are compared in the older era, which has methods for them, and of a log message only which members it has. **errors**: so many were errors directly as well, such as a
call without the arguments that it needs: the same error came through the gateway. **–**: the server has none, or it was not tried.
The SDK of server-everything, server-filesystem and server-memory is TypeScript's 1.x. Servers of Python's SDK, 1.29 and 2.0, say what was
recorded of them: its own everything-server over HTTP, and ` + "`interop/testdata/python/server.py`" + ` on stdio.

`)
	titles := []string{"server", "client"}
	for _, c := range parityColumns {
		titles = append(titles, c.title)
	}
	b.WriteString("| " + strings.Join(titles, " | ") + " |\n" + strings.Repeat("|---", len(titles)) + "|\n")
	b.WriteString(strings.Join(rows, "\n") + "\n")
	if len(notes) > 0 {
		b.WriteString("\nWhat differs:\n\n| server | client | what | why |\n|---|---|---|---|\n" + strings.Join(notes, "\n") + "\n")
	}
	return b.String()
}

// writeParity holds this part of the page against the one that is committed, or
// writes it.
func writeParity(t *testing.T, part string) {
	t.Helper()
	matrixPage.Lock()
	defer matrixPage.Unlock()
	page, err := os.ReadFile(matrixFile)
	if err != nil {
		t.Fatal(err)
	}
	above, committed, _ := strings.Cut(string(page), "\n"+parityMark)
	if os.Getenv(writeMatrixVariable) == "1" && !t.Failed() {
		if err := os.WriteFile(matrixFile, []byte(above+"\n"+part), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(strings.Split(parityMark+committed, "\n"), strings.Split(part, "\n")); diff != "" {
		t.Errorf("the gateway is not as %s says (-file +seen); write it anew with %s=1:\n%s", matrixFile, writeMatrixVariable, diff)
	}
}
