package userinfo_test

import (
	"testing"

	"github.com/parley-hq/parley/internal/userinfo"
)

func TestAPasswordThatEndsEarlyIsFound(t *testing.T) {
	for address, want := range map[string][2]bool{ // by the last @, by the first
		"db://u:hunter2@host/db":                           {false, false},
		"db://u:hunt%40er2@host:1,other:2/db?a=b&user=x@y": {false, false},
		"db://host/db?user=a@b&password=c@d":               {false, false},
		"https://host/@scope/name":                         {false, false},
		"db://u:hunt@er2@host/db":                          {false, true},
		"db://u:12?x@host/db":                              {true, false},
		"db://u:12#x@host/db":                              {true, false},
		"db://u:12/x@host/db":                              {true, true},
		"db://u:a@12/x@host/db":                            {true, true},
		"db://u:a@b?x=y@host/db":                           {false, true},
		"db://u:1/2?3@host/db":                             {true, true},
		"db://u:1/2?3=4#5@host/db":                         {true, true},
		"host=db password=hunt@er2":                        {false, false},
		"":                                                 {false, false},
	} {
		if got := [2]bool{userinfo.Spills(address, userinfo.Last), userinfo.Spills(address, userinfo.First)}; got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}
