package pages

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/parley-hq/parley"
)

// returning is where somebody came from who connects an account without a popup.
// Their browser keeps it. It is compared with Options.Origins when it is kept and
// when it is used, so that nobody is led anywhere else.
type returning struct {
	Question parley.ID `json:"question"`
	To       string    `json:"to"`
	Asked    bool      `json:"asked,omitempty"` // by return_to, and not only told by the browser
}

const (
	returnKind = "return"
	returnTTL  = time.Hour
	// returnPause is how long the outcome is shown before the page leads back by
	// itself, in seconds.
	returnPause = "3"
)

// keepReturn remembers where the person comes from: where the link says to return
// to, or the page that they followed it on. It comes before the sign-in, which
// takes them to other sites.
func (p *Pages) keepReturn(w http.ResponseWriter, r *http.Request, id parley.ID) {
	if !id.Valid() {
		return
	}
	from := p.cameFrom(r)
	if from.To == "" {
		return
	}
	from.Question = id
	// A redirect of our own takes along what the browser says, not what the link did.
	if before, ok := p.kept(r); ok && before.Question == id && before.Asked && !from.Asked {
		return
	}
	data, err := json.Marshal(from)
	if err != nil {
		return
	}
	p.setCookie(w, returnKind, base64.RawURLEncoding.EncodeToString(data), returnTTL)
}

// cameFrom is where a request says that its person comes from, if they may be led
// there.
func (p *Pages) cameFrom(r *http.Request) returning {
	query := r.URL.Query()
	from := returning{To: query.Get("return_to"), Asked: query.Has("return_to")}
	if !from.Asked {
		from.To = r.Header.Get("Referer")
	}
	from.To = p.returnable(from.To, from.Asked)
	return from
}

// returnable is an address of one of the origins, or nothing. Of this site's own
// pages a browser tells that somebody came from them who is only on their way:
// those count where they are asked for, and the home page always.
func (p *Pages) returnable(raw string, asked bool) string {
	const long = 1024
	u, err := url.Parse(raw)
	if err != nil || len(raw) > long || u.User != nil || u.Opaque != "" || strings.Contains(raw, `\`) {
		return ""
	}
	origin := strings.ToLower(u.Scheme + "://" + u.Host)
	if !slices.ContainsFunc(p.opts.Origins, func(known string) bool { return strings.EqualFold(known, origin) }) {
		return ""
	}
	if !asked && origin == p.public.String() && u.Path != "/" {
		return ""
	}
	if _, err := viewAddress(u.String()); err != nil {
		return ""
	}
	return u.String()
}

// kept is what the browser remembers.
func (p *Pages) kept(r *http.Request) (from returning, ok bool) {
	c, err := r.Cookie(p.cookieName(returnKind))
	if err != nil {
		return from, false
	}
	data, err := base64.RawURLEncoding.DecodeString(c.Value)
	ok = err == nil && json.Unmarshal(data, &from) == nil
	return from, ok
}

// leadBack says where a person goes after their question was settled; nil: they
// close the window. A popup is closed by its script before anybody is led away. It
// is used once: who looks at the question again later stays there.
func (p *Pages) leadBack(w http.ResponseWriter, r *http.Request, q parley.Request) *forwardView {
	from, ok := p.kept(r)
	if !ok || from.Question != q.ID {
		return nil
	}
	p.setCookie(w, returnKind, "", 0)
	to := p.returnable(from.To, from.Asked)
	address, err := viewAddress(to)
	if err != nil {
		return nil
	}
	if from.Asked {
		w.Header().Set("Refresh", returnPause+"; url="+to)
	}
	return &forwardView{To: to, Name: address.Host}
}
