// Package visitor is a person with a plain browser: it keeps cookies, follows
// links, presses buttons, and runs no script. What it can do on a page, everybody
// can.
package visitor

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// Visitor looks at one page at a time. Cookies are those of a host: every node
// of a site gets them.
type Visitor struct {
	Browser *http.Client
	At      *url.URL   // of the page
	Page    *html.Node // nil before the first one
	Stays   bool       // it does not go where a page sends it
}

// New returns somebody without cookies. Call Leave in the end.
func New() *Visitor {
	jar, _ := cookiejar.New(nil) // without options it cannot fail
	v := &Visitor{}
	v.Browser = &http.Client{Jar: jar, Transport: &http.Transport{}, CheckRedirect: func(_ *http.Request, via []*http.Request) error {
		if v.Stays || len(via) >= 10 {
			return http.ErrUseLastResponse
		}
		return nil
	}}
	return v
}

// Leave closes the browser's connections.
func (v *Visitor) Leave() { v.Browser.CloseIdleConnections() }

// StatusError is a page that says that something is wrong. The visitor is there
// all the same.
type StatusError struct {
	Status int
	At     *url.URL
	Text   string // of the page
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("%s: %d %s: %.500s", e.At.Path, e.Status, http.StatusText(e.Status), e.Text)
}

// Open goes to an address, which may be relative to where the visitor is. It
// returns a *StatusError where the page has a status of 400 or more.
func (v *Visitor) Open(ctx context.Context, address string) error {
	return v.visit(ctx, http.MethodGet, address, nil)
}

// Send posts a form; its errors are those of Open.
func (v *Visitor) Send(ctx context.Context, address string, form url.Values) error {
	return v.visit(ctx, http.MethodPost, address, form)
}

func (v *Visitor) visit(ctx context.Context, method, address string, form url.Values) error {
	to, err := url.Parse(address)
	if err == nil && v.At != nil {
		to, err = v.At.Parse(address)
	}
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, method, to.String(), strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", to.Scheme+"://"+to.Host)
	}
	answer, err := v.Browser.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	v.At = answer.Request.URL
	if v.Page, err = html.Parse(answer.Body); err != nil {
		return err
	}
	if answer.StatusCode >= http.StatusBadRequest {
		return &StatusError{Status: answer.StatusCode, At: v.At, Text: v.Text()}
	}
	if _, next, ok := strings.Cut(answer.Header.Get("Refresh"), "url="); ok && !v.Stays {
		return v.Open(ctx, next)
	}
	return nil
}

// Press presses the first button that says so, in its form with the fields
// filled in. Its errors are those of Open.
func (v *Visitor) Press(ctx context.Context, says string, fields url.Values) error {
	for form := range v.Page.Descendants() {
		if form.Data != "form" {
			continue
		}
		values, found := url.Values{}, false
		for n := range form.Descendants() {
			name, value := attribute(n, "name"), attribute(n, "value")
			button := n.Data == "button" && strings.Contains(text(n), says)
			found = found || button
			if name != "" && (button || n.Data == "input" && attribute(n, "type") == "hidden") {
				values.Set(name, value)
			}
		}
		if found {
			maps.Copy(values, fields)
			return v.Send(ctx, attribute(form, "action"), values)
		}
	}
	return fmt.Errorf("there is no button %q at %s: %.500s", says, v.At, v.Text())
}

// Text is what the page says.
func (v *Visitor) Text() string { return text(v.Page) }

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
