package permit_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/parley-hq/parley/permit"
)

// ruled is a site with conditions of the configuration.
func ruled(t testing.TB, conditions ...permit.Condition) *site {
	t.Helper()
	return newSite(t, &permit.Options{Conditions: conditions, Logger: quiet})
}

// args is the transfer with other arguments.
func args(format string, a ...any) permit.Call {
	return with(transfer(), func(c *permit.Call) { c.Args = fmt.Appendf(nil, format, a...) })
}

func (s *site) status(t testing.TB, rule permit.Rule, c permit.Call) permit.Status {
	t.Helper()
	d, err := s.Check(t.Context(), rule, c)
	if err != nil || d.Reason == "" {
		t.Errorf("Check = %+v, %v", d, err)
	}
	return d.Status
}

func TestTheFirstConditionThatFitsDecidesElseTheServersRule(t *testing.T) {
	s := ruled(t,
		permit.Condition{Name: "small", Tool: "transfer", When: "args.amount <= 10", Approve: permit.Never},
		permit.Condition{Name: "absurd", Tool: "transfer", When: "args.amount > 1000", Approve: permit.Forbid},
		permit.Condition{Name: "rest", Tool: "transfer", Approve: permit.Always},
		permit.Condition{Name: "unreached", Tool: "transfer", Approve: permit.Never},
	)
	for amount, want := range map[int]permit.Status{10: permit.Granted, 11: permit.Required, 1000: permit.Required, 1001: permit.Denied} {
		if got := s.status(t, permit.Never, args(`{"amount":%d}`, amount)); got != want {
			t.Errorf("%d: %s, want %s", amount, got, want)
		}
	}
	quote := with(transfer(), func(c *permit.Call) { c.Tool = "quote" })
	for rule, want := range map[permit.Rule]permit.Status{
		permit.Never: permit.Granted, permit.Always: permit.Required, "": permit.Required, permit.Forbid: permit.Denied,
	} {
		if got := s.status(t, rule, quote); got != want {
			t.Errorf("by its server's %q: %s, want %s", rule, got, want)
		}
	}
}

func TestARefusedCallIsNotLetThroughWhateverThePersonSaid(t *testing.T) {
	plain := newSite(t, nil)
	plain.decided(t, transfer(), permit.AllowOnce)
	plain.decided(t, with(transfer(), func(c *permit.Call) { c.ID = "another" }), permit.AlwaysAllow)
	s := plain.again(t, &permit.Options{Conditions: []permit.Condition{{Name: "no transfers", Tool: "transfer", Approve: permit.Forbid}}})
	d := s.wantCheck(t, transfer(), permit.Denied)
	if d.Ask() || !strings.Contains(d.Reason, `"no transfers"`) {
		t.Errorf("%+v", d)
	}
	s.wantRefused(t, transfer(), permit.Denied)
	q := s.ask(t, numbered(1))
	s.answer(t, q, says(permit.AllowOnce))
	wantStatus(t, s.record(t, numbered(1), q.ID), permit.Denied)
	s.wantRefused(t, numbered(1), permit.Denied)
	plain.wantExecuted(t, transfer()) // it is the condition that was in the way
}

func TestPatternsOfServersAndTools(t *testing.T) {
	for _, tc := range []struct {
		pattern, name string
		fits          bool
	}{
		{"", "bank", true}, {"*", "bank", true}, {"bank", "bank", true}, {"bank", "bank2", false}, {"bank", "Bank", false},
		{"b?nk", "bank", true}, {"b?nk", "bnk", false}, {"*k", "bank", true}, {"delete*", "delete/all", true}, {"delete*", "undelete", false},
		{"delete*", "delete\nall", true}, {"a.c", "abc", false}, {"a.c", "a.c", true}, {"(a|b)", "a", false}, {"*_*", "read_file", true},
	} {
		for place, c := range map[string]permit.Condition{
			"server": {Name: "x", Server: tc.pattern, Approve: permit.Forbid}, "tool": {Name: "x", Tool: tc.pattern, Approve: permit.Forbid},
		} {
			call := with(transfer(), func(c *permit.Call) { c.Server, c.Tool = tc.name, tc.name })
			if got := ruled(t, c).status(t, permit.Never, call) == permit.Denied; got != tc.fits {
				t.Errorf("%s %q, %q: %t", place, tc.pattern, tc.name, got)
			}
		}
	}
}

