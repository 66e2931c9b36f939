package pages

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/legible"
)

// Where people link their Slack accounts, where a card for several leads each of them, and
// where administrators install the app.
const (
	SlackLinkPath     = "/slack/link"
	SlackQuestionPath = "/slack/question/" // and the id of one of the questions
	SlackInstallPath  = "/slack/install"
	slackOAuthPath    = "/slack/oauth"
)

// Slack is the app in Slack. What people should know of its errors is a *NoticeError.
type Slack interface {
	// Look returns what a link asks of who is signed in.
	Look(ctx context.Context, token string, by parley.Principal) (SlackWish, error)
	// Decide links the Slack user of a link to who is signed in, or refuses it.
	Decide(ctx context.Context, token string, by parley.Principal, allow bool) error
	// Accounts are the Slack users that are linked to a person.
	Accounts(ctx context.Context, by parley.Principal) ([]SlackAccount, error)
	// Unlink ends the link of one of them.
	Unlink(ctx context.Context, by parley.Principal, account SlackAccount) error
	// Question is a person's own question on a card, which may name that of another who is
	// asked the same. parley.ErrNotFound.
	Question(ctx context.Context, by parley.Principal, on parley.ID) (parley.ID, error)

	SlackInstaller
}

// SlackInstaller installs the app in a workspace. What began in one browser ends there.
type SlackInstaller interface {
	Install(by parley.Principal, browser string) (to string, err error)
	Installed(ctx context.Context, by parley.Principal, browser string, query url.Values) (workspace string, err error)
}

// SlackWish is a Slack user who wants to be linked to somebody.
type SlackWish struct {
	SlackAccount
	Asked time.Time
}

// SlackAccount is a Slack user.
type SlackAccount struct {
	Team, User string // their ids
	Workspace  string // its name
	Name       string // what the user is called, or was when it was linked: anything; it may be empty
}

// NoticeError is an error that people are shown as a notice.
type NoticeError struct {
	Notice
	Cause error
}

func (e *NoticeError) Error() string { return e.Sentence }

func (e *NoticeError) Unwrap() error { return e.Cause }

// slackWishView asks whether somebody is the Slack user of a link.
type slackWishView struct {
	Token     string
	Workspace string
	Team      string
	Name      string // its own words
	User      string
	Asked     timeView
	As        string // whom the page was shown to
}

// slackAccountsView are the accounts that are linked, after what was done.
type slackAccountsView struct {
	Done     string
	Accounts []SlackAccount
	As       string
}

// slackDoneView says how it ended.
type slackDoneView struct{ Sentence string }

// showSlackLink shows what a link asks; without one, what is linked. A link decides
// nothing: whoever sent it may be at the other end.
func (p *Pages) showSlackLink(w http.ResponseWriter, r *http.Request) {
	s, ok := p.signedIn(w, r)
	if !ok {
		return
	}
	token := r.URL.Query().Get("token")
	if token == "" {
		p.showSlackAccounts(w, r, s, "")
		return
	}
	wish, err := p.opts.Slack.Look(r.Context(), token, s.principal())
	if err != nil {
		p.failSlack(w, r, s, err)
		return
	}
	p.render(w, r, page{Heading: "Is this you in Slack?", who: &s, Body: slackWishView{
		Token: token, Workspace: legible.Line(wish.Workspace), Team: wish.Team, Name: legible.Line(wish.Name), User: wish.User,
		Asked: viewTime(wish.Asked), As: boundTo(s),
	}})
}

func (p *Pages) showSlackAccounts(w http.ResponseWriter, r *http.Request, s session, done string) {
	all, err := p.opts.Slack.Accounts(r.Context(), s.principal())
	if err != nil {
		p.failSlack(w, r, s, err)
		return
	}
	p.render(w, r, page{Heading: "Your Slack accounts", who: &s, Body: slackAccountsView{Done: done, Accounts: all, As: boundTo(s)}})
}

// takeSlackLink takes the decision of who is signed in, if the page was shown to them.
func (p *Pages) takeSlackLink(w http.ResponseWriter, r *http.Request) {
	s, ok := p.signedIn(w, r)
	if !ok {
		return
	}
	if err := readForm(w, r); err != nil {
		p.fail(w, r, err)
		return
	}
	token, decision := r.PostForm.Get("token"), r.PostForm.Get("decision")
	again := SlackLinkPath
	if token != "" {
		again += "?" + url.Values{"token": {token}}.Encode()
	}
	if !p.shownTo(w, r, s, again) {
		return
	}
	switch decision {
	case "allow", "deny":
		p.decideSlack(w, r, s, token, decision == "allow")
	case "unlink":
		team, user, _ := strings.Cut(r.PostForm.Get("account"), "/")
		if err := p.opts.Slack.Unlink(r.Context(), s.principal(), SlackAccount{Team: team, User: user}); err != nil {
			p.failSlack(w, r, s, err)
			return
		}
		p.showSlackAccounts(w, r, s, "That account is no longer linked.")
	default:
		p.fail(w, r, &refusal{
			status: http.StatusBadRequest, heading: "That could not be read", again: localPath(again),
			sentence: "It is not clear what you chose. Look again, and use the buttons of the page.",
		})
	}
}

