package outbound_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parley-hq/parley/outbound"
	"golang.org/x/net/idna"
)

func wantRefusal(t testing.TB, err error) {
	t.Helper()
	if !errors.Is(err, outbound.ErrForbidden) && !errors.Is(err, outbound.ErrConfusable) {
		t.Fatalf("error %v; want ErrForbidden or ErrConfusable", err)
	}
}

func TestDomainsAreDescribed(t *testing.T) {
	for _, test := range []struct {
		url  string
		want outbound.Domain
	}{
		{"https://example.com", outbound.Domain{Host: "example.com", Unicode: "example.com", Registrable: "example.com"}},
		{"https://Login.Example.CO.UK:443/x?y#z", outbound.Domain{Host: "login.example.co.uk", Unicode: "login.example.co.uk", Registrable: "example.co.uk"}},
		{"https://accounts.google.com.evil.example/", outbound.Domain{Host: "accounts.google.com.evil.example", Unicode: "accounts.google.com.evil.example", Registrable: "evil.example"}},
		{"http://example.com:443/", outbound.Domain{Host: "example.com:443", Unicode: "example.com:443", Registrable: "example.com"}},
		{"http://example.com:80/", outbound.Domain{Host: "example.com", Unicode: "example.com", Registrable: "example.com"}},
		{"https://ada.github.io/", outbound.Domain{Host: "ada.github.io", Unicode: "ada.github.io", Registrable: "ada.github.io"}},
		{"https://github.io/", outbound.Domain{Host: "github.io", Unicode: "github.io", Registrable: "github.io"}},
		{"https://www.Bücher.example:8443/", outbound.Domain{Host: "www.xn--bcher-kva.example:8443", Unicode: "www.bücher.example:8443", Registrable: "xn--bcher-kva.example"}},
		{"https://www.xn--bcher-kva.example/", outbound.Domain{Host: "www.xn--bcher-kva.example", Unicode: "www.bücher.example", Registrable: "xn--bcher-kva.example"}},
		{"https://ｇｏｏｇｌｅ.com/", outbound.Domain{Host: "google.com", Unicode: "google.com", Registrable: "google.com"}},
		{"https://почта.рф/", outbound.Domain{Host: "xn--80a1acny.xn--p1ai", Unicode: "почта.рф", Registrable: "xn--80a1acny.xn--p1ai"}},
		{"https://a_b.example.com/", outbound.Domain{Host: "a_b.example.com", Unicode: "a_b.example.com", Registrable: "example.com"}},
		{"http://localhost:8420/", outbound.Domain{Host: "localhost:8420", Unicode: "localhost:8420", Registrable: "localhost:8420"}},
		{"http://app.localhost/", outbound.Domain{Host: "app.localhost", Unicode: "app.localhost", Registrable: "app.localhost"}},
		{"http://a.app.localhost:81/", outbound.Domain{Host: "a.app.localhost:81", Unicode: "a.app.localhost:81", Registrable: "a.app.localhost:81"}},
		{"http://intranet/", outbound.Domain{Host: "intranet", Unicode: "intranet", Registrable: "intranet"}},
		{"http://127.0.0.1:9100/mcp", outbound.Domain{Host: "127.0.0.1:9100", Unicode: "127.0.0.1:9100", Registrable: "127.0.0.1:9100"}},
		{"https://[2606:4700:0::1111]/", outbound.Domain{Host: "[2606:4700::1111]", Unicode: "[2606:4700::1111]", Registrable: "[2606:4700::1111]"}},
		{"https://[2606:4700::1111]:8443/", outbound.Domain{Host: "[2606:4700::1111]:8443", Unicode: "[2606:4700::1111]:8443", Registrable: "[2606:4700::1111]:8443"}},
	} {
		got, err := outbound.DomainOf(test.url)
		if err != nil {
			t.Errorf("%s: %v", test.url, err)
		} else if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.url, diff)
		}
	}
}