func TestAnnotationsThatAreNotDeclaredCountAsMCPSays(t *testing.T) {
	yes, no := new(true), new(false)
	set := map[string]func(*permit.Condition, *bool){
		"read_only":   func(c *permit.Condition, v *bool) { c.ReadOnly = v },
		"destructive": func(c *permit.Condition, v *bool) { c.Destructive = v },
		"idempotent":  func(c *permit.Condition, v *bool) { c.Idempotent = v },
		"open_world":  func(c *permit.Condition, v *bool) { c.OpenWorld = v },
	}
	for _, tc := range []struct {
		name  string
		tool  func(*permit.Call)
		known map[string]bool
	}{
		{"nothing", func(*permit.Call) {}, map[string]bool{"read_only": false, "destructive": true, "idempotent": false, "open_world": true}},
		{"read-only", func(c *permit.Call) { c.ReadOnly = yes }, map[string]bool{"read_only": true, "destructive": false}},
		{"read-only and destructive", func(c *permit.Call) { c.ReadOnly, c.Destructive = yes, yes }, map[string]bool{"read_only": true, "destructive": true}},
		{"the contrary", func(c *permit.Call) { c.Destructive, c.Idempotent, c.OpenWorld = no, yes, no },
			map[string]bool{"read_only": false, "destructive": false, "idempotent": true, "open_world": false}},
	} {
		call := with(transfer(), tc.tool)
		for annotation, value := range tc.known {
			for _, want := range []*bool{yes, no} {
				c := permit.Condition{Name: "x", Approve: permit.Forbid}
				set[annotation](&c, want)
				if got := ruled(t, c).status(t, permit.Never, call) == permit.Denied; got != (value == *want) {
					t.Errorf("%s: %s %t fits: %t", tc.name, annotation, *want, got)
				}
			}
			c := permit.Condition{Name: "x", When: fmt.Sprintf("annotations.%s == %t", annotation, value), Approve: permit.Forbid}
			if got := ruled(t, c).status(t, permit.Never, call); got != permit.Denied {
				t.Errorf("%s: %s is not %t in an expression", tc.name, annotation, value)
			}
		}
	}
}

func TestExpressionsSeeTheCall(t *testing.T) {
	call := with(args(`{"to":"bob","n":null,"list":[1,"a",{"deep":true}],"amount":2.5}`), func(c *permit.Call) { c.Tenant = "acme" })
	for when, want := range map[string]bool{
		`server == "bank" && tool == "transfer" && user == "alice" && tenant == "acme"`: true,
		`user in ["bob", "carol"]`:                    false,
		`args.to.startsWith("b") && has(args.amount)`: true,
		`has(args.force) && args.force == true`:       false,
		`args.list.size() == 3 && args.list[2].deep`:  true,
		`args.n == null`:                              true,
		`args.amount > 2 && args.amount < 3`:          true,
		`args["to"].matches("^[a-z]+$")`:              true,
		`args.list.exists(x, x == "a")`:               true,
	} {
		s := ruled(t, permit.Condition{Name: "x", When: when, Approve: permit.Never})
		if got := s.status(t, permit.Always, call) == permit.Granted; got != want {
			t.Errorf("%s: %t", when, got)
		}
	}
}

