package notify

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/parley-hq/parley"
)

// The channels. A webhook is named by "webhook:" and its name.
const (
	WebPush       = "web_push"
	Email         = "email"
	webhookPrefix = "webhook:"
)

// Callbacks is what attempts to tell programs of outcomes are called, in the log and by
// Options.Failed. It is no channel that a person can choose.
const Callbacks = "callback"

// WebhookChannel is the channel of the webhook of that name.
func WebhookChannel(name string) string { return webhookPrefix + name }

// Choice is one channel as a person wants it.
type Choice struct {
	Channel string        `json:"channel"`
	After   time.Duration `json:"after"` // from opening, while nobody looks at the question
	Off     bool          `json:"off,omitempty"`
}

// Absence is a time in which a person's deputy is asked too.
type Absence struct {
	From  time.Time `json:"from"`
	Until time.Time `json:"until"`
}

func (a *Absence) covers(t time.Time) bool {
	return a != nil && !t.Before(a.From) && t.Before(a.Until)
}

// Known is what the operator says about a person.
type Known struct {
	Tenant, User string // no tenant: the default one
	Email        string
	Deputy       string // who is asked too while the person is absent. Nobody names their own: it is the right to approve
	Absent       *Absence
}

// Person is what is known about how to reach somebody.
type Person struct {
	Email    string   // the operator's word, or else of a verified sign-in; empty: none
	Choices  []Choice // every channel there is, in the person's order, without messengers that they are not in
	Absent   *Absence // nil: they are there
	Deputy   string   // empty: none
	Browsers []Subscription

	Addresses map[string][]string // of the messengers that reach them
}

// personKind is the kind of the record that holds what a person has chosen, and
// the addresses at which they were found.
const personKind = "notify_person"

// storedPerson is a person as the record has them.
type storedPerson struct {
	Email    string         `json:"email,omitempty"` // of the last sign-in that had a verified one
	Choices  []Choice       `json:"choices,omitempty"`
	Absent   *Absence       `json:"absent,omitempty"`
	Browsers []Subscription `json:"browsers,omitempty"`
}

// Bounds of what a person may keep.
const (
	maxBrowsers = 20
	maxAfter    = 30 * 24 * time.Hour
	maxAbsence  = 366 * 24 * time.Hour
)

// ErrChoice says that what a person wants cannot be.
var ErrChoice = errors.New("not possible")

func personAt(tenant, user string) parley.Address {
	return parley.Address{Tenant: cmp.Or(tenant, parley.DefaultTenant), Kind: personKind, Key: user}
}

// Person returns how somebody is reached.
func (o *Outbox) Person(ctx context.Context, tenant, user string) (Person, error) {
	stored, err := o.loadPerson(ctx, tenant, user)
	if err != nil {
		return Person{}, err
	}
	known := o.people[personAt(tenant, user)]
	p := Person{
		Email: cmp.Or(known.Email, stored.Email), Choices: o.choices(tenant, stored.Choices), Absent: stored.Absent, Deputy: known.Deputy, Browsers: stored.Browsers,
	}
	p.Addresses = o.addresses(ctx, tenant, user)
	p.Choices = slices.DeleteFunc(p.Choices, func(c Choice) bool { // they can do nothing about it here
		return o.opts.Messengers[c.Channel] != nil && len(p.Addresses[c.Channel]) == 0
	})
	if p.Absent == nil {
		p.Absent = known.Absent
	}
	return p, nil
}

// Deputy is who stands in for somebody just now; empty: nobody.
func (o *Outbox) Deputy(ctx context.Context, tenant, user string) (string, error) {
	p, err := o.Person(ctx, tenant, user)
	return p.standIn(now()), err
}

// standIn is the deputy of a person who is absent.
func (p Person) standIn(at time.Time) string {
	if !p.Absent.covers(at) {
		return ""
	}
	return p.Deputy
}

// choices are the person's in their order, then the channels that they have said
// nothing about. A channel that is no more is left out.
func (o *Outbox) choices(tenant string, own []Choice) []Choice {
	var all []Choice
	have := func(list []Choice, channel string) bool {
		return slices.ContainsFunc(list, func(c Choice) bool { return c.Channel == channel })
	}
	offered := o.offered(tenant)
	for _, c := range own {
		if have(offered, c.Channel) {
			all = append(all, c)
		}
	}
	for _, c := range offered {
		if !have(all, c.Channel) {
			all = append(all, c)
		}
	}
	return all
}

// offered are the channels of a tenant, as the operator would have them.
func (o *Outbox) offered(tenant string) []Choice {
	var all []Choice
	for _, c := range o.opts.Channels {
		name, isHook := strings.CutPrefix(c.Channel, webhookPrefix)
		if !isHook || o.webhooks[name].of(cmp.Or(tenant, parley.DefaultTenant)) {
			all = append(all, c)
		}
	}
	return all
}

