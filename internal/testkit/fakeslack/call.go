package fakeslack

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Call is a call of the Web API, or a use of a response URL (its Method is then
// "response_url"), as it went over the wire.
type Call struct {
	Method   string
	Team     string         // of the token; empty: none
	Args     map[string]any // what was said, decoded from the form or JSON
	Header   http.Header
	Request  []byte // the body
	Status   int    // 0: no answer was given
	Response []byte
	Error    string // Slack's error; empty: none
	At       time.Time

	id string // X-Slack-Req-Id
}

// Calls returns the calls so far, the oldest first, also those that were refused.
func (s *Slack) Calls(methods ...string) (all []Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.calls {
		if len(methods) == 0 || slices.Contains(methods, c.Method) {
			all = append(all, *c)
		}
	}
	return all
}

// Count is how often a method was called, successfully or not.
func (s *Slack) Count(method string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.calls {
		if c.Method == method {
			n++
		}
	}
	return n
}

// reply is the body of an answer.
type reply = fields

// no refuses as Slack does.
func no(code string) reply { return reply{"ok": false, "error": code} }

// missing refuses a call without an argument that it needs.
func missing(name string) reply {
	return reply{"ok": false, "error": "invalid_arguments", "response_metadata": fields{"messages": []string{"[ERROR] missing required field: " + name}}}
}

// call is a call of the Web API that is under way.
type call struct {
	s     *Slack
	r     *http.Request
	args  args
	token *token
	team  *team
}

// serveCall answers a call of the Web API.
func (s *Slack) serveCall(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("method")
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 4<<20))
	if err != nil {
		http.Error(w, "request_entity_too_large", http.StatusRequestEntityTooLarge)
		return
	}
	arguments, warning, code := parse(r, body)
	one := &Call{Method: name, Args: arguments, Header: r.Header.Clone(), Request: body, At: time.Now()}
	s.mu.Lock()
	one.id = s.random(16)
	s.calls = append(s.calls, one)
	fault := s.fault(name)
	s.mu.Unlock()
	if done, status := fault.before(s, w, r); done {
		s.mu.Lock()
		one.Status, one.Error = status, fault.Error
		s.mu.Unlock()
		return
	}
	status, header, answer := http.StatusOK, http.Header{}, no(code)
	s.mu.Lock()
	if code == "" {
		status, header, answer = s.call(name, one, arguments, r)
	}
	if warning != "" {
		answer["warning"] = warning
		meta, _ := answer["response_metadata"].(fields)
		if meta == nil {
			meta = fields{}
			answer["response_metadata"] = meta
		}
		meta["warnings"] = []string{warning}
	}
	raw := encode(answer)
	one.Error, _ = answer["error"].(string)
	if !fault.Drop {
		one.Status, one.Response = status, raw
	}
	s.mu.Unlock()
	if fault.Drop {
		die(w)
		return
	}
	for k, v := range header {
		w.Header()[k] = v
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("X-Slack-Req-Id", one.id)
	w.WriteHeader(status)
	_, _ = w.Write(raw) // the client may be gone
}

// call looks who calls and whether they may, and does it. The caller holds the lock.
func (s *Slack) call(name string, one *Call, arguments args, r *http.Request) (int, http.Header, reply) {
	m, known := methods[name]
	if !known || s.opts.NoStreams && strings.HasSuffix(name, "Stream") {
		return http.StatusOK, nil, no("unknown_method")
	}
	c := &call{s: s, r: r, args: arguments}
	header := http.Header{}
	if !m.open {
		token, code := s.authenticate(r, arguments, m)
		if code != "" {
			return http.StatusOK, nil, no(code)
		}
		c.token, c.team = token, token.team
		if token.team != nil {
			one.Team = token.team.id
		}
		header.Set("X-OAuth-Scopes", strings.Join(token.scopes, ","))
		header.Set("X-Accepted-OAuth-Scopes", m.scope)
		if m.scope != "" && !slices.Contains(token.scopes, m.scope) {
			return http.StatusOK, header, reply{"ok": false, "error": "missing_scope", "needed": m.scope, "provided": strings.Join(token.scopes, ",")}
		}
	}
	if wait := s.limited(one.Team, name, arguments.str("channel")); wait > 0 {
		header.Set("Retry-After", seconds(wait))
		return http.StatusTooManyRequests, header, no("ratelimited")
	}
	answer := m.run(c)
	if _, said := answer["ok"]; !said {
		answer["ok"] = true
	}
	return http.StatusOK, header, answer
}

// args are the arguments of a call.
type args map[string]any

func (a args) str(name string) string {
	switch v := a[name].(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		if v {
			return "true"
		}
		return "false"
	}
	return ""
}

func (a args) has(name string) bool { _, ok := a[name]; return ok }

func (a args) bool(name string) bool { v := a.str(name); return v == "true" || v == "1" }

// value is a JSON argument: a string of JSON in a form, and in JSON either. It is
// false if it is not JSON.
func (a args) value(name string) (any, bool) {
	v := a[name]
	s, ok := v.(string)
	if !ok || strings.TrimSpace(s) == "" {
		if ok {
			return nil, true
		}
		return v, true
	}
	return decode([]byte(s))
}

func decode(raw []byte) (v any, ok bool) {
	in := json.NewDecoder(bytes.NewReader(raw))
	in.UseNumber()
	if in.Decode(&v) != nil {
		return nil, false
	}
	_, err := in.Token()
	return v, err == io.EOF
}

// parse reads the arguments of a call. It also returns a warning, or an error's code.
func parse(r *http.Request, body []byte) (found args, warning, code string) {
	found = args{}
	add := func(values url.Values) {
		for k, v := range values {
			found[k] = v[len(v)-1]
		}
	}
	add(r.URL.Query())
	if len(body) == 0 {
		return found, "", ""
	}
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		return found, "", "missing_post_type"
	}
	switch kind {
	case "application/x-www-form-urlencoded":
		values, err := url.ParseQuery(string(body))
		if err != nil {
			return found, "", "invalid_form_data"
		}
		add(values)
	case "application/json":
		v, ok := decode(body)
		if !ok {
			return found, "", "invalid_json"
		}
		object, ok := v.(map[string]any)
		if !ok {
			return found, "", "json_not_object"
		}
		delete(object, "token") // with JSON it is in the header alone
		for k, v := range object {
			found[k] = v
		}
		if params["charset"] == "" {
			warning = "missing_charset"
		}
	default:
		return found, "", "invalid_post_type"
	}
	return found, warning, ""
}

func encode(v any) []byte {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	if err := out.Encode(v); err != nil {
		panic(err) // it is made of JSON
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
