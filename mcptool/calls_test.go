package mcptool

import (
	"testing"

	"github.com/parley-hq/parley"
)

func TestPeopleAndProgramsCountForThemselvesAndOthersByTheirTenant(t *testing.T) {
	shares := map[string]string{}
	for name, who := range map[string]parley.Principal{
		"a person":                       {User: "ci"},
		"of that name in another tenant": {Tenant: "acme", User: "ci"},
		"a program":                      {Kind: parley.KindProgram, Key: "ci"},
		"of that key in another tenant":  {Tenant: "acme", Kind: parley.KindProgram, Key: "ci"},
		"nobody":                         {Kind: parley.KindCall},
		"nobody in another tenant":       {Tenant: "acme", Kind: parley.KindCall},
	} {
		key, _ := shareOf(who)
		if other, taken := shares[key]; taken {
			t.Errorf("%s counts with %s", name, other)
		}
		shares[key] = name
	}
	for name, same := range map[string][2]parley.Principal{
		"sessions of nobody":        {parley.SessionPrincipal("", "a"), parley.SessionPrincipal("default", "b")},
		"a session and a call":      {parley.SessionPrincipal("acme", "a"), parley.CallPrincipal("acme", "b")},
		"a program and its session": {{Kind: parley.KindProgram, Key: "ci"}, {User: "mcp-session:a", Kind: parley.KindSession, Key: "ci"}},
	} {
		one, known := shareOf(same[0])
		if other, also := shareOf(same[1]); one != other || known != also {
			t.Errorf("%s count apart", name)
		}
	}
}
