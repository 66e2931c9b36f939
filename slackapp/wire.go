package slackapp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"time"

	"github.com/slack-go/slack"
)

// What Slack sends, and how long it waits: three seconds. Only a record is written in that
// time, and for a modal it is read what was entered.
const (
	maxBody    = 1 << 20
	answerTime = 2500 * time.Millisecond
)

var (
	errSignature = errors.New("the signature is missing, wrong or too old")
	errBody      = errors.New("the body cannot be read")
)

// Handler serves EventsPath and InteractionsPath. A request without a signature that holds
// is given to stranger before it is refused: it reports whether it has answered it, such
// as where there are too many. Nil: all are refused alike.
func (a *App) Handler(stranger func(http.ResponseWriter, *http.Request) bool) http.Handler {
	mux := http.NewServeMux()
	for path, take := range map[string]func(http.ResponseWriter, *http.Request, []byte) error{EventsPath: a.takeEvent, InteractionsPath: a.takeInteraction} {
		mux.HandleFunc("POST "+path, func(w http.ResponseWriter, r *http.Request) {
			body, err := a.verified(w, r)
			if errors.Is(err, errSignature) && (stranger != nil && stranger(w, r) || a.confirm(w, r, body)) {
				return
			}
			if err == nil {
				err = take(w, r, body)
			}
			if err != nil {
				a.refuse(w, r, err)
			}
		})
	}
	return mux
}

// verified is the body of a request that Slack signed at most five minutes ago. Of one that
// says nothing of the kind it is not read; with errSignature it is a stranger's.
func (a *App) verified(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	verifier, err := slack.NewSecretsVerifier(r.Header, a.opts.SigningSecret.Reveal())
	if err != nil {
		return nil, errSignature
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		return nil, errBody
	}
	_, _ = verifier.Write(body)
	if verifier.Ensure() != nil {
		return body, errSignature
	}
	return body, nil
}

// challenge is what Slack's look like.
var challenge = regexp.MustCompile(`^[A-Za-z0-9_-]{1,128}$`)

// confirm answers Slack's question whether this is the right address, also where the
// signature does not hold: Slack asks it when the app is made, and only then tells the
// secret. Nothing else comes of it. It reports whether that was asked.
func (a *App) confirm(w http.ResponseWriter, r *http.Request, body []byte) bool {
	const most = 4 << 10
	var e envelope
	if r.URL.Path != EventsPath || len(body) > most || json.Unmarshal(body, &e) != nil || e.Type != "url_verification" || !challenge.MatchString(e.Challenge) {
		return false
	}
	a.opts.Logger.WarnContext(r.Context(), "slack's address is confirmed, and nothing else is taken: slack.signing_secret is not that of the app that asks")
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = io.WriteString(w, e.Challenge)
	return true
}

// envelope is what all events come in.
type envelope struct {
	Type      string          `json:"type"`
	Challenge string          `json:"challenge"`
	Team      string          `json:"team_id"`
	ID        string          `json:"event_id"`
	Time      int64           `json:"event_time"`
	Event     json.RawMessage `json:"event"`
}

// slackID is what the ids of Slack's look like.
var slackID = regexp.MustCompile(`^[A-Za-z0-9]{1,64}$`)

// takeEvent saves what happened. A retry finds its record.
func (a *App) takeEvent(w http.ResponseWriter, r *http.Request, body []byte) error {
	ctx, stop := context.WithTimeout(r.Context(), answerTime)
	defer stop()
	challenge, err := a.saveEvent(ctx, body)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = io.WriteString(w, challenge)
	return nil
}

// saveEvent makes a job of an event. Of a check whether this is the right address it
// returns what Slack wants to hear.
func (a *App) saveEvent(ctx context.Context, body []byte) (challenge string, err error) {
	var e envelope
	if err := json.Unmarshal(body, &e); err != nil {
		return "", errBody
	}
	switch e.Type {
	case "url_verification":
		return e.Challenge, nil
	case "event_callback":
	default: // nothing that is acted on
		return "", nil
	}
	if !slackID.MatchString(e.Team) || !slackID.MatchString(e.ID) || len(e.Event) == 0 {
		return "", errBody
	}
	by, ok := concerns(body, e)
	if !ok {
		return "", nil
	}
	return "", a.accept(ctx, jobsOf("event", account{e.Team, by})+e.ID, job{Kind: eventJob, Body: body})
}

// concerns reports whether an event is acted on, and whose message it is, if it is one. The
// app hears of its own messages too, and of every change of a name.
func concerns(body []byte, e envelope) (by string, ok bool) {
	if m, ok := messageOf(body); ok {
		return m.User, true
	}
	var in inner
	if json.Unmarshal(e.Event, &in) != nil {
		return "", false
	}
	_, ended := in.deactivated()
	return "", ended || in.uninstalls()
}

// takeInteraction saves a press of a button, and takes what was entered into a modal.
func (a *App) takeInteraction(w http.ResponseWriter, r *http.Request, body []byte) error {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	form, err := url.ParseQuery(string(body))
	if err != nil || kind != "application/x-www-form-urlencoded" {
		return errBody
	}
	ctx, stop := context.WithTimeout(r.Context(), answerTime)
	defer stop()
	said, err := a.saveInteraction(ctx, []byte(form.Get("payload")))
	if err != nil {
		return err
	}
	if said == nil {
		w.WriteHeader(http.StatusOK)
		return nil
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(said); err != nil {
		a.opts.Logger.DebugContext(r.Context(), "slack not answered", "err", err)
	}
	return nil
}

// saveInteraction makes a job of a press. What was entered into a modal is taken now: Slack
// shows what is wrong with it in its answer.
func (a *App) saveInteraction(ctx context.Context, payload []byte) (*slack.ViewSubmissionResponse, error) {
	var in slack.InteractionCallback
	if err := json.Unmarshal(payload, &in); err != nil || !slackID.MatchString(in.Team.ID) || !slackID.MatchString(in.User.ID) {
		return nil, errBody
	}
	if err := foreign(in.Team.ID, in.User.TeamID); err != nil {
		a.opts.Logger.InfoContext(ctx, "slack interaction refused", "team", in.Team.ID, "user", in.User.ID, "err", err)
		return nil, nil
	}
	switch in.Type {
	case slack.InteractionTypeViewSubmission:
		return a.submitted(ctx, in)
	case slack.InteractionTypeBlockActions:
		sum := sha256.Sum256(payload)
		return nil, a.accept(ctx, jobsOf("press", account{in.Team.ID, in.User.ID})+hex.EncodeToString(sum[:]), job{Kind: pressJob, Body: bytes.Clone(payload)})
	}
	return nil, nil
}

// errForeign says that somebody of another workspace is here, by a channel that both share.
var errForeign = errors.New("the user is of another workspace")

// foreign reports whether a user of one team is in another's place.
func foreign(team, userTeam string) error {
	if userTeam != "" && userTeam != team {
		return errForeign
	}
	return nil
}

// refuse answers what is not taken.
func (a *App) refuse(w http.ResponseWriter, r *http.Request, err error) {
	status, said := http.StatusServiceUnavailable, "Try again shortly."
	switch {
	case errors.Is(err, errSignature):
		status, said = http.StatusUnauthorized, errSignature.Error()
	case errors.Is(err, errBody):
		status, said = http.StatusBadRequest, errBody.Error()
	}
	a.opts.Logger.WarnContext(r.Context(), "slack request refused", "path", r.URL.Path, "status", status, "err", err)
	http.Error(w, said, status)
}
