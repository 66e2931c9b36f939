package outbound_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/parley-hq/parley/outbound"
)

func TestURLsThatAreReadAreChecked(t *testing.T) {
	var o *outbound.Options
	long := "https://example.com/" + strings.Repeat("a", 4096-len("https://example.com/"))
	for _, good := range []string{
		"https://example.com", "https://example.com/", "https://example.com:8443/a?b=c", "HTTPS://Example.COM/", "https://a_b.example/",
		"https://bücher.example/", "https://xn--bcher-kva.example/", "https://93.184.216.34/", "https://[2606:4700::1111]:8443/",
		"https://example.com:/", "https://example.com/a%20b?c=%00", long, "https://xn--80ak6aa92e.com/",
	} {
		if err := o.Check(good); err != nil {
			t.Errorf("%q is refused: %v", good, err)
		}
	}
	for _, bad := range []string{
		"", "/", "example.com", "//example.com/", "https:", "https://", "https:///path", "https://:443/", "https:example.com",
		"http://example.com/", "ftp://example.com/", "file:///etc/passwd", "data:text/html,x", "javascript:alert(1)",
		"JavaScript://example.com/%0aalert(1)", "ws://example.com/", "gopher://example.com/", "unix:/run/x", "mailto:a@example.com",
		"https://user@example.com/", "https://user:s3cret@example.com/", "https://@example.com/", "https://example.com@evil.example/",
		"https://example.com/#fragment", "https://example.com/#", long + "a",
		"https://example.com/\n", "https://example.com/\x00", "\thttps://example.com/", "https://exam\u200bple.com/",
		"https://example.com/\u202egpj", "https://example.com/\u2066", "https://exam\u00adple.com", "https://example.com/a b", "https://example.com/\xff",
		"https://example.com\\@evil.example/", "https://example.com:0/", "https://example.com:65536/", "https://example.com:https/",
		"https://example.com:0443/", "https://example.com:-1/", "https://example.com:s3cret@evil.example:x/",
		"https://example..com/", "https://.example.com/", "https://example.com./", "https://exa mple.com/", "https://exa$mple.com/", "https://*.example.com/",
		"https://" + strings.Repeat("a", 64) + ".com/", "https://" + strings.Repeat("abc.", 63) + "com/",
		"https://2130706433/", "https://0x7f000001/", "https://0x7f.1/", "https://0177.0.0.1/", "https://127.1/", "https://127.0.0.1.1/", "https://1.2.3.0x4/",
		"https://①②⑦.⓪.⓪.①/", "https://１２７.0.0.1/", "https://127。0。0。1/", "https://[::ffff:8.8.8.8]/", "https://[::ffff:7f00:1]/",
		"https://[fe80::1%25eth0]/", "https://[2606:4700::1111%25eth0]/", "https://::1/", "https://[::1/", "https://[v1.x]/", "https://[]/",
		"https://localhost/", "https://LOCALHOST:8443/", "https://app.localhost/",
	} {
		if err := o.Check(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		} else {
			wantForbidden(t, err)
			if strings.Contains(err.Error(), "s3cret") {
				t.Errorf("the error quotes a secret: %v", err)
			}
		}
	}
}

func FuzzCheck(f *testing.F) {
	for _, seed := range []string{
		"https://example.com/", "http://127.0.0.1:8080/mcp", "https://user@example.com/", "https://[::1]:443/", "http://a.localhost",
		"https://bücher.example:8443/a?b#c", "javascript:alert(1)", "https://①②⑦.0.0.1/", "https://[fe80::1%25eth0]/", "https:\\\\x",
	} {
		f.Add(seed)
	}
	strict := (*outbound.Options)(nil)
	local := &outbound.Options{Loopback: true, Trusted: []string{"trusted.example:8080", "10.0.0.5"}}
	f.Fuzz(func(t *testing.T, raw string) {
		first, second := strict.Check(raw), local.Check(raw)
		if first == nil && second != nil {
			t.Errorf("%q is allowed by default and not in development", raw)
		}
		if second != nil {
			wantForbidden(t, second)
			return
		}
		u, err := url.Parse(raw)
		if err != nil {
			t.Fatalf("%q is accepted and no URL: %v", raw, err)
		}
		if u.Host == "" || u.User != nil || u.Fragment != "" || u.Opaque != "" || len(raw) > 4096 {
			t.Errorf("%q is accepted", raw)
		}
		if u.Scheme != "https" && (u.Scheme != "http" || first == nil) {
			t.Errorf("%q is accepted with the scheme %q", raw, u.Scheme)
		}
		again, err := url.Parse(u.String())
		if err != nil || again.Host != u.Host || again.Scheme != u.Scheme {
			t.Errorf("%q does not survive printing: %v, %v", raw, again, err)
		}
		if _, err := outbound.DomainOf(raw); err != nil {
			wantRefusal(t, err)
		}
	})
}
