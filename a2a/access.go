package a2a

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
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
			refuse(w, http.StatusNotFound, fmt.Sprintf("there is no agent %.50q: check the name", name))
			return
		}
		o.card.ServeHTTP(w, r)
		return
	}
	who, ok := a.admit(w, r, name)
	if !ok {
		return
	}
	if o == nil {
		refuse(w, http.StatusNotFound, fmt.Sprintf("there is no agent %.50q: check the name", name))
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, a.opts.Body))
	if err != nil {
		refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("a request may have %d bytes", a.opts.Body))
		return
	}
	came := &arrival{who: who, request: r}
	r = r.WithContext(context.WithValue(r.Context(), arrivalKey{}, came))
	r.Header = r.Header.Clone()
	separate(w.Header(), r.Header)
	came.version = cmp.Or(r.Header.Get(a2a.SvcParamVersion), r.URL.Query().Get(a2a.SvcParamVersion))
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

// admit finds out who sends a request, or refuses it. A cookie is not enough: pages of
// other sites could send that.
func (a *Agents) admit(w http.ResponseWriter, r *http.Request, name string) (parley.Principal, bool) {
	who, err := parley.Principal{}, fmt.Errorf("no token: %w", chat.ErrUnauthenticated)
	if r.Header.Get("Authorization") != "" {
		who, err = a.opts.Principal(r)
	}
	switch {
	case errors.Is(err, chat.ErrUnauthenticated), err == nil && !who.Acts():
		a.challenge(w, name, parley.CredentialChallenge(err))
		why := "an agent acts for a person or a program: send a valid bearer token of theirs, or a key"
		if fault := parley.CredentialFault(err); fault != "" {
			why = "this token is not accepted: " + fault
		}
		refuse(w, http.StatusUnauthorized, why)
	case errors.Is(err, ErrScope):
		a.challenge(w, name, fmt.Sprintf(`error="insufficient_scope", scope=%q`, strings.Join(a.opts.Scopes, " ")))
		refuse(w, http.StatusForbidden, "the token lacks a scope; needed are: "+strings.Join(a.opts.Scopes, " "))
	case err != nil:
		a.opts.Logger.ErrorContext(r.Context(), "caller not verified", "err", err)
		refuse(w, http.StatusServiceUnavailable, "it cannot be found out just now who you are: something is wrong on our side. Try again in a minute")
	default:
		who.Tenant = cmp.Or(who.Tenant, parley.DefaultTenant)
		return who, true
	}
	return who, false
}

// challenge tells a client where it is said what tokens are taken.
func (a *Agents) challenge(w http.ResponseWriter, name, wrong string) {
	said := fmt.Sprintf("Bearer resource_metadata=%q", a.opts.PublicURL+strings.Replace(MetadataPath, "{agent}", url.PathEscape(name), 1))
	if wrong != "" {
		said += ", " + wrong
	}
	w.Header().Set("WWW-Authenticate", said)
}

func refuse(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": why})
}

// arrival is a request as it came, with who sent it.
type arrival struct {
	who     parley.Principal
	version string
	old     bool // it is served as of 0.3
	request *http.Request
}

type arrivalKey struct{}

func arrived(ctx context.Context) *arrival {
	came, _ := ctx.Value(arrivalKey{}).(*arrival)
	return came
}

// still returns an error when who sent a request would not be let in now: streams outlive
// tokens. What cannot be found out just now is asked again.
func (a *Agents) still(came *arrival) error {
	who, err := a.opts.Principal(came.request)
	switch {
	case errors.Is(err, chat.ErrUnauthenticated), errors.Is(err, ErrScope):
		return a2a.ErrUnauthenticated
	case err == nil && (who.Owner() != came.who.Owner() || cmp.Or(who.Tenant, parley.DefaultTenant) != came.who.Tenant):
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
