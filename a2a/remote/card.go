package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/a2a/v03"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/outbound"
)

// Limits of cards.
const (
	cardPath  = "/.well-known/agent-card.json"
	maxCard   = 256 << 10
	cardTime  = 15 * time.Second
	cardFresh = 5 * time.Minute // after which it is read again
	maxFaces  = 32              // interfaces of a card
)

// known is a card that was read, as far as it is believed.
type known struct {
	card *a2a.AgentCard
	face *a2a.AgentInterface // where the agent is spoken to
	asks bool                // it speaks the extension for questions
	read time.Time
}

// legacy reports whether the agent speaks 0.3.
func (k *known) legacy() bool { return strings.HasPrefix(string(k.face.ProtocolVersion), "0.") }

// fresh reports whether the card needs not be read again yet.
func (k *known) fresh() bool { return k != nil && time.Since(k.read) < cardFresh }

// fetchCard reads the card, once.
func (r *Remote) fetchCard(ctx context.Context) (*known, error) {
	at := r.base
	if !strings.HasSuffix(at.Path, ".json") {
		at = at.JoinPath(cardPath)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("A2A-Version", string(a2a.Version)) // some serve no card to who does not say
	client := &http.Client{Transport: r.opts.Cards, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		if errors.Is(err, outbound.ErrForbidden) {
			return nil, r.failed(err, "is at an address that may not be called from here. Tell the administrator.")
		}
		return nil, r.notSent(fmt.Errorf("%w: %w", mcpclient.ErrUnreachable, withoutAddress(err)))
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, r.notSent(&mcpclient.StatusError{Code: resp.StatusCode})
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxCard+1))
	switch {
	case err != nil:
		return nil, r.notSent(fmt.Errorf("%w: %w", mcpclient.ErrUnreachable, err))
	case len(body) > maxCard:
		return nil, r.failed(nil, "has a card of more than %d KiB, which is not taken; the task was not sent.", maxCard>>10)
	}
	return r.judge(body)
}

// notSent says that a task never was on its way.
func (r *Remote) notSent(err error) error {
	return &agent.PublicError{Text: mcpcall.Unsent(err, r.opts.Title), Cause: err}
}

// judge decides what of a card is believed. What it says of other places is not: the
// person's credential would go there.
func (r *Remote) judge(body []byte) (*known, error) {
	card, err := readCard(body)
	if err != nil {
		return nil, r.failed(err, "has a card that cannot be read (%s); the task was not sent.", cut(err.Error()))
	}
	k := &known{card: card, read: time.Now()}
	for _, e := range card.Capabilities.Extensions {
		k.asks = k.asks || e.URI == elicitation.URI
		if e.Required && e.URI != elicitation.URI {
			return nil, r.failed(nil, "requires an extension of A2A that is not spoken here (%.200q); the task was not sent.", e.URI)
		}
	}
	var elsewhere, others []string
	astray := false
	for _, face := range card.SupportedInterfaces[:min(len(card.SupportedInterfaces), maxFaces)] {
		u, err := url.Parse(face.URL)
		switch {
		case err != nil || u.Scheme != r.base.Scheme || u.Host != r.base.Host || u.User != nil:
			elsewhere = append(elsewhere, hostOf(u))
		case strays(u.Path) || face.Tenant != "" && !tenantForm.MatchString(face.Tenant):
			astray = true
		case !speakable(face):
			others = append(others, fmt.Sprintf("%.20s %.20s", face.ProtocolBinding, face.ProtocolVersion))
		case k.face == nil || k.legacy() && !strings.HasPrefix(string(face.ProtocolVersion), "0."):
			k.face = face
		}
	}
	switch {
	case k.face != nil:
	case len(elsewhere) > 0:
		return nil, r.failed(nil, "has a card that sends its callers to another host (%s); the task was not sent. If that is right, tell the administrator to name that host.", some(elsewhere))
	case astray:
		return nil, r.failed(nil, "has a card that leads astray: with .. in a path, or a tenant that is no plain name; the task was not sent.")
	case len(others) > 0:
		return nil, r.failed(nil, "speaks nothing that is spoken here: its card offers %s; the task was not sent.", some(others))
	default:
		return nil, r.failed(nil, "has a card that does not say where it is spoken to; the task was not sent.")
	}
	if r.opts.Access == nil && asksForCredential(card) {
		setting := "agents." + r.opts.Name + ".auth"
		if r.opts.Tenant != "" {
			setting = "auth with PATCH /api/servers/" + r.opts.Name
		}
		return nil, r.failed(nil, "asks in its card for a credential (%s), and none is set up for it here; the task was not sent. Tell the administrator to set %s.",
			some(schemes(card)), setting)
	}
	return k, nil
}

