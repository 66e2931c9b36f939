package pages_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/pages"
)

func TestWhoSignsInAndOutIsRecordedOrIsNot(t *testing.T) {
	var told []string
	var away error
	s := newSite(t, local, func(_ *site, o *pages.Options) {
		o.Record = func(_ context.Context, d parley.Deed) error {
			told = append(told, d.What+" "+d.By+" "+d.Via)
			return away
		}
	})
	b := s.browser()
	away = errors.New("the store is away")
	if a := b.post("/login", url.Values{"user": {"alice"}}); a.StatusCode < http.StatusInternalServerError {
		t.Errorf("status %d", a.StatusCode)
	}
	b.get("/login").lacks("You are signed in")
	away, told = nil, nil
	b.post("/login", url.Values{"user": {"alice"}}).leads("/login")
	b.get("/login").says("You are signed in as alice")
	b.post("/logout", nil).leads("/logout")
	b.post("/logout", nil).leads("/logout") // nobody is there any more
	if want := []string{"sign_in alice dev", "sign_out alice dev"}; !slices.Equal(told, want) {
		t.Errorf("%q", told)
	}
}