// findSlackQuestion leads somebody who follows the link of a card to their own question.
func (p *Pages) findSlackQuestion(w http.ResponseWriter, r *http.Request) {
	s, ok := p.signedIn(w, r)
	if !ok {
		return
	}
	id := parley.ID(r.PathValue("id"))
	err := parley.ErrNotFound
	if id.Valid() {
		id, err = p.opts.Slack.Question(r.Context(), s.principal(), id)
	}
	if err != nil {
		p.failQuestion(w, r, s, err)
		return
	}
	http.Redirect(w, r, "/answer/"+string(id), http.StatusSeeOther)
}

func (p *Pages) decideSlack(w http.ResponseWriter, r *http.Request, s session, token string, allow bool) {
	if err := p.opts.Slack.Decide(r.Context(), token, s.principal(), allow); err != nil {
		p.failSlack(w, r, s, err)
		return
	}
	shown := page{Heading: "Refused", who: &s, Body: slackDoneView{"Nothing was linked."}}
	if allow {
		shown.Heading, shown.Body = "Your Slack account is linked", slackDoneView{"What you wrote there goes on now. Go back to Slack."}
	}
	p.render(w, r, shown)
}

// startSlackInstall sends an administrator to Slack.
func (p *Pages) startSlackInstall(w http.ResponseWriter, r *http.Request) {
	s, ok := p.signedIn(w, r)
	if !ok || !p.administersSlack(w, r, s) {
		return
	}
	to, err := p.opts.Slack.Install(s.principal(), browserOf(s))
	if err != nil {
		p.failSlack(w, r, s, err)
		return
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// takeSlackInstall takes an administrator back from Slack. The code does not go by way of
// the sign-in page.
func (p *Pages) takeSlackInstall(w http.ResponseWriter, r *http.Request) {
	s, err := p.session(r)
	if errors.Is(err, ErrNotSignedIn) {
		err = &refusal{
			status: http.StatusUnauthorized, heading: "You are not signed in", again: "/login",
			sentence: "Nobody is signed in in this browser, so nothing was installed. Sign in, then start again at " + SlackInstallPath + ".",
		}
	}
	if err != nil {
		p.fail(w, r, err)
		return
	}
	if !p.administersSlack(w, r, s) {
		return
	}
	name, err := p.opts.Slack.Installed(r.Context(), s.principal(), browserOf(s), r.URL.Query())
	if err != nil {
		p.failSlack(w, r, s, err)
		return
	}
	p.render(w, r, page{Heading: "Installed in Slack", who: &s, Body: slackDoneView{
		"The app is in the workspace “" + legible.Line(name) + "” now. People there can mention it, or write to it.",
	}})
}

// administersSlack refuses who does not manage their tenant.
func (p *Pages) administersSlack(w http.ResponseWriter, r *http.Request, s session) bool {
	if p.opts.Administers != nil && p.opts.Administers(s.principal()) {
		return true
	}
	p.fail(w, r, &refusal{
		status: http.StatusForbidden, heading: "For administrators",
		sentence: "Only who manages this organization installs the app in Slack. Ask one of them.",
	})
	return false
}

// browserOf names the browser of a session, without its key.
func browserOf(s session) string {
	sum := sha256.Sum256([]byte("slack install\x00" + s.key))
	return hex.EncodeToString(sum[:])
}

// failSlack shows what the app says of a link or an installation.
func (p *Pages) failSlack(w http.ResponseWriter, r *http.Request, s session, err error) {
	var known *NoticeError
	if !errors.As(err, &known) {
		p.fail(w, r, err)
		return
	}
	level := slog.LevelInfo
	if known.Status >= http.StatusInternalServerError { // not what whoever is there could mend
		level = slog.LevelWarn
	}
	p.opts.Logger.Log(r.Context(), level, "slack page refused", "path", r.URL.Path, "status", known.Status, "err", known.Cause)
	p.render(w, r, page{status: known.Status, Heading: known.Heading, who: &s, Body: failureView{Sentence: known.Sentence}})
}
