package mcpclient_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/parley-hq/parley/mcpclient"
)

func TestANameThatWouldLookLikeAnotherIsLeftOut(t *testing.T) {
	long := strings.Repeat("n", 129)
	tests := []struct {
		kind         mcpclient.Kind
		item, reason string
	}{
		{mcpclient.KindTool, `{"name":"a\nb"}`, `tool "a\\u000ab": its name has characters that nobody sees`},
		{mcpclient.KindTool, `{"name":"a\u202eb"}`, `tool "a\\u202eb": its name has characters that nobody sees`},
		{mcpclient.KindTool, `{"name":"a\u001b[31m"}`, `tool "a\\u001b[31m": its name has characters that nobody sees`},
		{mcpclient.KindTool, `{"name":"a\u200bb"}`, `tool "a\\u200bb": its name has characters that nobody sees`},
		{mcpclient.KindTool, `{"name":"` + long + `"}`, `its name has more than 128 characters`},
		{mcpclient.KindPrompt, `{"name":"a\u202eb"}`, `its name has characters that nobody sees`},
		{mcpclient.KindPrompt, `{"name":"` + long + `"}`, `its name has more than 128 characters`},
		{mcpclient.KindResource, `{"uri":"a:\u202eb","name":"n"}`, `its uri has characters that nobody sees`},
		{mcpclient.KindResource, `{"uri":"a:` + strings.Repeat("b", 8<<10) + `","name":"n"}`, `its uri has more than 8 KiB`},
		{mcpclient.KindTemplate, `{"uriTemplate":"a:\n{b}","name":"n"}`, `its uriTemplate has characters that nobody sees`},
	}
	for _, tt := range tests {
		_, err := mcpclient.ReadEntry(tt.kind, json.RawMessage(tt.item))
		if !errors.Is(err, mcpclient.ErrProtocol) || !strings.Contains(err.Error(), tt.reason) {
			t.Errorf("%.60s: %v, want %s", tt.item, err, tt.reason)
		}
	}
	for _, name := range []string{strings.Repeat("n", 128), "ab c", "größe", "ファイル/読む", "a.b-c_d"} {
		quoted, _ := json.Marshal(name)
		if _, err := mcpclient.ReadEntry(mcpclient.KindTool, json.RawMessage(`{"name":`+string(quoted)+`}`)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTitlesAndIconsThatAreNoneAreLeftOut(t *testing.T) {
	tests := []struct{ member, want, fault string }{
		{`"title":"a\u001b[31mb"`, plainTool, "title: it has characters that nobody sees"},
		{`"title":"a\nb"`, plainTool, "title: it has characters that nobody sees"},
		{`"title":"a\u202eb"`, plainTool, "title: it has characters that nobody sees"},
		{`"title":"` + strings.Repeat("t", 2000) + `"`, plainTool, "title: it is too long for a title"},
		{`"title":"Größe 👩‍🚀"`, toolWith(`"title":"Größe 👩‍🚀"`), ""},
		{`"annotations":{"title":"a\u202eb"}`, toolWith(`"annotations":{}`), "annotations: title: it has characters that nobody sees"},
		{`"icons":[{"src":"javascript:alert(1)"}]`, plainTool, "icons: src: it leads to no picture"},
		{`"icons":[{"src":"JaVaScRiPt:alert(1)"},{"src":"https://a.example/i.png"}]`, toolWith(`"icons":[{"src":"https://a.example/i.png"}]`), "icons: src: it leads to no picture"},
		{`"icons":[{"src":" javascript:alert(1)"}]`, plainTool, "icons: src: it is no link"},
		{`"icons":[{"src":"java\nscript:alert(1)"}]`, plainTool, "icons: src: it is no link"},
		{`"icons":[{"src":"data:text/html,<script>"}]`, plainTool, "icons: src: it leads to no picture"},
		{`"icons":[{"src":"file:///etc/passwd"}]`, plainTool, "icons: src: it leads to no picture"},
		{`"icons":[{"src":"data:image/png;base64,AAAA"}]`, toolWith(`"icons":[{"src":"data:image/png;base64,AAAA"}]`), ""},
	}
	for _, tt := range tests {
		e, err := mcpclient.ReadEntry(mcpclient.KindTool, json.RawMessage(toolWith(tt.member)))
		fault := ""
		for _, f := range e.Faults {
			fault = f.Part + ": " + f.Reason
		}
		if err != nil || string(e.Raw) != tt.want || fault != tt.fault {
			t.Errorf("%.80s: %s, %q, %v", tt.member, e.Raw, fault, err)
		}
	}
}
