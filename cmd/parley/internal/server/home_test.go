package server_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestTheChatOpensAtTheConversationThatItsAddressNames(t *testing.T) {
	base := started(t, "")
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.PostForm(base+"/login", url.Values{"user": {"alice"}})
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	show := func(query url.Values) string {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/?"+query.Encode(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range answer.Cookies() {
			r.AddCookie(c)
		}
		page, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer page.Body.Close()
		raw, err := io.ReadAll(page.Body)
		if err != nil {
			t.Fatal(err)
		}
		_, after, ok := strings.Cut(string(raw), "<parley-chat ")
		if !ok || !strings.Contains(string(raw), `href="/inbox#conversations"`) {
			t.Fatalf("%s", raw)
		}
		tag, _, _ := strings.Cut(after, "</parley-chat>")
		return tag
	}
	usual := show(nil)
	if strings.Contains(usual, "conversation=") {
		t.Errorf("%s", usual)
	}
	if tag := show(url.Values{"conversation": {`c"><script>`}}); !strings.Contains(tag, `conversation="c&#34;&gt;&lt;script&gt;"`) {
		t.Errorf("%s", tag)
	}
	for name, query := range map[string]url.Values{
		"an agent that there is not": {"agent": {"nobody"}}, "a name that is too long": {"conversation": {strings.Repeat("x", 201)}}, "a control character": {"conversation": {"a\nb"}},
	} {
		if tag := show(query); tag != usual {
			t.Errorf("%s: %s", name, tag)
		}
	}
}