// Whole numbers are exact, up to 64 bits. Beyond that nobody can tell, and an
// approval is needed.
func TestNumbersAreNotConfused(t *testing.T) {
	const granted, required = permit.Granted, permit.Required
	for _, tc := range []struct {
		when, number string
		want         permit.Status
	}{
		{"args.n == 9007199254740992", "9007199254740992", granted},
		{"args.n == 9007199254740992", "9007199254740993", required},
		{"args.n == 9007199254740993", "9007199254740993", granted},
		{"args.n == 9007199254740993", "9007199254740993.0", granted},
		{"args.n == 9007199254740993", "9007199254740992.0", required},
		{"args.n == 9007199254740993", "9.007199254740993e15", granted},
		{"args.n <= 9007199254740992", "9007199254740992.5", required},
		{"args.n < 9223372036854775807", "9223372036854775806", granted},
		{"args.n < 9223372036854775807", "9223372036854775807", required},
		{"args.n == 18446744073709551615u", "18446744073709551615", granted},
		{"args.n == 18446744073709551615u", "18446744073709551614", required},
		{"args.n > 0", "18446744073709551616", required},
		{"args.n < 0", "-9223372036854775808", granted},
		{"args.n < 0", "-9223372036854775809", required},
		{"args.n < 1e18", "1e17", granted},
		{"true", "1e30", required},
		{"args.n == 1", "1.0", granted},
		{"args.n == 1.0", "1", granted},
		{"args.n < 0.2", "0.1", granted},
		{"args.n > 0", "1" + strings.Repeat("0", 300) + "e-290", granted},
		{"args.n > 0", "1" + strings.Repeat("0", 300) + "e-280", required},
		{`args == {"n": 1}`, "18446744073709551617", required},
		{"args.n <= 10", "10.00000000000000000001", required},
		{"args.n == 0", "1e-400", required},
		{"args.n <= 0.1", "0.1000000000000000055511151231257827", required},
		{"args.n <= 10.5", "10.50", granted},
		{"args.n <= 10.5", "1.05e1", granted},
		{"args.n == 0", "0.0", granted},
		{"args.n == 0", "-0.0", granted},
	} {
		s := ruled(t, permit.Condition{Name: "x", When: tc.when, Approve: permit.Never})
		if got := s.status(t, permit.Always, args(`{"n":%s}`, tc.number)); got != tc.want {
			t.Errorf("%s with %s: %s, want %s", tc.when, tc.number, got, tc.want)
		}
	}
}

// Whatever goes wrong in an expression, somebody is asked, and is told why.
func TestAConditionThatFailsMeansThatAnApprovalIsNeeded(t *testing.T) {
	for when, text := range map[string]string{
		"args.amount <= 10":             `{"to":"bob"}`,
		"args.amount + 1 <= 10":         `{"amount":"2"}`,
		"args.amount < 10":              `{"amount":"2"}`,
		"args.amount * 1.5 < 10.0":      `{"amount":2}`,
		"args.list[3] == 1":             `{"list":[1]}`,
		`int(args.amount) < 3`:          `{"amount":"x"}`,
		`args.a.b.c == 1`:               `{"a":{"b":1}}`,
		`args.to.matches(args.pattern)`: `{"to":"bob","pattern":"("}`,
		`args.l.all(a, args.l.all(b, args.l.all(c, a + b + c >= 0)))`: `{"l":[` + strings.Repeat("1,", 300) + `1]}`,
	} {
		for _, approve := range []permit.Rule{permit.Never, permit.Unsafe, permit.Always} {
			s := ruled(t, permit.Condition{Name: "fragile", When: when, Approve: approve},
				permit.Condition{Name: "open", Approve: permit.Never})
			call := with(args("%s", text), func(c *permit.Call) { c.ReadOnly = new(true) })
			d, err := s.Check(t.Context(), permit.Never, call)
			if err != nil || d.Status != permit.Required || !strings.Contains(d.Reason, `"fragile"`) || !strings.Contains(d.Reason, "strictest") {
				t.Errorf("%s, %s: %+v, %v", when, approve, d, err)
			}
			s.wantRefused(t, call, permit.Required)
			s.decided(t, call, permit.AllowOnce)
			s.wantExecuted(t, call)
		}
	}
}

