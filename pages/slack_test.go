package pages_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/pages"
)

// cards knows whose questions are on one card.
type cards struct {
	pages.Slack
	own map[string]parley.ID
}

// Question implements pages.Slack.
func (c cards) Question(_ context.Context, by parley.Principal, _ parley.ID) (parley.ID, error) {
	if id, ok := c.own[by.User]; ok {
		return id, nil
	}
	return "", parley.ErrNotFound
}

// TestACardForSeveralLeadsEachToTheirOwnQuestion: who is signed in decides, and nobody else
// learns that there is one.
func TestACardForSeveralLeadsEachToTheirOwnQuestion(t *testing.T) {
	of := cards{own: map[string]parley.ID{"bob": parley.NewID(), "carol": parley.NewID()}}
	s := newSite(t, local, func(_ *site, o *pages.Options) { o.Slack = of })
	on := pages.SlackQuestionPath + string(of.own["carol"])
	for user, own := range of.own {
		if got := s.as(user).get(on).want(http.StatusSeeOther).Header.Get("Location"); got != "/answer/"+string(own) {
			t.Errorf("%s is led to %s", user, got)
		}
	}
	s.as("mallory").get(on).want(http.StatusNotFound)
	s.as("bob").get(pages.SlackQuestionPath + "no-id").want(http.StatusNotFound)
	s.browser().get(on).want(http.StatusSeeOther) // to sign in
}
