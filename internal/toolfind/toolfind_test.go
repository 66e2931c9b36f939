package toolfind

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var tracker = []Tool{
	{Name: "list_issues", Description: "List issues, issues and more issues: create, delete, update issue"},
	{Name: "create_issue", Description: "Create an issue.", Schema: json.RawMessage(`{"type":"object","properties":{"severity":{"type":"string","description":"How bad it is"}}}`)},
	{Name: "deleteIssue", Title: "Delete an issue", Description: "Deletes an issue for good."},
	{Name: "issue", Description: "Get one."},
	{Name: "hidden_issue_delete", Description: "Delete issue", Left: true},
}

var mailer = []Tool{
	{Name: "send_email", Description: "Send an email to recipients."},
	{Name: "oauth2-token", Description: "Get a token."},
	{Name: "读取文件", Description: "读取文件的内容"},
}

func both() []Source {
	return []Source{{Server: "jira", Title: "Jira Cloud", Index: New(tracker)}, {Server: "mail", Index: New(mailer)}}
}

func found(sources []Source, query string) (names []string) {
	hits, _ := Search(sources, query, 10)
	for _, h := range hits {
		names = append(names, [][]Tool{tracker, mailer}[h.Source][h.Tool].Name)
	}
	return names
}

func TestWhatIsNeededComesFirst(t *testing.T) {
	sources := both()
	for query, want := range map[string]string{
		"issue": "issue", "ISSUE": "issue", "jira__issue": "issue", "jira.issue": "issue", "`create_issue`": "create_issue", "list_issues": "list_issues", // by name
		"get rid of a ticket": "deleteIssue", "erase the bug": "deleteIssue", "delting issues": "deleteIssue", "file a bug": "create_issue", "severity": "create_issue",
		"which bugs are there": "list_issues", "write a mail to Bob": "send_email", "sned emial": "send_email", "oauth": "oauth2-token", "token for OAuth2": "oauth2-token",
		"文件": "读取文件", "in Jira, make one": "create_issue",
	} {
		if got := found(sources, query); len(got) == 0 || got[0] != want {
			t.Errorf("%q: %v, want %s first", query, got, want)
		}
	}
}

func TestOnlyWhatIsThereIsFound(t *testing.T) {
	sources := both()
	sources[0].Has = func(i int) bool { return tracker[i].Name != "deleteIssue" }
	for _, query := range []string{"", "delete issue", "hidden_issue_delete", "deleteIssue"} {
		hits, total := Search(sources, query, 50)
		if len(hits) != total {
			t.Errorf("%q: %d of %d", query, len(hits), total)
		}
		for _, h := range hits {
			if name := found(sources[:1], query); h.Source == 0 && (tracker[h.Tool].Left || tracker[h.Tool].Name == "deleteIssue") {
				t.Errorf("%q: %v", query, name)
			}
		}
	}
	if _, total := Search(sources, "", 1); total != len(tracker)-2+len(mailer) {
		t.Errorf("%d in all", total)
	}
}

func TestToolsThatFitAlikeStayInOrder(t *testing.T) {
	alike := make([]Tool, 20)
	for i := range alike {
		alike[i] = Tool{Name: "zap", Description: "Zaps."}
	}
	index := []Source{{Server: "a", Index: New(alike)}, {Server: "b", Index: New(alike)}}
	for _, query := range []string{"", "zap", "zaps it"} {
		hits, _ := Search(index, query, 40)
		if !slices.IsSortedFunc(hits, func(a, b Hit) int { return (a.Source-b.Source)*100 + a.Tool - b.Tool }) || len(hits) != 40 {
			t.Errorf("%q: %v", query, hits)
		}
	}
	alike[7].ReadOnly = true
	if hits, _ := Search([]Source{{Index: New(alike)}}, "zapping", 1); hits[0].Tool != 7 {
		t.Errorf("the one that only reads is not first: %v", hits)
	}
}

// Maps have no order, and what is found must have one.
func TestTheSameQueryFindsTheSame(t *testing.T) {
	want := map[string][]string{}
	for range 20 {
		sources := both()
		for _, query := range []string{"get rid of a ticket", "isue delte maill", "list get search create update delete", "email issue token"} {
			got := found(sources, query)
			if before, ok := want[query]; ok && !slices.Equal(before, got) {
				t.Fatalf("%q: %s", query, cmp.Diff(before, got))
			}
			want[query] = got
		}
	}
}

