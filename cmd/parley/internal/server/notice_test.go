package server_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/server"
)

// An operator learns which limit refuses people, and is not drowned in it.
func TestALimitThatRefusesSomebodyIsInTheLogOnce(t *testing.T) {
	for limit, c := range map[string]struct {
		at     surface
		bearer string
		of     string
	}{
		"sign_in":   {surfaces["sign-in page"], "", "of=192.0.2.1"},
		"anonymous": {surfaces["chat"], "", "of=192.0.2.1"},
		"failures":  {surfaces["chat"], "wrong", "of=192.0.2.1"},
		"person":    {surfaces["chat"], server.DevToken("alice"), `of="default alice"`},
		"tenant":    {surfaces["chat"], server.DevToken("alice"), "of=default"},
	} {
		s, log := built(t, forDevelopment+"store: \"memory:\"\nlimits: {"+limit+": "+slowly+"}\n")
		refused := 0
		for range 20 {
			var headers []string
			if c.bearer != "" {
				headers = []string{"Authorization", "Bearer " + c.bearer}
			}
			if w := asksAt(s, c.at, headers...); w.Code == http.StatusTooManyRequests {
				refused++
			}
		}
		want := `msg="limit reached" times=1 limit=` + limit + " " + c.of
		if said := log.String(); refused != 15 || strings.Count(said, "limit reached") != 1 || !strings.Contains(said, want) {
			t.Errorf("%s: %d refused\n%s", limit, refused, said)
		}
	}
}
