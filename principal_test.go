package parley_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
)

func TestWhoIsAPersonIsToldByTheKind(t *testing.T) {
	for name, c := range map[string]struct {
		who    parley.Principal
		person bool
	}{
		"made by hand":                   {parley.Principal{Tenant: "acme", User: "alice"}, true},
		"nobody":                         {parley.Principal{Tenant: "acme"}, false},
		"a session":                      {parley.SessionPrincipal("acme", "s"), false},
		"a call":                         {parley.CallPrincipal("acme", "c"), false},
		"a program":                      {parley.Principal{Tenant: "acme", Kind: parley.KindProgram, Key: "ci"}, false},
		"a group":                        {parley.GroupPrincipal("acme", "oncall"), false},
		"a call that is yet to be named": {parley.Principal{Tenant: "acme", Kind: parley.KindCall}, false},
	} {
		if got := c.who.IsPerson(); got != c.person {
			t.Errorf("%s: a person: %t", name, got)
		}
		if err := c.who.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAPrincipalThatIsNotWhatItSaysIsNotValid(t *testing.T) {
	session, call := parley.SessionPrincipal("", "x").User, parley.CallPrincipal("", "x").User
	for name, who := range map[string]parley.Principal{
		"a person with a session's name":  {User: session},
		"a person with a call's name":     {User: call},
		"a session with a person's name":  {User: "alice", Kind: parley.KindSession},
		"a session with a call's name":    {User: call, Kind: parley.KindSession},
		"a call with a session's name":    {User: session, Kind: parley.KindCall},
		"a program with a user":           {User: "alice", Kind: parley.KindProgram},
		"a person with a group's name":    {User: parley.GroupPrincipal("", "x").User},
		"of another kind":                 {User: "alice", Kind: "wizard"},
		"of another kind, without a user": {Kind: "wizard"},
	} {
		if err := who.Validate(); !errors.Is(err, parley.ErrPrincipal) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Somebody without a name owns nothing, not even what is nobody's.
func TestNobodyOwnsNothing(t *testing.T) {
	nobody := parley.Principal{Tenant: "acme"}
	if nobody.Owns(parley.Request{Tenant: "acme"}) {
		t.Error("a question without an owner is nobody's to see")
	}
	hub := parley.New(parley.NewMemoryStore(), nil)
	open(t, hub, parley.Request{Tenant: "acme", To: "alice", Message: "Really?"})
	if list, err := hub.List(t.Context(), nobody, parley.Query{}); !errors.Is(err, parley.ErrNoOwner) || len(list) != 0 {
		t.Errorf("nobody was shown %d questions, %v", len(list), err)
	}
}

func TestAPersonNamedLikeASessionCannotAnswerItsQuestions(t *testing.T) {
	hub := parley.New(parley.NewMemoryStore(), nil)
	for _, owner := range []parley.Principal{parley.SessionPrincipal("default", "x"), parley.CallPrincipal("default", "x")} {
		q, err := hub.Open(t.Context(), parley.Request{To: owner.User, Message: "Really?"})
		if err != nil {
			t.Fatal(err)
		}
		for _, thief := range []parley.Principal{{User: owner.User}, {Tenant: "default", User: owner.User, Method: "jwt"}, {User: owner.User, Kind: parley.KindProgram}} {
			if err := hub.Answer(t.Context(), thief, q.ID, parley.Answer{Action: parley.Accept}); !errors.Is(err, parley.ErrNotFound) {
				t.Errorf("%+v answered: %v", thief, err)
			}
			if _, err := hub.Get(t.Context(), thief, q.ID); !errors.Is(err, parley.ErrNotFound) {
				t.Errorf("%+v reads it: %v", thief, err)
			}
			if list, err := hub.List(t.Context(), thief, parley.Query{}); err == nil || len(list) != 0 {
				t.Errorf("%+v lists %v, %v", thief, list, err)
			}
		}
		if err := hub.Answer(t.Context(), parley.OwnerOf(q.Tenant, q.To), q.ID, parley.Answer{Action: parley.Accept}); err != nil {
			t.Errorf("its owner: %v", err)
		}
	}
}

func TestATenantIsANameOrTheTokenIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		reader parley.Claims
		claims map[string]any
		tenant string
		wrong  *parley.ClaimError
	}{
		"a name":                   {parley.Claims{}, map[string]any{"tenant": "acme"}, "acme", nil},
		"of another claim":         {parley.Claims{Tenant: "org"}, map[string]any{"org": "acme", "tenant": 7}, "acme", nil},
		"the default, said":        {parley.Claims{Required: true}, map[string]any{"tenant": "default"}, "default", nil},
		"missing":                  {parley.Claims{}, nil, "default", nil},
		"missing and required":     {parley.Claims{Required: true}, nil, "", &parley.ClaimError{Claim: "tenant", Reason: "is missing"}},
		"in other letters":         {parley.Claims{Required: true}, map[string]any{"Tenant": "acme"}, "", &parley.ClaimError{Claim: "tenant", Reason: "is missing"}},
		"a number":                 {parley.Claims{}, map[string]any{"tenant": 7.0}, "", &parley.ClaimError{Claim: "tenant", Reason: "is not a text"}},
		"null":                     {parley.Claims{}, map[string]any{"tenant": nil}, "", &parley.ClaimError{Claim: "tenant", Reason: "is not a text"}},
		"a list of one":            {parley.Claims{Tenant: "org"}, map[string]any{"org": []any{"acme"}}, "", &parley.ClaimError{Claim: "org", Reason: "is not a text"}},
		"empty":                    {parley.Claims{}, map[string]any{"tenant": ""}, "", &parley.ClaimError{Claim: "tenant", Reason: "is empty"}},
		"white space":              {parley.Claims{}, map[string]any{"tenant": "\u00a0"}, "", &parley.ClaimError{Claim: "tenant", Reason: "begins or ends with a space"}},
		"a control character":      {parley.Claims{}, map[string]any{"tenant": "a\x1bb"}, "", &parley.ClaimError{Claim: "tenant", Reason: "has characters that cannot be shown"}},
		"what was no text":         {parley.Claims{}, map[string]any{"tenant": "a\xffb"}, "", &parley.ClaimError{Claim: "tenant", Reason: "has characters that cannot be shown"}},
		"one byte too many":        {parley.Claims{}, map[string]any{"tenant": strings.Repeat("x", 513)}, "", &parley.ClaimError{Claim: "tenant", Reason: "has more than 512 bytes"}},
		"as long as it may be":     {parley.Claims{}, map[string]any{"tenant": strings.Repeat("x", 512)}, strings.Repeat("x", 512), nil},
		"the name of some session": {parley.Claims{}, map[string]any{"tenant": "mcp-session:x"}, "", &parley.ClaimError{Claim: "tenant", Reason: "is a name that no person can have"}},
	} {
		tenant, err := c.reader.TenantOf(c.claims)
		var wrong *parley.ClaimError
		_ = errors.As(err, &wrong)
		if tenant != c.tenant || !cmp.Equal(wrong, c.wrong) {
			t.Errorf("%s: %q, %v", name, tenant, err)
		}
	}
}

func TestAPersonIsTheSubOfTheirToken(t *testing.T) {
	got, err := parley.Claims{}.Person(map[string]any{"sub": "alice", "Sub": "bob", "tenant": "acme"}, "jwt")
	if want := (parley.Principal{Tenant: "acme", User: "alice", Method: "jwt"}); err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, sub := range []any{nil, 7, "", "a\nb", "mcp-call:x"} {
		if who, err := (parley.Claims{}).Person(map[string]any{"sub": sub}, "jwt"); err == nil || who != (parley.Principal{}) {
			t.Errorf("%v: %+v, %v", sub, who, err)
		}
	}
}

func TestWhatIsAProgramsIsStoredUnderItsKey(t *testing.T) {
	ci := parley.Principal{Tenant: "acme", Kind: parley.KindProgram, Key: "ci"}
	if got := parley.OwnerOf("acme", ci.Owner()); got != ci {
		t.Errorf("%q is read as %+v", ci.Owner(), got)
	}
	other := parley.Principal{Tenant: "acme", Kind: parley.KindProgram, Key: "deploy"}
	if ci.Owner() == other.Owner() {
		t.Error("two programs have one name")
	}
	for name, p := range map[string]parley.Principal{
		"a person of that name":   {User: ci.Owner()},
		"a session of that name":  {User: ci.Owner(), Kind: parley.KindSession},
		"a program with the name": {User: ci.Owner(), Kind: parley.KindProgram, Key: "ci"},
	} {
		if p.Validate() == nil {
			t.Errorf("%s is let in", name)
		}
	}
	if parley.ValidName(ci.Owner()) {
		t.Error("a person may be called like a program")
	}
	if got := (parley.Principal{Kind: parley.KindProgram}).Owner(); got != "" {
		t.Errorf("a service without a key has things, as %q", got)
	}
}

func TestAProgramIsAskedNothing(t *testing.T) {
	hub := parley.New(parley.NewMemoryStore(), nil)
	ci := parley.Principal{Kind: parley.KindProgram, Key: "ci"}
	if _, err := hub.Open(t.Context(), parley.Request{To: ci.Owner(), Message: "Go on?", Schema: json.RawMessage(`{"type":"object","properties":{"ok":{"type":"boolean"}}}`)}); !errors.Is(err, parley.ErrNoOwner) {
		t.Errorf("got %v", err)
	}
}

// What a key says of a person changes nothing of what is theirs.
func TestWhatIsAPersonsIsUnderTheirNameWhateverTheirKey(t *testing.T) {
	for want, p := range map[string]parley.Principal{
		"alice":                 {User: "alice", Key: "deploy"},
		"parley-program:deploy": {Kind: parley.KindProgram, Key: "deploy"},
		"":                      {Kind: parley.KindProgram},
	} {
		if got := p.Owner(); got != want {
			t.Errorf("%+v owns as %q, want %q", p, got, want)
		}
	}
}

func TestWhatAProgramBeginsIsOfAProgram(t *testing.T) {
	for name, c := range map[string]struct {
		who  parley.Principal
		want bool
	}{
		"a program":               {parley.Principal{Kind: parley.KindProgram, Key: "ci"}, true},
		"one without a key":       {parley.Principal{Kind: parley.KindProgram}, true},
		"its session":             {parley.Principal{User: "mcp-session:x", Kind: parley.KindSession, Key: "ci"}, true},
		"its call":                {parley.Principal{User: "mcp-call:x", Kind: parley.KindCall, Key: "ci"}, true},
		"nobody's session":        {parley.SessionPrincipal("", "x"), false},
		"nobody's call":           {parley.CallPrincipal("", "x"), false},
		"a person":                {parley.Principal{User: "alice"}, false},
		"a person known by a key": {parley.Principal{User: "alice", Key: "ci"}, false},
	} {
		if got := c.who.OfProgram(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestWhoCanHaveSomethingThatLasts(t *testing.T) {
	for name, c := range map[string]struct {
		who  parley.Principal
		acts bool
	}{
		"a person":                       {parley.Principal{User: "alice"}, true},
		"a program with a key":           {parley.Principal{Kind: parley.KindProgram, Key: "ci"}, true},
		"a program without one":          {parley.Principal{Kind: parley.KindProgram}, false},
		"nobody":                         {parley.Principal{}, false},
		"nobody with a key":              {parley.Principal{Key: "ci"}, false},
		"a session, of a program":        {parley.Principal{User: "mcp-session:1", Kind: parley.KindSession, Key: "ci"}, false},
		"a person named like a session":  {parley.Principal{User: "mcp-session:1"}, false},
		"a program that is a person too": {parley.Principal{User: "alice", Kind: parley.KindProgram, Key: "ci"}, false},
	} {
		if got := c.who.Acts(); got != c.acts {
			t.Errorf("%s: %v", name, got)
		}
	}
}