func TestHonestNamesPass(t *testing.T) {
	for _, host := range []string{
		"münchen.de", "straße.example", "café.fr", "øl.dk", "łódź.pl", "diyarbakır.com", "tiếngviệt.vn", "paral·lel.cat", "ŋutɔ.example", "əlifba.az",
		"россия.com", "яндекс.рф", "сахар.рф", "ελλάδα.gr", "παράδειγμα.com", "հայաստան.com",
		"東京.jp", "日本語ドメイン.jp", "ひらがなカタカナ漢字abc.jp", "tシャツ.com", "eコマース.jp", "ノート.jp", "パソコン・ショップ.jp", "一.com", "二〇二六.cn",
		"例え.テスト", "中文abc.cn", "ㄅㄆㄇ注音.tw", "한국어abc.kr", "韓國한국.kr", "מבחן.co.il", "مثال.com", "مُثال.com", "فارسی۱۲.com", "عربي٣٤.com",
		"उदाहरण.com", "ตัวอย่าง.com", "தமிழ்.com", "ეკონომიკა.ge", "አማርኛ.com",
	} {
		d, err := outbound.DomainOf("https://" + host + "/")
		if err != nil {
			t.Errorf("%s: %v", host, err)
		} else if d.Unicode != host || strings.Contains(d.Host, host) {
			t.Errorf("%s is described as %+v", host, d)
		}
	}
}

func TestMisleadingNamesAreRefused(t *testing.T) {
	for name, hosts := range map[string][]string{
		"mixed scripts": {
			"аpple.com" /* Cyrillic а */, "gооgle.com" /* Cyrillic о */, "gοοgle.com" /* Greek ο */, "pаypаl.com", "miсrоsоft.com", "wikipediа.org",
			"www.аpple.com", "login.gооgle.com.example.net", "xn--pple-43d.com", "αβгд.com", "日本ру.jp", "ひらがなㄅ.jp", "한글ひら.kr", "ㄅ한.tw", "россия・москва.com", "россияーмосква.com",
			"bаnk.рф", "thaiไทย.com", "goog۱e.com" /* Persian digit */, "नame.com", "१abc.com",
		},
		"another script under a Latin domain": {
			"аррӏе.com", "xn--80ak6aa92e.com", "www.аррӏе.com", "раураӏ.com", "ѕкуре.com", "еросс.com", "сосо.com", "аррӏе-1.com", "ср1.co.uk",
			"ροκυ.com", "ουτ.gr", "հոսօ.com",
		},
		"unusual letters": {
			"ɢoogle.com", "ɡoogle.com", "fɑcebook.com", "ᴘaypal.com", "ƅank.com", "twitteꭇ.com", "goⲟgle.com", "ꓮꓑꓑꓡꓰ.com", "ᏢᎪᎩ.com", "ĸit.com",
		},
		"signs": {
			"google.com∕login.example.net", "google.com⁄login.example.net", "googleǃ.com", "i❤.com", "☃.net", "aʼb.com", "a·b.com", "pay\u0337pal.com", "b\u0323\u0306ad.com",
			"google.comノlogin.example.net", "google.comノ.example.net", "my一bank.com", "a・b.jp", "comン.example.net", "אבג׳.com", "አማ፡ርኛ.com", "հայ՚.com",
		},
		"digits": {"فارسی۱2.com", "१1.com"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, host := range hosts {
				d, err := outbound.DomainOf("https://" + host + "/")
				if !errors.Is(err, outbound.ErrConfusable) {
					t.Errorf("%s = %+v, %v; want ErrConfusable", host, d, err)
				}
			}
		})
	}
}

