package slackapp_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parley-hq/parley/slackapp"
)

func TestAMessageIsReadAsItsAuthorSeesIt(t *testing.T) {
	for written, want := range map[string]string{
		"<@UBOT> hello": "hello",
		"hey <@UBOT|parley>, a &lt; b &amp;&amp; c":  "hey , a < b && c",
		"see <https://a.example|the site>":           "see the site (https://a.example)",
		"see <https://a.example>":                    "see https://a.example",
		"see <http://a.example|a.example>":           "see http://a.example",
		"to <mailto:a@b.example|a@b.example>":        "to a@b.example",
		"in <#C1|general> for <!here> and <@U2|bob>": "in #general for !here and @bob",
		"&amp;lt; stays, and so does &lt;@UBOT&gt;":  "&lt; stays, and so does <@UBOT>",
		"  <@UBOT>  ":          "",
		"<@UBOT> stop <@UBOT>": "stop",
	} {
		event := `{"type":"event_callback","team_id":"T1","event":{"type":"app_mention","user":"U1","channel":"C1","ts":"1.1","text":"` + written + `"}}`
		if _, _, _, got, ok := slackapp.MessageOf([]byte(event), "UBOT"); !ok || got != want {
			t.Errorf("%s: %q, %v", written, got, ok)
		}
	}
}

func FuzzAnEventIsReadOrNot(f *testing.F) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) < 3 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	id, ts := regexp.MustCompile(`^[A-Za-z0-9]{1,64}$`), regexp.MustCompile(`^[0-9]+\.[0-9]+$`)
	f.Fuzz(func(t *testing.T, body []byte) {
		user, channel, at, _, ok := slackapp.MessageOf(body, "UBOT")
		if ok && (!id.MatchString(user) || !id.MatchString(channel) || !ts.MatchString(at)) {
			t.Errorf("%q %q %q", user, channel, at)
		}
	})
}

// All parts together are the text, each is short, and what is added later changes only the
// last of them.
func FuzzPartsOfAText(f *testing.F) {
	f.Add("short", "er")
	f.Add(strings.Repeat("word ", 2000), "and on")
	f.Add(strings.Repeat("é", 4000), "\n")
	f.Add(strings.Repeat("x", 2999)+"\n<!channel>", "<@U1>")
	mention := regexp.MustCompile(`<[!@#]`)
	f.Fuzz(func(t *testing.T, text, more string) {
		if !utf8.ValidString(text) || !utf8.ValidString(more) {
			t.Skip()
		}
		all, longer := slackapp.Parts(text), slackapp.Parts(text+more)
		if strings.Join(all, "") != text {
			t.Error("something is missing")
		}
		for i, part := range all {
			if len(part) > 3000 || !utf8.ValidString(part) || i < len(all)-1 && part != longer[i] {
				t.Errorf("part %d: %q", i, part)
			}
			if mention.MatchString(slackapp.Shown(part)) {
				t.Errorf("%q mentions somebody", part)
			}
		}
	})
}