func TestOfAConditionThatFailsTheStrictestReadingHolds(t *testing.T) {
	two := &permit.Approvers{Need: 2, Of: []string{"bob", "carol", "dave"}}
	fragile := func(approve permit.Rule, of *permit.Approvers) permit.Condition {
		return permit.Condition{Name: "fragile", When: "args.gone == 1", Approve: approve, Approvers: of}
	}
	second := func(approve permit.Rule, of *permit.Approvers) permit.Condition {
		return permit.Condition{Name: "second", Approve: approve, Approvers: of}
	}
	for name, tc := range map[string]struct {
		list []permit.Condition
		want permit.Status
		need int
		by   string
	}{
		"it refuses":              {[]permit.Condition{fragile(permit.Forbid, nil), second(permit.Never, nil)}, permit.Denied, 0, "fragile"},
		"it needs approvers":      {[]permit.Condition{fragile("", two), second(permit.Never, nil)}, permit.Required, 2, "fragile"},
		"the next refuses":        {[]permit.Condition{fragile(permit.Never, nil), second(permit.Forbid, nil)}, permit.Denied, 0, "second"},
		"the next needs more":     {[]permit.Condition{fragile("", &permit.Approvers{Need: 1, Of: two.Of}), second("", two)}, permit.Required, 2, "second"},
		"the next needs less":     {[]permit.Condition{fragile("", two), second("", &permit.Approvers{Need: 1, Of: two.Of})}, permit.Required, 2, "fragile"},
		"nothing else is said":    {[]permit.Condition{fragile(permit.Never, nil)}, permit.Required, 0, "fragile"},
		"it is of another server": {[]permit.Condition{{Name: "x", Server: "other", When: "args.gone == 1", Approve: permit.Forbid}}, permit.Granted, 0, ""},
	} {
		d, err := ruled(t, tc.list...).Check(t.Context(), permit.Never, transfer())
		if err != nil || d.Status != tc.want || !strings.Contains(d.Reason, tc.by) || (d.Approvers != nil) != (tc.need > 0) ||
			tc.need > 0 && d.Approvers.Need != tc.need {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
}

// Two programs could read different things: the condition one, the tool the
// other.
func TestArgumentTricksReachNoCondition(t *testing.T) {
	s := ruled(t, permit.Condition{Name: "small", When: "args.amount <= 10", Approve: permit.Never})
	for _, text := range []string{
		`{"amount":1,"amount":1000}`, `{"amount":1000,"amount":1}`, `{"amount":1,"\u0061mount":1000}`,
		`{"amount":1,"Amount":1000}`, `{"AMOUNT":1000,"amount":1}`, `{"amount":1,"\u0041mount":1000}`, `{"amount":1e400}`, `{"amount":-1e400}`,
		`{"amount":1,"x":{"a":1,"a":2}}`, `{"amount":1,"x":[{"a":1,"A":2}]}`, `{"amount":1} {"amount":1000}`, `[1]`, `{"amount":1,"x":"\ud800"}`, "{\"amount\":1,\"x\":\"\xff\"}",
	} {
		_, err := s.Check(t.Context(), permit.Never, args("%s", text))
		wantError(t, err, permit.ErrArguments)
		wantError(t, s.Consume(t.Context(), permit.Never, args("%s", text)), permit.ErrArguments)
		_, _, err = s.Gather(t.Context(), permit.Never, args("%s", text))
		wantError(t, err, permit.ErrArguments)
	}
	if err := s.Consume(t.Context(), permit.Always, args(`{"amount":10}`)); err != nil {
		t.Error(err)
	}
}

// A server in Go takes "Amount" for the amount. Of such a call no condition knows
// what it says, whichever way it is written.
func TestAnArgumentThatIsNamedInOtherLettersThanTheConditionSaysIsAskedAbout(t *testing.T) {
	for _, when := range []string{
		"args.amount <= 10", "!has(args.amount) || args.amount <= 10", `!("amount" in args) || args["amount"] <= 10`, "args.all(name, name != 'amount')",
		"!has(args.order) || !has(args.order.amount)", "args.size() > 0 && !args.exists(k, k == 'amount' && args[k] > 10)",
	} {
		s := ruled(t, permit.Condition{Name: "small", When: when, Approve: permit.Never})
		for _, text := range []string{`{"Amount":1000}`, `{"AMOUNT":1000}`, `{"order":{"aMount":1000}}`, `{"amount\u0000":1000}`, `{"lines":[{"Amount":1000}]}`} {
			d, err := s.Check(t.Context(), permit.Never, args("%s", text))
			if err != nil || d.Status != permit.Required || !strings.Contains(d.Reason, "called like one of the rule's, but for letter case") {
				t.Errorf("%s with %s: %+v, %v", when, text, d, err)
			}
		}
	}
	s := ruled(t, permit.Condition{Name: "small", When: "!has(args.amount) || args.amount <= 10", Approve: permit.Never})
	if got := s.status(t, permit.Always, args(`{"to":"Amount","n":{"Name":1}}`)); got != permit.Granted {
		t.Error(got)
	}
}

func TestAConditionThatCannotBeUsedIsRefusedWithThePlace(t *testing.T) {
	for want, c := range map[string]permit.Condition{
		"no name":            {Approve: permit.Never},
		"its name":           {Name: "a\nb", Approve: permit.Never},
		"100 are allowed":    {Name: strings.Repeat("x", 101), Approve: permit.Never},
		"server":             {Name: "x", Server: "[a-z]", Approve: permit.Never},
		"tool":               {Name: "x", Tool: `a\*`, Approve: permit.Never},
		"approve: say":       {Name: "x"},
		"approve: \"nevre\"": {Name: "x", Approve: "nevre"},
		"line 1, column 6":   {Name: "x", When: "args.", Approve: permit.Never},
		"there is no arg here; a condition knows args": {Name: "x", When: "arg.amount > 1", Approve: permit.Never},
		"line 2, column 4":                  {Name: "x", When: "true\n&& nobody", Approve: permit.Never},
		"it is dyn":                         {Name: "x", When: "args.force", Approve: permit.Never},
		"it is int":                         {Name: "x", When: "1 + 1", Approve: permit.Never},
		"invalid matches":                   {Name: "x", When: `args.to.matches("(")`, Approve: permit.Never},
		"> does not work on string and int": {Name: "x", When: `user > 1`, Approve: permit.Never},
		"4096 are allowed":                  {Name: "x", When: strings.Repeat("true || ", 600) + "true", Approve: permit.Never},
		"asks nobody":                       {Name: "x", Approve: permit.Never, Approvers: &permit.Approvers{Need: 1, Of: []string{"bob"}}},
		"at least one":                      {Name: "x", Approvers: &permit.Approvers{Of: []string{"bob"}}},
		"2 are needed of 1":                 {Name: "x", Approvers: &permit.Approvers{Need: 2, Of: []string{"bob", "bob"}}},
		"1 are needed of 0":                 {Name: "x", Approvers: &permit.Approvers{Need: 1}},
		"no approver":                       {Name: "x", Approvers: &permit.Approvers{Need: 1, Of: []string{"bob", ""}}},
	} {
		err := c.Validate()
		wantError(t, err, permit.ErrCondition)
		if err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want it to say %q", err, want)
		}
		s := newSite(t, nil)
		wantError(t, s.PutCondition(t.Context(), "", c), permit.ErrCondition)
		good := permit.Condition{Name: "good", Approve: permit.Never}
		_, err = permit.New(s.hub, s.store, keyring(t), &permit.Options{Conditions: []permit.Condition{good, c}})
		wantError(t, err, permit.ErrCondition)
		if err != nil && !strings.Contains(err.Error(), "condition 2") {
			t.Errorf("%v; want it to say which", err)
		}
	}
	twice := []permit.Condition{{Name: "x", Approve: permit.Never}, {Name: "x", Approve: permit.Always}}
	s := newSite(t, nil)
	_, err := permit.New(s.hub, s.store, keyring(t), &permit.Options{Conditions: twice})
	wantError(t, err, permit.ErrCondition)
}

func TestAConditionIsReadFromJSON(t *testing.T) {
	var c permit.Condition
	text := `{"name":"big","server":"bank","tool":"transfer","read_only":false,"destructive":true,"idempotent":false,"open_world":true,` +
		`"when":"args.amount \u003e 50","approve":"always","approvers":{"need":1,"of":["bob","carol"]}}`
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		t.Fatal(err)
	}
	d, err := ruled(t, c).Check(t.Context(), permit.Never, transfer())
	if err != nil || d.Status != permit.Required || d.Approvers == nil || d.Approvers.String() != "1 of [bob, carol]" {
		t.Errorf("%+v, %v", d, err)
	}
	if back, err := json.Marshal(c); err != nil || string(back) != text {
		t.Errorf("%s, %v", back, err)
	}
}

