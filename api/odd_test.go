package api_test

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// odd is a request that differs from one that an operation takes.
type odd struct {
	name, who, method, accept, kind string
	query                           string // behind that of the operation
	body                            string
	bodiless                        bool
}

// oddly are the operations that are asked oddly, one after the other: each way in which
// something is read, and answered, is there.
var oddly = []struct {
	id, who, method string
	path            string   // if it has no exercise
	params          []string // of the query
	members         []string // of the body
	whole           bool     // the body as a whole is odd, too
}{
	{id: "list-runs", params: []string{"user", "since", "limit"}},
	{id: "list-elicitations", params: []string{"state", "cursor", "limit"}},
	{id: "get-elicitation", params: []string{"wait"}},
	{id: "get-checklist", params: []string{"metadata"}},
	{id: "get-checkpoint"},
	{id: "follow-elicitation"},
	{id: "remove-absence", who: "alice", method: http.MethodDelete, path: "/api/me/absence"},
	{id: "replace-service", method: http.MethodPut, members: []string{"name", "provider", "scopes"}, whole: true},
	{id: "patch-server", method: http.MethodPatch, members: []string{"title", "command", "auth", "enabled"}},
	{id: "try-rule", method: http.MethodPost, members: []string{"rule", "since"}},
	{id: "ask", who: "ci", method: http.MethodPost, members: []string{"need", "action", "labels", "requested_schema"}, whole: true},
}

// Whoever looks after programs that use this API wants none of these answers to change
// unseen: the tests of each operation ask for its own.
func TestOddRequestsAreAnsweredAsTheyWere(t *testing.T) {
	var got bytes.Buffer
	for _, to := range oddly {
		e := exercises[to.id]
		var answers []string
		names := map[string][]string{} // by answer
		w, path := newWorld(t, nil), cmp.Or(to.path, e.path)
		if e.prepare != nil {
			e.prepare(w)
		}
		if e.own != nil {
			path = e.own(w)
		}
		for _, o := range odds(t, e.body, to.params, to.members, to.whole) {
			o.who, o.method = cmp.Or(o.who, to.who, "ada"), cmp.Or(o.method, to.method, http.MethodGet)
			answer := w.oddly(o, path)
			if names[answer] == nil {
				answers = append(answers, answer)
			}
			names[answer] = append(names[answer], o.name)
		}
		for _, answer := range answers {
			fmt.Fprintf(&got, "%s: %s\n  %s\n", to.id, answer, strings.Join(names[answer], "\n  "))
		}
	}
	file := filepath.Join("testdata", "odd.txt")
	if *update {
		if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); diff != "" {
		t.Errorf("answers changed; look at them, then run with -update:\n%s", diff)
	}
}

func odds(t *testing.T, body string, params, members []string, whole bool) []odd {
	t.Helper()
	all := []odd{
		{name: "as it is", body: body},
		{name: "of a program without a right", who: "program", query: "nonsense=1", body: `{"nonsense":`},
		{name: "HEAD", method: http.MethodHead, body: body}, {name: "OPTIONS", method: http.MethodOptions, body: body}, {name: "PUT", method: http.MethodPut, body: body},
	}
	for _, accept := range []string{"text/html", "application/cbor", "json", "application/json;q=0", "a;q,b"} {
		all = append(all, odd{name: "accept " + accept, accept: accept, body: body})
	}
	for _, query := range []string{"nonsense=1", "nonsense", "=", "&&", ";", "%zz", "x=%00"} {
		all = append(all, odd{name: "?" + query, query: query, body: body})
	}
	for _, p := range params {
		for _, query := range []string{"=", "", "=x", "=-1", "=1", "=1e1", "=99999999999999999999", "=true", "=x&=y", "=%zz", "=a;b", "=%00;", "=%ff", "[]=x", "[a]=x", "=" + strings.Repeat("a", 513)} {
			query = p + strings.ReplaceAll(query, "&", "&"+p)
			all = append(all, odd{name: "?" + short(query), query: query})
		}
		all = append(all, odd{name: "?" + strings.ToUpper(p), query: strings.ToUpper(p) + "=1"}, odd{name: "?" + p + " and nonsense", query: p + "=x&nonsense=1"})
	}
	if body == "" {
		return append(all, odd{name: "with a body", body: `{"nonsense":`}, odd{name: "with a huge body", body: strings.Repeat(" ", 1<<20)})
	}
	if whole {
		all = append(all, oddBodies(body)...)
	}
	for _, member := range members {
		for _, value := range []string{`null`, `1e2`, `1.5`, `-1`, `"x"`, `true`, `[]`, `{}`, `[{}]`, `{"a":1}`, `"2026-01-01"`} {
			all = append(all, odd{name: member + " " + value, body: with(t, body, member, value)})
		}
	}
	return all
}

