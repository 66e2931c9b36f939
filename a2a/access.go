package a2a

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/a2a/v03"
	"github.com/parley-hq/parley/chat"
)

// ServeHTTP implements http.Handler, for Path and PathBelow. Everybody may read cards;
// all else is for those who can say for whom they act.
func (a *Agents) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, rest := r.PathValue("agent"), r.PathValue("rest")
	o := a.offers[name]
	if rest == strings.TrimPrefix(RootCardPath, "/") {
		if o == nil {
			chat.Refuse(w, http.StatusNotFound, fmt.Sprintf("there is no agent %.50q: check the name", name))
			return
		}
		o.card.ServeHTTP(w, r)
		return
	}
	who, ok := a.door.Admit(w, r, name)
	if !ok {
		return
	}
	if o == nil {
		chat.Refuse(w, http.StatusNotFound, fmt.Sprintf("there is no agent %.50q: check the name", name))
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, a.opts.Body))
	if err != nil {
		chat.Refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("a request may have %d bytes", a.opts.Body))
		return
	}
	came := &arrival{who: who, request: r, leave: func() {}}
	defer func() { came.leave() }()
	r = r.WithContext(context.WithValue(r.Context(), arrivalKey{}, came))
	r.Header = r.Header.Clone()
	separate(w.Header(), r.Header)
	came.version = minor(cmp.Or(r.Header.Get(a2a.SvcParamVersion), r.URL.Query().Get(a2a.SvcParamVersion)))
	next, modern := o.transport(came.version, rest, body)
	came.old = !modern
	wrong := unclear(body)
	switch {
	case next == nil && rest == "": // whatever the method is called in that version
		next, body = a2asrv.NewJSONRPCHandler(unspoken(came.version)), anyCall(body)
	case next == nil:
		next = a2asrv.NewRESTHandler(unspoken(came.version))
	case wrong != nil && rest == "":
		next, body = a2asrv.NewJSONRPCHandler(refusing{wrong}), anyCall(body)
	case wrong != nil:
		next = refusingREST(wrong)
	case modern:
		body = camelled(body)
		if err := unreadableList(rest, body); err != nil {
			next, body = a2asrv.NewJSONRPCHandler(refusing{err}), anyCall(body)
		}
	}
	if wrong == nil && listens(rest, body) {
		leave, ok := a.opts.Listen(w, r, who)
		if !ok {
			return
		}
		defer leave()
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	r.URL = &url.URL{Path: "/" + rest, RawQuery: r.URL.RawQuery}
	late := &lateHeader{ResponseWriter: w, rest: rest != "", accepts: r.Header.Get("Accept")}
	next.ServeHTTP(late, r)
	late.finish()
}

// minor is a version without the third of its numbers, which changes nothing on the wire.
func minor(version string) string {
	if parts := strings.Split(version, "."); len(parts) == 3 && strings.Trim(parts[2], "0123456789") == "" {
		return parts[0] + "." + parts[1]
	}
	return version
}

// transport is what serves a request by its version and path; nil: that version is not
// spoken. No version means 0.3, but for the paths and methods that only 1.0 has: there are
// clients that forget to say it, and 0.3 could make nothing of them.
func (o *offer) transport(version, rest string, body []byte) (next http.Handler, modern bool) {
	if version == "" && (rest == "" && onlyModern(body) || rest != "" && !strings.HasPrefix(rest+"/", "v1/")) {
		version = string(a2a.Version)
	}
	switch {
	case version == string(a2a.Version) && rest == "":
		return o.rpc, true
	case version == string(a2a.Version):
		return o.rest, true
	case version != "" && version != string(v03.Version):
		return nil, true
	case rest == "":
		return o.oldRPC, false
	}
	return o.oldREST, false
}

// onlyModern reports whether a call is of a method that 1.0 has and 0.3 has not: its methods
// have several words with slashes in between.
func onlyModern(body []byte) bool {
	name := methodOf(body)
	return name != "" && !strings.Contains(name, "/")
}

// listens reports whether a request is for a stream, in any version.
func listens(rest string, body []byte) bool {
	if rest != "" {
		return strings.HasSuffix(rest, ":subscribe") || strings.HasSuffix(rest, ":stream")
	}
	return slices.Contains([]string{"SendStreamingMessage", "SubscribeToTask", v03.Stream, v03.Resubscribe}, methodOf(body))
}

// methodOf is the method of a call by JSON-RPC; empty: it is none.
func methodOf(body []byte) string {
	var call struct {
		Method string `json:"method"`
	}
	if json.Unmarshal(body, &call) != nil {
		return ""
	}
	return call.Method
}

func unspoken(version string) refusing {
	return refusing{err: a2a.NewError(a2a.ErrVersionNotSupported, fmt.Sprintf("version %.20q of A2A is not spoken here: 1.0 and 0.3 are", version))}
}

// anyCall is a call with the id of another.
func anyCall(body []byte) []byte {
	var call struct {
		ID json.RawMessage `json:"id"`
	}
	_ = json.Unmarshal(body, &call) // one that cannot be read has none
	if len(call.ID) == 0 {
		call.ID = json.RawMessage("null")
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"method":"GetTask","params":{}}`, call.ID)
}

// bearer is who sends a request. A cookie is not enough: pages of other sites could send
// that.
func (a *Agents) bearer(r *http.Request) (parley.Principal, error) {
	if r.Header.Get("Authorization") == "" {
		return parley.Principal{}, fmt.Errorf("no token: %w", chat.ErrUnauthenticated)
	}
	return a.opts.Principal(r)
}

// arrival is a request as it came, with who sent it.
type arrival struct {
	who     parley.Principal
	version string
	old     bool // it is served as of 0.3
	request *http.Request
	leave   func() // once it is answered; see Agents.reading
}

type arrivalKey struct{}

func arrived(ctx context.Context) *arrival {
	came, _ := ctx.Value(arrivalKey{}).(*arrival)
	return came
}

// still returns an error when who sent a request would not be let in now.
func (a *Agents) still(came *arrival) error {
	if a.door.Still(came.request, came.who) != nil {
		return a2a.ErrUnauthenticated
	}
	return nil
}

// extensionHeaders are the names of the header in both versions.
var extensionHeaders = []string{a2a.SvcParamExtensions, "X-" + a2a.SvcParamExtensions}

// separate takes the lists of extensions apart, which may be one line or several, and
// says in the answer which of them are in use.
func separate(answer, request http.Header) {
	for _, name := range extensionHeaders {
		var all []string
		for _, line := range request.Values(name) {
			for one := range strings.SplitSeq(line, ",") {
				if one = strings.TrimSpace(one); one != "" {
					all = append(all, one)
				}
			}
		}
		if len(all) == 0 {
			continue
		}
		request[http.CanonicalHeaderKey(name)] = all
		if slices.Contains(all, elicitation.URI) {
			answer.Set(name, elicitation.URI)
		}
	}
}
