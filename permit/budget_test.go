package permit_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/seal"
)

// allocates returns how many bytes work takes from the heap, all together.
func allocates(work func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// nested is an expression in which each name stands for a list of the one before, by
// way of all.
func nested(n int, list, end string) string {
	text, closing := "", ""
	for i := range n {
		text += fmt.Sprintf("[%s].all(v%d, ", fmt.Sprintf(strings.ReplaceAll(list, "X", "v%[1]d"), i-1), i)
		closing += ")"
	}
	last := fmt.Sprintf("v%d", n-1)
	return strings.ReplaceAll(text, "v-1", "args.text") + strings.ReplaceAll(end, "X", last) + closing
}

func TestAnExpressionThatIsTooMuchWorkMeansThatAnApprovalIsNeeded(t *testing.T) {
	long := strings.Repeat("a", 10_000)
	for name, when := range map[string]string{
		"texts that double":             "[args.text]" + strings.Repeat(".map(x,x+x+x+x)", 8) + "[0].size()>1",
		"bytes that double":             "[bytes(args.text)]" + strings.Repeat(".map(x,x+x+x+x)", 8) + "[0].size()>1",
		"lists that double":             "[[args.text]]" + strings.Repeat(".map(x,x+x+x+x+x+x+x+x)", 8) + "[0].size()>1",
		"lists of nothing":              "[[]]" + strings.Repeat(".map(x,x+x+x+x+x+x+x+x+x+x+x+x+x+x+x+x)", 5) + "[0].size()==0 && args.list.all(a, args.list.all(b, args.list.all(c, true)))",
		"lists of lists":                nested(8, "[X,X,X,X,X,X,X,X,X,X]", "X == X"),
		"lists of lists, otherwise":     nested(8, "[X,X,X,X,X,X,X,X,X,X]", "X != X"),
		"lists of lists in lists":       nested(8, "[X,X,X,X,X,X,X,X,X,X]", "X in [X]"),
		"maps of maps":                  nested(8, `{"a":X,"b":X,"c":X,"d":X,"e":X,"f":X}`, "X == X"),
		"loops":                         "args.list.all(a, args.list.all(b, args.list.all(c, true)))",
		"loops that do nothing":         "args.list.exists_one(a, args.list.exists_one(b, args.list.exists_one(c, false)))",
		"a yes beside it":               "args.list.all(a, args.list.all(b, args.list.all(c, true))) || true",
		"a pattern":                     `args.text.matches('(a{0,10}){0,10}x$')`,
		"many patterns":                 `args.list.all(x, !args.text.matches('(.*)(.*)(.*)[0-9]x'))`,
		"a pattern of the call's":       `args.list.all(x, args.list.all(y, !"aaaa".matches(args.pattern)))`,
		"a pattern of the call's alone": `args.text.matches(args.burn)`,
		"texts that are read":           `args.list.all(x, args.list.all(y, !args.text.contains("aab")))`,
		"texts that are compared":       `args.list.all(x, args.list.all(y, args.text + "a" != args.text))`,
	} {
		t.Run(name, func(t *testing.T) {
			s := ruled(t, permit.Condition{Name: "heavy", When: when, Approve: permit.Never})
			call := args(`{"text":%q,"list":[%s0],"pattern":"(ab|cd){1,20}","burn":%q}`, long, strings.Repeat("0,", 400), strings.Repeat(".{0,1000}", 40)+"x$")
			var d permit.Decision
			var err error
			used := allocates(func() { d, err = s.Check(t.Context(), permit.Never, call) })
			if err != nil || d.Status != permit.Required || !strings.Contains(d.Reason, "too much work") || !strings.Contains(d.Reason, `"heavy"`) {
				t.Errorf("%+v, %v", d, err)
			}
			if used > 64<<20 {
				t.Errorf("it took %d MB", used>>20)
			}
			s.wantRefused(t, call, permit.Required)
		})
	}
}

// What all rules of a call do together is bounded, however many there are.
func TestTheRulesOfACallHaveOneBudget(t *testing.T) {
	var all []permit.Condition
	for i := range 200 {
		all = append(all, permit.Condition{Name: fmt.Sprint(i), When: fmt.Sprintf("args.text.matches('(.*)(.*)(.*)(.*)[0-9]x%d')", i), Approve: permit.Forbid})
	}
	text := strings.Repeat("a", 5_000)
	one := ruled(t, append(all[:1:1], permit.Condition{Name: "rest", Approve: permit.Never})...)
	if got := one.status(t, permit.Always, args(`{"text":%q}`, text)); got != permit.Granted {
		t.Errorf("one rule: %s", got)
	}
	many := ruled(t, append(all, permit.Condition{Name: "rest", Approve: permit.Never})...)
	d := many.wantCheck(t, args(`{"text":%q}`, text), permit.Denied)
	if !strings.Contains(d.Reason, "too much work") {
		t.Error(d.Reason)
	}
}

func TestUsualExpressionsAreNotTooMuchWork(t *testing.T) {
	text := strings.Repeat("word ", 20_000) // 100 KB
	for _, when := range []string{
		`args.text.size() > 3 && args.text.contains("word w") && args.text.startsWith("word")`,
		`args.rows.all(r, r.amount < 10 && r.to in ["bob", "carol"])`,
		`args.rows.map(r, r.amount).filter(a, a > 5).size() == 0`,
		`args.rows == args.rows && args.rows[0] in args.rows`,
		`args.to.matches("^[a-z0-9._%+-]+@[a-z0-9.-]+[.][a-z]{2,}$")`,
		`"x" + args.text + "y" != args.text`,
	} {
		s := ruled(t, permit.Condition{Name: "usual", When: when, Approve: permit.Never})
		call := args(`{"to":"bob@example.com","text":%q,"rows":[%s{"amount":1,"to":"bob"}]}`, text, strings.Repeat(`{"amount":1,"to":"carol"},`, 1000))
		if got := s.status(t, permit.Always, call); got != permit.Granted {
			t.Errorf("%s: %s", when, got)
		}
	}
}

func TestExpressionsEndWithTheirContext(t *testing.T) {
	s := ruled(t, permit.Condition{Name: "slow", When: "args.list.all(a, args.list.all(b, true))", Approve: permit.Never})
	call := args(`{"list":[%s0]}`, strings.Repeat("0,", 100))
	if got := s.status(t, permit.Always, call); got != permit.Granted {
		t.Fatal(got)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if d, err := s.Check(gone, permit.Never, call); err == nil && d.Status == permit.Granted {
		t.Errorf("%+v, though nobody waits", d)
	}
}

func TestWhatWouldAlwaysBeTooMuchWorkCannotBeStored(t *testing.T) {
	for want, when := range map[string]string{
		"repeats written out":       "args.text.matches('" + strings.Repeat(".{0,1000}", 40) + "x$')",
		"all its patterns together": strings.Repeat("args.text.matches('.{0,300}') || ", 20) + "true",
		"a pattern of 1001 bytes":   "args.text.matches('" + strings.Repeat("a", 1001) + "')",
		"goes through lists":        "[1]" + strings.Repeat(".map(x,x)", 11) + "[0] == 1",
		"in each other":             "[[[[1]]]] == []",
		"keys of a map":             "{args.to: 1} == {}",
		"makes no messages":         "google.protobuf.ListValue{values: [args.text]} == args.text",
	} {
		var err error
		if used := allocates(func() { err = permit.Condition{Name: "x", When: when, Approve: permit.Never}.Validate() }); used > 16<<20 {
			t.Errorf("%s: %d MB to refuse it", want, used>>20)
		}
		wantError(t, err, permit.ErrCondition)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want it to say %q", err, want)
		}
	}
}

// A rule of before there were bounds counts as one that fails, for the calls that it
// could be about, and is in the log.
func TestAStoredRuleThatIsTooMuchWorkMeansThatAnApprovalIsNeeded(t *testing.T) {
	s := newSite(t, nil)
	const name = "a rule of before"
	stored := permit.Condition{Name: name, Tool: "transfer", When: "args.to.matches('" + strings.Repeat(".{0,1000}", 40) + "')", Approve: permit.Never}
	if err := s.PutCondition(t.Context(), "", permit.Condition{Name: name, Tool: "transfer", When: "args.to == 'PLACE'", Approve: permit.Never}); err != nil {
		t.Fatal(err)
	}
	rewriteRules(t, s.store, func(data []byte) []byte {
		return bytes.ReplaceAll(data, []byte("args.to == 'PLACE'"), []byte(stored.When))
	})
	var log bytes.Buffer
	other := s.again(t, &permit.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	d := other.wantCheck(t, transfer(), permit.Required)
	if !strings.Contains(d.Reason, "too much work") || !strings.Contains(log.String(), name) {
		t.Errorf("%+v; log %s", d, log.String())
	}
	if got := other.status(t, permit.Never, with(transfer(), func(c *permit.Call) { c.Tool = "quote" })); got != permit.Granted {
		t.Errorf("a call that it is not about: %s", got)
	}
}

// A dry run is under the same bounds.
func TestATrialIsUnderTheSameBounds(t *testing.T) {
	s := newSite(t, nil)
	_, err := s.Try(t.Context(), "", permit.Condition{Name: "x", When: "args.to.matches('" + strings.Repeat(".{0,1000}", 40) + "')", Approve: permit.Never})
	wantError(t, err, permit.ErrCondition)
	trial, err := s.Try(t.Context(), "", permit.Condition{Name: "x", When: "[args.to]" + strings.Repeat(".map(x,x+x+x+x)", 8) + "[0].size()>1", Approve: permit.Never})
	if err != nil {
		t.Fatal(err)
	}
	call := args(`{"to":%q}`, strings.Repeat("a", 10_000))
	tried, err := trial.Judge(t.Context(), permit.Never, call)
	if err != nil || tried.Then.Verdict != permit.AsksPerson || !strings.Contains(tried.Then.Why, "too much work") {
		t.Errorf("%+v, %v", tried, err)
	}
}

// rewriteRules changes what is stored of the tenant's rules.
func rewriteRules(t *testing.T, store parley.Records, change func([]byte) []byte) {
	t.Helper()
	records := seal.Records(store, keyring(t), nil)
	r, err := records.Load(t.Context(), parley.Address{Tenant: parley.DefaultTenant, Kind: "permission_rules", Key: "conditions"})
	if err != nil {
		t.Fatal(err)
	}
	r.Data = change(r.Data)
	if _, err := records.Save(t.Context(), r); err != nil {
		t.Fatal(err)
	}
}
