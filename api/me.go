package api

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/notify"
	"github.com/parley-hq/parley/outbound"
)

// Notices is how people are told of questions. *notify.Outbox is one.
type Notices interface {
	Person(ctx context.Context, tenant, user string) (notify.Person, error)
	Choose(ctx context.Context, who parley.Principal, choices []notify.Choice) error
	SetAbsence(ctx context.Context, who parley.Principal, a *notify.Absence) error
	Browsers
}

// Browsers are where people are told by web push, and that they look themselves.
type Browsers interface {
	PushKey(ctx context.Context) (string, error)
	Subscribe(ctx context.Context, who parley.Principal, s notify.Subscription) (notify.Subscription, error)
	Unsubscribe(ctx context.Context, who parley.Principal, id string) error
	Test(ctx context.Context, who parley.Principal, id string) error
	Looking(ctx context.Context, who parley.Principal, session string) error
}

// channelWire is one way to tell the caller of a question.
type channelWire struct {
	Channel string `json:"channel" maxLength:"80" example:"web_push" doc:"web_push, email, or webhook: and a name."`
	After   int64  `json:"after" minimum:"0" maximum:"2592000" doc:"Seconds from opening, while nobody looks at the question."`
	Off     bool   `json:"off,omitempty" doc:"Not by this one."`
}

// browserWire is a browser that shows notifications. Its keys stay here.
type browserWire struct {
	ID        string     `json:"id"`
	Label     string     `json:"label,omitempty"`
	CreatedAt *time.Time `json:"created_at,omitempty"`
}

// absenceWire is a time in which the caller is away.
type absenceWire struct {
	From  time.Time `json:"from"`
	Until time.Time `json:"until"`
}

// reachWire is how the caller is told of questions.
type reachWire struct {
	Channels []channelWire `json:"channels" nullable:"false" doc:"All that there are, in the order of the caller."`
	Email    string        `json:"email,omitempty" doc:"Where letters go: of the configuration, or of the last sign-in that had a verified one."`
	Browsers []browserWire `json:"push_subscriptions" nullable:"false"`
	Absence  *absenceWire  `json:"absence,omitempty"`
	Deputy   string        `json:"deputy,omitempty" doc:"Who is asked too while the caller is absent. The configuration names them."`
}

func (a *API) meRoutes(to *huma.OpenAPI) {
	if a.opts.Notices == nil {
		return
	}
	const tag, channels, subscriptions = "me", "/api/me/channels", "/api/me/push-subscriptions"
	mine := func(id, summary, method, path string, errors ...int) operation {
		return operation{id: id, tag: tag, summary: summary, method: method, path: path, who: people, errors: errors}
	}
	add(a, to, mine("get-channels", "How you are told of questions that you do not look at", http.MethodGet, channels), a.getChannels)
	add(a, to, mine("choose-channels", "Choose your channels: order, on or off, and after how long", http.MethodPut, channels), a.chooseChannels)
	add(a, to, mine("get-push-key", "The key that a browser subscribes with", http.MethodGet, "/api/me/push-key", http.StatusNotFound), a.getPushKey)
	subscribe := mine("subscribe", "Have this browser show notifications", http.MethodPost, subscriptions, http.StatusNotFound)
	subscribe.status = http.StatusCreated
	add(a, to, subscribe, a.subscribe)
	add(a, to, mine("unsubscribe", "Have a browser show none", http.MethodDelete, subscriptions+"/{id}", http.StatusNotFound), a.unsubscribe)
	test := mine("test-push", "Have a browser show a notification now, to see whether it arrives", http.MethodPost, subscriptions+"/{id}/test", http.StatusNotFound, http.StatusBadGateway)
	add(a, to, test, a.testPush)
	add(a, to, mine("set-absence", "Say when you are away", http.MethodPut, "/api/me/absence"), a.setAbsence)
	add(a, to, mine("remove-absence", "Say that you are there", http.MethodDelete, "/api/me/absence"), a.removeAbsence)
	look := mine("look", "Say that you see your questions for the next 30 seconds, so that nobody notifies you", http.MethodPost, "/api/me/looking")
	look.quiet = true
	add(a, to, look, a.look)
}

func (a *API) getChannels(ctx context.Context, c Caller, _ *nothing) (*answer[reachWire], error) {
	p, err := a.opts.Notices.Person(ctx, c.tenant(), c.User)
	if err != nil {
		return nil, err
	}
	shown := reachWire{Channels: []channelWire{}, Browsers: []browserWire{}, Email: p.Email, Deputy: p.Deputy}
	for _, one := range p.Choices {
		shown.Channels = append(shown.Channels, channelWire{one.Channel, int64(one.After / time.Second), one.Off})
	}
	for _, b := range p.Browsers {
		shown.Browsers = append(shown.Browsers, browserWire{b.ID, b.Label, moment(b.Created)})
	}
	if p.Absent != nil {
		shown.Absence = &absenceWire{p.Absent.From, p.Absent.Until}
	}
	return &answer[reachWire]{shown}, nil
}