// tenantForm is that of tenants, which become parts of paths.
var tenantForm = regexp.MustCompile(`^[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,99}$`)

// strays reports whether a path leads elsewhere than it reads.
func strays(path string) bool {
	return strings.Contains(path, `\`) || slices.ContainsFunc(strings.Split(path, "/"), func(s string) bool { return s == "." || s == ".." })
}

// some are a few of many names, and how many more there are.
func some(names []string) string {
	const few = 3
	slices.Sort(names)
	if names = slices.Compact(names); len(names) > few {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
	}
	return strings.Join(names, ", ")
}

// readCard reads a card of 1.0 or 0.3.
func readCard(body []byte) (*a2a.AgentCard, error) {
	var shape struct {
		SupportedInterfaces []json.RawMessage `json:"supportedInterfaces"`
		URL                 string            `json:"url"`
	}
	if err := json.Unmarshal(body, &shape); err != nil {
		return nil, err
	}
	if len(shape.SupportedInterfaces) == 0 && shape.URL != "" {
		return oldCard(body)
	}
	var card a2a.AgentCard
	plain, err := plainScopes(body)
	if err == nil {
		err = json.Unmarshal(plain, &card)
	}
	if err != nil {
		if shape.URL != "" {
			return oldCard(body) // one for both versions
		}
		return nil, err
	}
	card.SupportedInterfaces = slices.DeleteFunc(card.SupportedInterfaces, func(f *a2a.AgentInterface) bool { return f == nil })
	return &card, nil
}

// speakable reports whether an interface has a version and a binding of ours.
func speakable(face *a2a.AgentInterface) bool {
	version := string(face.ProtocolVersion)
	if version == "1" || strings.HasPrefix(version, "1.") {
		return face.ProtocolBinding == a2a.TransportProtocolJSONRPC || face.ProtocolBinding == a2a.TransportProtocolHTTPJSON
	}
	return (version == string(v03.Version) || strings.HasPrefix(version, string(v03.Version)+".")) && face.ProtocolBinding == a2a.TransportProtocolJSONRPC
}

func hostOf(u *url.URL) string {
	if u == nil || u.Host == "" {
		return "an address that is none"
	}
	return fmt.Sprintf("%.100s", u.Host)
}

// asksForCredential reports whether no alternative of a card's does without one.
func asksForCredential(card *a2a.AgentCard) bool {
	return len(card.SecurityRequirements) > 0 && !slices.ContainsFunc(card.SecurityRequirements, func(r a2a.SecurityRequirements) bool { return len(r) == 0 })
}

func schemes(card *a2a.AgentCard) []string {
	var all []string
	for _, alternative := range card.SecurityRequirements {
		for name := range alternative {
			all = append(all, fmt.Sprintf("%.50s", name))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// withoutAddress is an error without the URL: a query may hold a secret.
func withoutAddress(err error) error {
	var where *url.Error
	if errors.As(err, &where) {
		return where.Err
	}
	return err
}

// Reach reads the agent's card, and says why it cannot be used.
func (r *Remote) Reach(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, cardTime)
	defer cancel()
	_, err := r.fetchCard(ctx)
	return err
}