// A gateway without sign-in: there is nobody to ask, and still there are rules.
func TestACallOfNobodysIsJudgedToo(t *testing.T) {
	s := ruled(t, permit.Condition{Name: "small", When: `args.amount <= 10 && user == ""`, Approve: permit.Never},
		permit.Condition{Name: "big", When: "args.amount > 1000", Approve: permit.Forbid})
	nobodys := func(amount int) permit.Call {
		return with(args(`{"amount":%d}`, amount), func(c *permit.Call) { c.User, c.ID = "", "" })
	}
	for amount, want := range map[int]permit.Status{10: permit.Granted, 1001: permit.Denied} {
		if got := s.status(t, permit.Always, nobodys(amount)); got != want {
			t.Errorf("%d: %s", amount, got)
		}
	}
	if err := s.Consume(t.Context(), permit.Always, nobodys(10)); err != nil {
		t.Error(err)
	}
	wantError(t, s.Consume(t.Context(), permit.Never, nobodys(1001)), permit.ErrNotPermitted)
	_, err := s.Check(t.Context(), permit.Always, nobodys(11))
	wantError(t, err, permit.ErrCall)
	wantError(t, s.Consume(t.Context(), permit.Always, nobodys(11)), permit.ErrCall)
}

// An older client that nobody signed in with has a session, which is no name.
func TestASessionIsNobodyToARule(t *testing.T) {
	s := ruled(t, permit.Condition{Name: "nobody", When: `user == ""`, Approve: permit.Forbid})
	for user, want := range map[string]permit.Status{"mcp-session:abc": permit.Denied, "mcp-call:abc": permit.Denied, "alice": permit.Granted} {
		if got := s.status(t, permit.Never, with(transfer(), func(c *permit.Call) { c.User = user })); got != want {
			t.Errorf("%s: %s", user, got)
		}
	}
}

func TestEditedArgumentsAreJudgedAnew(t *testing.T) {
	s := ruled(t, permit.Condition{Name: "small", When: "args.amount <= 10", Approve: permit.Never},
		permit.Condition{Name: "big", When: "args.amount > 1000", Approve: permit.Forbid})
	small := args(`{"amount":10}`)
	s.wantCheck(t, small, permit.Granted)
	s.wantRefused(t, args(`{"amount":11}`), permit.Required)
	s.decided(t, args(`{"amount":11}`), permit.AllowOnce)
	s.wantRefused(t, args(`{"amount":12}`), permit.Required)
	s.wantRefused(t, args(`{"amount":1001}`), permit.Denied)
	s.wantExecuted(t, args(`{"amount":11}`))
}
