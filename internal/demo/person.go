package demo

import (
	"context"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// person is somebody with a plain browser: it follows links and forms, and runs
// no script.
type person struct {
	browser *http.Client
	at      *url.URL
	page    *html.Node
}

func newPerson() (*person, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	return &person{browser: &http.Client{Jar: jar, Transport: &http.Transport{}}}, nil
}

func (p *person) leave() { p.browser.CloseIdleConnections() }

func (p *person) open(ctx context.Context, address string) error {
	if p.at != nil {
		u, err := p.at.Parse(address)
		if err != nil {
			return err
		}
		address = u.String()
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	return p.read(ctx, r)
}

// read shows the answer to a request, and goes where it sends the browser.
func (p *person) read(ctx context.Context, r *http.Request) error {
	answer, err := p.browser.Do(r)
	if err != nil {
		return err
	}
	p.at = answer.Request.URL
	p.page, err = html.Parse(answer.Body)
	answer.Body.Close()
	if err != nil {
		return err
	}
	if _, to, ok := strings.Cut(answer.Header.Get("Refresh"), "url="); ok {
		return p.open(ctx, to)
	}
	return nil
}

// press presses the button that says so.
func (p *person) press(ctx context.Context, says string) error {
	for form := range p.page.Descendants() {
		if form.Data != "form" {
			continue
		}
		values, found := url.Values{}, false
		for n := range form.Descendants() {
			name, value := attribute(n, "name"), attribute(n, "value")
			switch {
			case n.Data == "button" && strings.Contains(textOf(n), says):
				found = true
				if name != "" {
					values.Set(name, value)
				}
			case n.Data == "input" && attribute(n, "type") == "hidden":
				values.Set(name, value)
			}
		}
		if found {
			return p.send(ctx, attribute(form, "action"), values)
		}
	}
	return fmt.Errorf("there is no button %q at %s: %.300s", says, p.at, textOf(p.page))
}

func (p *person) send(ctx context.Context, to string, values url.Values) error {
	u, err := p.at.Parse(to)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), strings.NewReader(values.Encode()))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", p.at.Scheme+"://"+p.at.Host)
	return p.read(ctx, r)
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