func oddBodies(body string) (all []odd) {
	rest := body[1:]
	for _, one := range []struct{ name, body string }{
		{"no body", ""}, {"a blank", " \n"}, {"null", "null"}, {"a list", "[" + body + "]"}, {"an empty object", "{}"}, {"a string", `"x"`},
		{"half of it", body[:len(body)/2]}, {"twice", body + body}, {"a comma too many", body[:len(body)-1] + ",}"}, {"a byte order mark", "\ufeff" + body},
		{"not UTF-8", strings.Replace(body, `:"`, ":\"\xff", 1)}, {"half of a pair", strings.Replace(body, `:"`, `:"\ud800`, 1)}, {"NUL", strings.Replace(body, `:"`, `:"\u0000`, 1)},
		{"an unknown member", `{"nonsense":1,` + rest}, {"two unknown members", `{"nonsense":1,"more":{"a":2},` + rest}, {"an unknown member in capitals", `{"Nonsense":1,` + rest},
		{"an unknown member twice", `{"nonsense":1,"nonsense":2,` + rest}, {"a free name twice", `{"labels":{"A":"1","A":"2"},` + rest}, {"a free name in other letters", `{"labels":{"A":"1","a":"2"},` + rest},
		{"a member in capitals", strings.ToUpper(body[:3]) + body[3:]}, {"a member beside itself in capitals", "{" + strings.ToUpper(body[1:3]) + `":1,` + rest}, {"a long s", strings.Replace(body, "s", "\u017f", 1)},
		{"65 levels", strings.Repeat("[", 65) + strings.Repeat("]", 65)}, {"20000 levels", strings.Repeat("[", 20000) + strings.Repeat("]", 20000)},
		{"1e999", `{"nonsense":1e999,` + rest}, {"a number of 500 digits", `{"nonsense":` + strings.Repeat("9", 500) + "," + rest}, {"01", `{"nonsense":01,` + rest},
		{"a byte less than too much", body + strings.Repeat(" ", 1<<20-1-len(body))}, {"too much", body + strings.Repeat(" ", 1<<20-len(body))},
	} {
		all = append(all, odd{name: one.name, body: one.body, bodiless: one.body == ""})
	}
	for _, kind := range []string{
		"none", "application/json; charset=utf-8", "application/json ; charset=utf-8", "application/json; x=a+b", "APPLICATION/JSON", "text/plain", "text/plain; x=+json",
		"application/merge-patch+json", "application/cbor", "application/x-www-form-urlencoded", ";", "json",
	} {
		all = append(all, odd{name: "content type " + kind, kind: kind, body: body}, odd{name: "content type " + kind + " of what is no JSON", kind: kind, body: "nonsense"})
	}
	return append(all, odd{name: "an unknown member and ?nonsense", query: "nonsense=1", body: `{"nonsense":1,` + rest})
}

// with is a body with another value of a member.
func with(t *testing.T, body, member, value string) string {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(body), &members); err != nil {
		t.Fatal(err)
	}
	members = maps.Clone(members)
	members[member] = json.RawMessage(value)
	changed, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return string(changed)
}

func short(s string) string {
	if len(s) > 50 {
		return fmt.Sprintf("%.20s… (%d)", s, len(s))
	}
	return s
}

// oddly sends an odd request and returns its answer in a line.
func (w *world) oddly(o odd, path string) (line string) {
	if o.query != "" {
		path += map[bool]string{true: "&", false: "?"}[strings.Contains(path, "?")] + o.query
	}
	r := httptest.NewRequest(o.method, "https://parley.example"+path, strings.NewReader(o.body))
	r.Header.Set("Authorization", "Bearer "+o.who)
	if o.accept != "" {
		r.Header.Set("Accept", o.accept)
	}
	if o.kind = cmp.Or(o.kind, "application/json"); o.kind != "none" && (o.body != "" || o.bodiless) {
		r.Header.Set("Content-Type", o.kind)
	}
	out := httptest.NewRecorder()
	defer func() {
		if is := recover(); is != nil {
			line = fmt.Sprint("panics: ", is)
		}
	}()
	w.ServeHTTP(out, r)
	return told(out)
}

var chance = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z|[0-9a-z]{32}|/api/elicitations/[0-9a-z]+`)

// told is an answer in a line: its status and its headers, then a problem's words, or how
// what is no problem begins.
func told(out *httptest.ResponseRecorder) string {
	line := fmt.Sprint(out.Code)
	for _, name := range slices.Sorted(maps.Keys(out.Header())) {
		usual := name == "Cache-Control" || name == "X-Content-Type-Options" || out.Header().Get(name) == "application/problem+json"
		if !usual {
			line += fmt.Sprintf(" %s %q", name, out.Header()[name])
		}
	}
	var p struct {
		Title, Detail string
		Errors        []struct{ Location, Message string }
	}
	if err := json.Unmarshal(out.Body.Bytes(), &p); err != nil || p.Title == "" || p.Detail == "" {
		return chance.ReplaceAllString(line, "…") + fmt.Sprintf(" %.60q", chance.ReplaceAllString(out.Body.String(), "…"))
	}
	var details []string
	for _, one := range p.Errors {
		details = append(details, one.Location+": "+one.Message)
	}
	slices.Sort(details) // the validation goes through maps
	if len(details) == 0 {
		return line + " " + p.Detail
	}
	if p.Detail != "This cannot be taken as it is. Correct what is listed and send it again." {
		line += " " + p.Detail
	}
	return line + " " + strings.Join(details, "; ")
}

// A body that breaks off is its sender's doing, and nothing is wrong with us.
func TestABodyThatBreaksOffIsSaidToDoSo(t *testing.T) {
	w := newWorld(t, nil)
	server := httptest.NewServer(w)
	defer server.Close()
	for name, body := range map[string]string{
		"a chunk without a length": "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
		"a chunk that is too long": "Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n",
		"fewer bytes than it says": "Content-Length: 20\r\n\r\n{}",
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := net.Dial("tcp", server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			fmt.Fprintf(conn, "POST /api/services HTTP/1.1\r\nHost: parley.example\r\nAuthorization: Bearer ada\r\nContent-Type: application/json\r\n%s", body)
			_ = conn.(*net.TCPConn).CloseWrite()
			answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			var p struct{ Detail string }
			if err := json.NewDecoder(answer.Body).Decode(&p); err != nil || answer.StatusCode != http.StatusBadRequest || !strings.Contains(p.Detail, "breaks off") {
				t.Errorf("%s %+v, %v", answer.Status, p, err)
			}
		})
	}
}