func TestHostileQueriesAreBounded(t *testing.T) {
	sources := both()
	for name, c := range map[string]struct {
		query string
		all   bool // or none
	}{
		"empty": {"", true}, "blank": {" \t\n", true}, "signs": {"?!… --- \x00", false}, "broken": {"\xff\xfe\xc3", false},
		"far behind": {strings.Repeat("x ", MaxQuery) + "issue", false}, "behind signs": {strings.Repeat(".", MaxQuery) + " issue", false}, "without a space": {strings.Repeat("q", 100_000), false},
		"marks": {strings.Repeat("\u0301", 50_000), false}, "emoji": {strings.Repeat("🦊", 30_000), false},
	} {
		hits, total := Search(sources, c.query, 3)
		if want := len(tracker) - 1 + len(mailer); c.all && (total != want || len(hits) != 3) || !c.all && total != 0 {
			t.Errorf("%s: %d hits of %d", name, len(hits), total)
		}
	}
	var words strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&words, "w%dx%d ", i, i*7)
	}
	for _, query := range []string{words.String(), strings.Repeat("issue ", 20_000), "the of and to it", strings.Repeat("\xffissue", 20_000), strings.Repeat("文", 40_000)} {
		if q := read(query); len(q.asked) > maxAsked {
			t.Errorf("%d words are looked for", len(q.asked))
		}
		if hits, total := Search(sources, query, 2); len(hits) > 2 || total > 7 {
			t.Errorf("%d hits of %d", len(hits), total)
		}
	}
	if hits, _ := Search(sources, "issue", 0); len(hits) != 0 {
		t.Errorf("%d hits of none", len(hits))
	}
	if hits, total := Search(nil, "issue", 5); len(hits)+total != 0 {
		t.Errorf("%d hits in nothing", total)
	}
}

func TestHostileToolsAreBounded(t *testing.T) {
	long := strings.Repeat("abc1 ", 1<<20)
	deep := strings.Repeat(`{"properties":{"a":`, 3000) + "{}" + strings.Repeat("}}", 3000)
	var wide strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&wide, `"p%dq":{"description":"d%d"},`, i, i)
	}
	index := New([]Tool{
		{Name: long, Title: long, Description: long, Schema: json.RawMessage(deep)},
		{Name: "\xff", Description: "\xc3(", Schema: json.RawMessage(`[1,`)},
		{Name: "wide", Schema: json.RawMessage(`{"properties":{` + strings.TrimSuffix(wide.String(), ",") + `}}`)},
	})
	if index.Bytes() > 6<<20 {
		t.Errorf("%d bytes", index.Bytes())
	}
	if n := len(index.postings); n > 3*maxProperties+50 {
		t.Errorf("%d words", n)
	}
}

func TestWordsAreTakenApart(t *testing.T) {
	for text, want := range map[string]string{
		"create_issue-now.v2": "create issue now v 2 v2", "createIssue": "create issue createissue", "getHTTPUrl": "get http url gethttpurl",
		"s3 Bucket": "s 3 s3 bucket", "PRs": "prs", "naïve Über": "naïve über", "文件夹": "文件 件夹", "文": "文",
	} {
		var got []string
		eachWord(text, func(w string) bool { got = append(got, w); return true })
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for _, forms := range []string{"create creates created creating creation", "reply replies replied", "box boxes", "cancel cancelled cancellation", "deploy deployments deployed", "stop stopped stopping", "delete deletion deleting", "search searches searched"} {
		all := strings.Fields(forms)
		for _, form := range all[1:] {
			if stem(form) != stem(all[0]) {
				t.Errorf("%s is %s, %s is %s", form, stem(form), all[0], stem(all[0]))
			}
		}
	}
	for pair, want := range map[string]bool{"issue isue": true, "issue issuee": true, "issue isseu": true, "issue issue": false, "issue isle": false, "issue tissues": false, "general generat": false} {
		a, b, _ := strings.Cut(pair, " ")
		if near(a, b) != want || near(b, a) != want {
			t.Errorf("%s: %v", pair, !want)
		}
	}
}