func (a *API) chooseChannels(ctx context.Context, c Caller, in *struct {
	Body struct {
		Channels []channelWire `json:"channels" nullable:"false" maxItems:"50"`
	}
}) (*answer[reachWire], error) {
	var choices []notify.Choice
	for _, one := range in.Body.Channels {
		choices = append(choices, notify.Choice{Channel: one.Channel, After: time.Duration(one.After) * time.Second, Off: one.Off})
	}
	if err := a.opts.Notices.Choose(ctx, c.Principal, choices); err != nil {
		return nil, wish("body.channels", err)
	}
	return a.getChannels(ctx, c, nil)
}

func (a *API) getPushKey(ctx context.Context, _ Caller, _ *nothing) (*answer[pushKeyWire], error) {
	key, err := a.opts.Notices.PushKey(ctx)
	if err != nil {
		return nil, wish("", err)
	}
	return &answer[pushKeyWire]{pushKeyWire{key}}, nil
}

type pushKeyWire struct {
	Key string `json:"key" doc:"applicationServerKey of PushManager.subscribe, base64url."`
}

// subscriptionInput is what a browser's PushSubscription says.
type subscriptionInput struct {
	Endpoint string `json:"endpoint" maxLength:"1024"`
	Key      string `json:"key" maxLength:"200" doc:"keys.p256dh of the subscription."`
	Auth     string `json:"auth" maxLength:"100" doc:"keys.auth of the subscription."`
	Label    string `json:"label,omitempty" maxLength:"100" doc:"How you call this browser."`
}

func (a *API) subscribe(ctx context.Context, c Caller, in *struct{ Body subscriptionInput }) (*created[browserWire], error) {
	s, err := a.opts.Notices.Subscribe(ctx, c.Principal, notify.Subscription{
		Endpoint: in.Body.Endpoint, P256DH: in.Body.Key, Auth: in.Body.Auth, Label: in.Body.Label,
	})
	if err != nil {
		return nil, wish("body", err)
	}
	return &created[browserWire]{Location: "/api/me/push-subscriptions/" + s.ID, Body: browserWire{s.ID, s.Label, moment(s.Created)}}, nil
}

func (a *API) unsubscribe(ctx context.Context, c Caller, in *struct {
	ID string `path:"id" maxLength:"64"`
}) (*nothing, error) {
	return nil, a.opts.Notices.Unsubscribe(ctx, c.Principal, in.ID)
}

func (a *API) testPush(ctx context.Context, c Caller, in *struct {
	ID string `path:"id" maxLength:"64"`
}) (*nothing, error) {
	if wait, ok := a.tests.Take(c.Tenant + "\x00" + c.User); !ok {
		return nil, later(wait, "You have tried this often just now. Wait a moment before you try again.")
	}
	return nil, wish("", a.opts.Notices.Test(ctx, c.Principal, in.ID))
}

func (a *API) setAbsence(ctx context.Context, c Caller, in *struct{ Body absenceWire }) (*nothing, error) {
	return nil, wish("body", a.opts.Notices.SetAbsence(ctx, c.Principal, &notify.Absence{From: in.Body.From.UTC(), Until: in.Body.Until.UTC()}))
}

func (a *API) removeAbsence(ctx context.Context, c Caller, _ *nothing) (*nothing, error) {
	return nil, a.opts.Notices.SetAbsence(ctx, c.Principal, nil)
}

func (a *API) look(ctx context.Context, c Caller, in *struct {
	Body struct {
		Session string `json:"session,omitempty" maxLength:"512" doc:"Only those of this conversation."`
	}
}) (*nothing, error) {
	return nil, a.opts.Notices.Looking(ctx, c.Principal, in.Body.Session)
}

// wish explains what a person cannot have.
func wish(at string, err error) error {
	switch {
	case errors.Is(err, notify.ErrNoChannel):
		return problem(http.StatusNotFound, "This server sends no push notifications.")
	case errors.Is(err, notify.ErrUnreached):
		return problem(http.StatusBadGateway, "The push service of this browser did not take the message. Try again in a minute; if it stays so, turn notifications off and on in that browser.")
	case errors.Is(err, outbound.ErrForbidden):
		return invalid(at, "push services are reached by https at public addresses")
	case errors.Is(err, notify.ErrChoice), errors.Is(err, notify.ErrSubscription):
		return invalid(at, err.Error())
	}
	return err
}