// A limit rather than a wish: the person has to look.
func TestNamesWithinOneScriptAreNotCompared(t *testing.T) {
	for _, host := range []string{"gooogle.com", "rnicrosoft.com", "paypał.com"} {
		if _, err := outbound.DomainOf("https://" + host); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
}

func TestDomainOfRefusesWhatNoRequestCouldHave(t *testing.T) {
	for _, raw := range []string{
		"", "example.com", "https://", "ftp://example.com/", "javascript:alert(1)", "data:text/html,x", "https://user:s3cret@example.com/",
		"https://example.com/\u202egpj", "https://exam\u200dple.com/", "https://example.com./", "https://0177.0.0.1/", "https://[fe80::1%25eth0]/",
		"https://xn--/", "https://xn--a/", "https://xn--google-/", "https://xn--0.com/", "https://xn--99999999999.com/", "https://xn--bcher-kva8z.example/",
		"https://abcعربي.com/", "https://googleא.com/", "https://goog١e.com/", // they would turn the direction of text
		"https://xn--BCHER-KVA-.example", "https://example.com/" + strings.Repeat("a", 4096),
	} {
		d, err := outbound.DomainOf(raw)
		if err == nil {
			t.Errorf("%q = %+v; want an error", raw, d)
		} else {
			wantRefusal(t, err)
			if strings.Contains(err.Error(), "s3cret") {
				t.Errorf("the error quotes a secret: %v", err)
			}
		}
	}
}

func FuzzDomainOf(f *testing.F) {
	for _, seed := range []string{
		"https://example.com/", "https://www.bücher.example:8443/", "https://xn--80ak6aa92e.com", "http://127.0.0.1", "https://аpple.com", "https://[::1]:1/",
		"https://paral·lel.cat", "https://東京.jp/#x", "https://xn--a/", "https://google.com∕x.y",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		d, err := outbound.DomainOf(raw)
		if err != nil {
			wantRefusal(t, err)
			return
		}
		u, err := url.Parse(raw)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil {
			t.Fatalf("%q is accepted: %v", raw, err)
		}
		// Both forms lead to the same place, and describe themselves alike.
		for _, host := range []string{d.Host, d.Unicode} {
			again, err := outbound.DomainOf(u.Scheme + "://" + host + "/")
			if err != nil || again != d {
				t.Errorf("%q = %+v; its host %q = %+v, %v", raw, d, host, again, err)
			}
		}
		if !strings.HasSuffix(d.Host, d.Registrable) && !strings.Contains(d.Host, d.Registrable+":") {
			t.Errorf("%q = %+v", raw, d)
		}
		// What net/http would dial is what is shown.
		if ascii, err := idna.Lookup.ToASCII(u.Hostname()); err == nil && !strings.Contains(u.Host, "[") && !strings.HasPrefix(d.Host, strings.ToLower(ascii)) {
			t.Errorf("%q is dialled as %q and shown as %+v", raw, ascii, d)
		}
	})
}

func TestALinkIsShownAsItIsWritten(t *testing.T) {
	for _, good := range []string{"https://example.com/a?b=c#d", "https://bücher.example/é", "https://example.com/%E2%80%AE", "http://example.com/銀行", "https://example.com/x/שלום"} {
		link, err := outbound.LinkOf(good)
		if as, _ := outbound.DomainOf(good); err != nil || link != as {
			t.Errorf("%q: %+v, %v", good, link, err)
		}
	}
	for _, bad := range []string{
		"https://example.com/\u202egpj", "https://example.com/\u2066x\u2069", "https://example.com/\u200b", "https://example.com/a\u3164", "https://example.com/\u2800",
		"https://example.com/a\ufe0f", "https://example.com/a\u0336", "https://example.com/\u0301", "https://example.com/א/1/ב", "https://example.com/\U000e0041",
	} {
		if _, err := outbound.LinkOf(bad); !errors.Is(err, outbound.ErrForbidden) {
			t.Errorf("%+q: %v", bad, err)
		}
	}
	if _, err := outbound.LinkOf("https://xn--80ak6aa92e.com/"); !errors.Is(err, outbound.ErrConfusable) {
		t.Error(err)
	}
}

func TestAnAddressOfThisMachineWithoutASchemeIsSaidToLackOne(t *testing.T) {
	for raw, want := range map[string]string{
		"localhost:9000/mcp":   "write http://host:port/path",
		"127.0.0.1:9000/mcp":   "write http://host:port/path",
		"[::1]:9000/mcp":       "write http://host:port/path",
		"localhost":            "write http://host:port/path",
		"shop.example:443/mcp": "write https://host/path",
		"ftp://localhost/x":    "the URL's scheme is not https",
	} {
		if err := outbound.CheckForm(raw); !errors.Is(err, outbound.ErrForbidden) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "9000") {
			t.Errorf("%s: %v, want %s", raw, err, want)
		}
	}
}