func (o *Outbox) loadPerson(ctx context.Context, tenant, user string) (storedPerson, error) {
	var p storedPerson
	record, err := o.records.Load(ctx, personAt(tenant, user))
	if errors.Is(err, parley.ErrNotFound) {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal(record.Data, &p)
}

// changePerson changes what is stored of somebody, and forgets what it remembers.
func (o *Outbox) changePerson(ctx context.Context, who parley.Principal, change func(*storedPerson) (bool, error)) error {
	if !who.IsPerson() || who.Validate() != nil {
		return parley.ErrNoOwner
	}
	at := personAt(who.Tenant, who.User)
	_, err := parley.Update(ctx, o.records, at, func(r *parley.Record) (bool, error) {
		var p storedPerson
		if r.Version != 0 {
			if err := json.Unmarshal(r.Data, &p); err != nil {
				return false, err
			}
		}
		changed, err := change(&p)
		if err != nil || !changed {
			return false, err
		}
		r.Owner = who.User
		r.Data, err = json.Marshal(p)
		return true, err
	})
	o.known.forget(at)
	return err
}

// SignedIn remembers the address of a person who signed in with a verified one.
// The caller has read it from a verified token that says email_verified.
func (o *Outbox) SignedIn(ctx context.Context, who parley.Principal, email string) error {
	if err := CheckEmail(email); err != nil {
		return err
	}
	return o.changePerson(ctx, who, func(p *storedPerson) (bool, error) {
		if p.Email == email {
			return false, nil
		}
		p.Email = email
		return true, nil
	})
}

// Choose stores a person's channels in their order. ErrChoice.
func (o *Outbox) Choose(ctx context.Context, who parley.Principal, choices []Choice) error {
	offered := o.offered(who.Tenant)
	seen := map[string]bool{}
	for i, c := range choices {
		if !slices.ContainsFunc(offered, func(one Choice) bool { return one.Channel == c.Channel }) {
			return fmt.Errorf("%w: there is no channel %.60q", ErrChoice, c.Channel)
		}
		if seen[c.Channel] {
			return fmt.Errorf("%w: the channel %.60q is named twice", ErrChoice, c.Channel)
		}
		seen[c.Channel] = true
		if c.After < 0 || c.After > maxAfter {
			return fmt.Errorf("%w: channel %d: after is from 0 to 30 days", ErrChoice, i+1)
		}
	}
	return o.changePerson(ctx, who, func(p *storedPerson) (bool, error) {
		p.Choices = slices.Clone(choices)
		return true, nil
	})
}

// SetAbsence stores when a person is away; nil: they are there. What they are asked is
// looked at anew: it may be somebody else's now. ErrChoice.
func (o *Outbox) SetAbsence(ctx context.Context, who parley.Principal, a *Absence) error {
	if a != nil && (!a.Until.After(a.From) || a.Until.Sub(a.From) > maxAbsence) {
		return fmt.Errorf("%w: an absence ends after it begins, within a year", ErrChoice)
	}
	if a != nil && !a.Until.After(now()) {
		return fmt.Errorf("%w: this absence is over already; say one that ends later than now", ErrChoice)
	}
	err := o.changePerson(ctx, who, func(p *storedPerson) (bool, error) {
		p.Absent = a
		return true, nil
	})
	if err == nil && o.opts.Escalate != nil {
		o.lookAnew(ctx, who)
	}
	return err
}

// lookAnew has a person's open questions looked at now. Where it cannot, that happens
// within a few minutes.
func (o *Outbox) lookAnew(ctx context.Context, who parley.Principal) {
	query := parley.Query{Tenant: cmp.Or(who.Tenant, parley.DefaultTenant), To: who.User, Pending: true, Limit: parley.MaxLimit}
	for {
		page, err := o.store.List(ctx, query)
		if err != nil {
			o.opts.Logger.WarnContext(ctx, "questions of somebody absent not read", "err", err)
			return
		}
		for _, r := range page {
			query.After = r.ID
			o.schedule.at(r.ID, time.Now())
		}
		if len(page) < parley.MaxLimit {
			return
		}
	}
}

// Subscribe adds a browser, or changes what is known of it. ErrSubscription,
// outbound.ErrForbidden, ErrChoice when there are too many, ErrNoChannel.
func (o *Outbox) Subscribe(ctx context.Context, who parley.Principal, s Subscription) (Subscription, error) {
	if o.push == nil {
		return s, ErrNoChannel
	}
	if err := checkSubscription(s, o.opts.Outbound); err != nil {
		return s, err
	}
	sum := sha256.Sum256([]byte(s.Endpoint))
	s.ID, s.Created = hex.EncodeToString(sum[:16]), now()
	owner, err := json.Marshal(browserOwner{cmp.Or(who.Tenant, parley.DefaultTenant), who.User})
	if err != nil {
		return s, err
	}
	err = o.changePerson(ctx, who, func(p *storedPerson) (bool, error) {
		at := slices.IndexFunc(p.Browsers, func(one Subscription) bool { return one.ID == s.ID })
		switch {
		case at >= 0:
			p.Browsers[at] = s
		case len(p.Browsers) >= maxBrowsers:
			return false, fmt.Errorf("%w: %d browsers are told already: remove one", ErrChoice, maxBrowsers)
		default:
			p.Browsers = append(p.Browsers, s)
		}
		return true, nil
	})
	if err == nil {
		_, err = parley.Put(ctx, o.records, parley.Record{Address: browserAt(s.ID), Owner: who.User, Data: owner})
	}
	return s, err
}

// browserOwner is who has subscribed in a browser last: whoever did so before is
// told nothing there any more.
type browserOwner struct {
	Tenant string `json:"tenant"`
	User   string `json:"user"`
}

func browserAt(id string) parley.Address { return parley.Address{Kind: "notify_browser", Key: id} }

func (o *Outbox) ownsBrowser(ctx context.Context, tenant, user, id string) (bool, error) {
	record, err := o.records.Load(ctx, browserAt(id))
	if errors.Is(err, parley.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var owner browserOwner
	err = json.Unmarshal(record.Data, &owner)
	return owner == browserOwner{tenant, user}, err
}

// Unsubscribe forgets a browser by its id. parley.ErrNotFound.
func (o *Outbox) Unsubscribe(ctx context.Context, who parley.Principal, id string) error {
	return o.changePerson(ctx, who, func(p *storedPerson) (bool, error) {
		left := slices.DeleteFunc(slices.Clone(p.Browsers), func(s Subscription) bool { return s.ID == id })
		if len(left) == len(p.Browsers) {
			return false, parley.ErrNotFound
		}
		p.Browsers = left
		return true, nil
	})
}
