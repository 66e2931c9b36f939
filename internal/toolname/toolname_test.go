package toolname_test

import (
	"testing"

	"github.com/parley-hq/parley/internal/toolname"
)

func itself(s toolname.Server) toolname.Server { return s }

func TestTheOperatorsServerOwnsWhatANameCanMean(t *testing.T) {
	all := []toolname.Server{
		{Name: "shop__x", Own: true}, {Name: "shop_", Own: true}, {Name: "till", Own: true}, {Name: "till__west", Own: true},
		{Name: "shop"}, {Name: "shop__west"}, {Name: "till__east"},
	}
	for name, want := range map[string][2]string{
		"shop__buy":          {"shop", "buy"},
		"shop__x__buy":       {"shop", "x__buy"},
		"shop___buy":         {"shop", "_buy"},
		"shop__west__buy":    {"shop__west", "buy"},
		"shop__west__":       {"shop", "west__"},
		"till__west__buy":    {"till__west", "buy"},
		"till__east__buy":    {"till__east", "buy"},
		"till__buy":          {"till", "buy"},
		"shop__":             {"", ""},
		"shop":               {"", ""},
		"":                   {"", ""},
		"somebody else__buy": {"", ""},
	} {
		owner, tool := toolname.Owner(name, all, itself)
		var got [2]string
		if owner >= 0 {
			got = [2]string{all[owner].Name, tool}
		}
		if got != want {
			t.Errorf("%s means %q, not %q", name, got, want)
		}
	}
}

func TestTheNamesOfPlainServersNeverMeet(t *testing.T) {
	names := []string{"shop", "shop_", "shop__x", "_shop", "sho", "__shop", "s_hop", "shop___", "x"}
	for name, want := range map[string]bool{"shop": true, "shop_": false, "shop__x": false, "_shop": true, "sho": true, "__shop": false, "s_hop": true, "shop___": false, "x": true} {
		if toolname.Plain(name) != want {
			t.Errorf("%s is plain: %t", name, !want)
		}
	}
	for _, a := range names {
		for _, b := range names {
			if a != b && toolname.Plain(a) && toolname.Plain(b) && toolname.Meet(a, b) {
				t.Errorf("%s meets %s", a, b)
			}
		}
	}
}

// What is joined is owned by its server where no other meets it.
func FuzzANameMeansTheServerThatItWasMadeOf(f *testing.F) {
	f.Add("shop", "buy", "shop__x")
	f.Add("shop_", "x", "shop")
	f.Add("shop", "__", "shop_")
	f.Fuzz(func(t *testing.T, server, tool, other string) {
		if server == other || tool == "" {
			t.Skip()
		}
		all := []toolname.Server{{Name: other, Own: true}, {Name: server}}
		if owner, own := toolname.Owner(toolname.Join(server, tool), all, itself); owner != 1 || own != tool {
			t.Errorf("%q of %q means %q of server %d", tool, server, own, owner)
		}
		if toolname.Plain(server) {
			if cut, rest := toolname.Cut(toolname.Join(server, tool)); cut != server || rest != tool {
				t.Errorf("%q of %q was cut into %q and %q", tool, server, cut, rest)
			}
		}
		if _, theirs := toolname.Within(other, toolname.Join(server, tool)); theirs && !toolname.Meet(server, other) {
			t.Errorf("%q and %q meet", server, other)
		}
	})
}
