package browser

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// Person is somebody who looks at a [Window]. They share neither cookies nor storage nor cache with anybody else.
type Person struct {
	*Window // the first one; popups are others

	problems  *problems
	strangers *strangers
	album     *album
	windows   []*Window
}

// Person returns a new person, who looks at an empty page and is gone when the test ends.
func (b *Browser) Person(t testing.TB) *Person {
	t.Helper()
	p := &Person{problems: &problems{documents: map[string]bool{}}, album: b.albumOf(t)}
	var err error
	p.strangers, err = newStrangers(func(request string) { p.problems.add("request", request, "") })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.leave(t) })
	p.Window = p.newWindow(t, b.chromium.ctx, nil, chromedp.WithNewBrowserContext(func(c *target.CreateBrowserContextParams) {
		c.ProxyServer = "http://" + p.strangers.address
		c.ProxyBypassList = ownHosts
	}))
	return p
}

// Expect says that something will go wrong in a page: an error, a blocked script, a request to another host. What has
// text in its description does not fail the test, and the test fails if nothing has.
func (p *Person) Expect(text string) { p.problems.expect(text) }

// leave closes the windows and reports.
func (p *Person) leave(t testing.TB) {
	t.Helper()
	for _, w := range slices.Backward(p.windows) { // the first owns the cookies of the others
		w.close()
	}
	p.strangers.close()
	unexpected, missed := p.problems.sorted()
	for _, problem := range unexpected {
		t.Errorf("unexpected in a page: %s", problem)
	}
	for _, text := range missed {
		t.Errorf("expected in a page, but it did not happen: %s", text)
	}
}

// Cookies returns all cookies of the person, of every site.
func (p *Person) Cookies() []*http.Cookie {
	p.t.Helper()
	ctx, cancel := p.limit()
	defer cancel()
	all, err := chromedp.CallBrowser(ctx, storage.GetCookies, storage.GetCookiesParams{BrowserContextID: p.profile()})
	if err != nil {
		p.fail("read the cookies: %v", err)
	}
	var cookies []*http.Cookie
	for _, c := range all.Cookies {
		cookie := &http.Cookie{
			Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, Secure: c.Secure, HttpOnly: c.HTTPOnly,
			SameSite: sameSite(c.SameSite),
		}
		if !c.Session {
			cookie.Expires = time.UnixMilli(int64(c.Expires * 1000))
		}
		cookies = append(cookies, cookie)
	}
	return cookies
}

// SetCookie gives the person a cookie of the site at address, as that site could have set it. A cookie of [Person.Cookies]
// may be given to somebody else like this.
func (p *Person) SetCookie(address string, c *http.Cookie) {
	p.t.Helper()
	cookie := &network.CookieParam{
		Name: c.Name, Value: c.Value, URL: address, Path: c.Path, Secure: c.Secure, HTTPOnly: c.HttpOnly,
		SameSite: map[http.SameSite]network.CookieSameSite{
			http.SameSiteStrictMode: network.CookieSameSiteStrict,
			http.SameSiteLaxMode:    network.CookieSameSiteLax,
			http.SameSiteNoneMode:   network.CookieSameSiteNone,
		}[c.SameSite],
	}
	if strings.HasPrefix(c.Domain, ".") { // otherwise it is the host's own
		cookie.Domain = c.Domain
	}
	if !c.Expires.IsZero() {
		cookie.Expires = cdp.TimeSinceEpoch(c.Expires.Unix())
	}
	ctx, cancel := p.limit()
	defer cancel()
	_, err := chromedp.CallBrowser(ctx, storage.SetCookies,
		storage.SetCookiesParams{Cookies: []*network.CookieParam{cookie}, BrowserContextID: p.profile()})
	if err != nil {
		p.fail("set cookie %s: %v", c.Name, err)
	}
}

// ForgetCookies deletes all cookies of the person.
func (p *Person) ForgetCookies() {
	p.t.Helper()
	ctx, cancel := p.limit()
	defer cancel()
	_, err := chromedp.CallBrowser(ctx, storage.ClearCookies, storage.ClearCookiesParams{BrowserContextID: p.profile()})
	if err != nil {
		p.fail("delete the cookies: %v", err)
	}
}

func (p *Person) profile() cdp.BrowserContextID { return chromedp.FromContext(p.ctx).BrowserContextID }

func sameSite(s network.CookieSameSite) http.SameSite {
	switch s {
	case network.CookieSameSiteStrict:
		return http.SameSiteStrictMode
	case network.CookieSameSiteLax:
		return http.SameSiteLaxMode
	case network.CookieSameSiteNone:
		return http.SameSiteNoneMode
	}
	return http.SameSiteDefaultMode
}
