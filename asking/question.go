package asking

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/legible"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/strictjson"
)

// Question is what somebody asks. It has one of Schema, URL and Action, or none: a
// plain confirmation.
type Question struct {
	To    string // a person of the asker's tenant; or
	Group string // one of Options.Groups, of whom
	Need  int    // so many answer; default 1

	From    string          // who asks, in the asker's own words; shown behind its name
	Message string          // in the asker's own words; with an Action it may be empty
	Schema  json.RawMessage // a flat form
	URL     string
	Action  *Action

	TTL      time.Duration // default 24 hours
	Labels   map[string]string
	Key      string // of idempotency: the same question under the same key is asked once
	Callback string // a URL that is called when it is settled
}

// Action is what a program wants to do, for an approval.
type Action struct {
	Title   string
	Details json.RawMessage // a JSON object; shown whole
}

// Caps of what is not capped by parley.Limits.
const (
	maxFrom   = 100
	maxShown  = 512 // of the name of the key and From together, as parley.Limits has it
	maxKey    = 255
	maxLabels = 16
	maxLabel  = 256
	maxGroup  = 50
	maxTTL    = 366 * day // as parley.Limits has it

	day = 24 * time.Hour
)

var labelName = regexp.MustCompile(`^[a-z0-9_.-]{1,64}$`)

// check says what is wrong with a question by itself, and who is asked.
func (s *Questions) check(by Asker, q Question) (people []string, err error) {
	switch {
	case (q.To == "") == (q.Group == ""):
		return nil, &Fault{"to", "name one of to and group"}
	case q.To != "" && !parley.ValidName(q.To):
		return nil, &Fault{"to", "nobody can be called that"}
	case strings.HasPrefix(q.To, GroupPrefix):
		return nil, &Fault{"to", fmt.Sprintf("it is a person; a group is asked by \"group\": %.100q", strings.TrimPrefix(q.To, GroupPrefix))}
	case q.To != "" && q.Need > 1:
		return nil, &Fault{"need", "it is for a group; to is one person"}
	case !by.may(q.To, q.Group):
		return nil, fmt.Errorf("%w: %.100q", ErrMayNotAsk, cmp.Or(q.To, GroupPrefix+q.Group))
	}
	if people, err = s.people(q); err != nil {
		return nil, err
	}
	given := 0
	for _, is := range []bool{len(q.Schema) > 0, q.URL != "", q.Action != nil} {
		if is {
			given++
		}
	}
	switch {
	case given > 1:
		return nil, &Fault{"requested_schema", "name one of requested_schema, url and action"}
	case q.Message == "" && q.Action == nil:
		return nil, &Fault{"message", "a question needs a message"}
	case len(q.From) > maxFrom:
		return nil, &Fault{"from", fmt.Sprintf("%d bytes, %d are allowed", len(q.From), maxFrom)}
	case strings.ContainsAny(q.From, "[]"):
		return nil, &Fault{"from", "it has brackets, which stand around names"}
	case len(shownAs(by.Name, q.From)) > maxShown:
		return nil, &Fault{"from", "it has too many characters that have to be written as escapes"}
	case len(q.Key) > maxKey:
		return nil, &Fault{"idempotency_key", fmt.Sprintf("%d bytes, %d are allowed", len(q.Key), maxKey)}
	case q.TTL < 0:
		return nil, &Fault{"ttl", "a question is open for some time, such as 24h"}
	case q.TTL > maxTTL:
		return nil, &Fault{"ttl", fmt.Sprintf("%d days, %d are allowed", (q.TTL+day-1)/day, maxTTL/day)}
	case q.Callback != "" && s.opts.Callbacks == nil:
		return nil, &Fault{"callback_url", "nobody is called here: wait for the answer instead"}
	case q.Callback != "" && by.Secret == "":
		return nil, &Fault{"callback_url", "the key has no secret to sign calls with: its webhook_secret is to be configured"}
	}
	if q.Callback != "" {
		if err := s.opts.Callbacks.Check(Callback{URL: q.Callback, Secret: parley.Secret(by.Secret)}); err != nil {
			return nil, &Fault{"callback_url", err.Error()}
		}
	}
	if err := checkLink(q.URL, by.Sites); err != nil {
		return nil, err
	}
	if err := checkForm(q.Schema); err != nil {
		return nil, err
	}
	return people, checkLabels(q.Labels)
}

// checkLink refuses a URL that a page of ours would not lead to: one that is not
// what it looks like, and one of our own pages, in every spelling.
func checkLink(link string, sites []string) error {
	if link == "" {
		return nil
	}
	to, err := outbound.LinkOf(link)
	if err != nil {
		return &Fault{"url", err.Error()}
	}
	if slices.ContainsFunc(sites, func(site string) bool { return mcpclient.SameSite("https://"+to.Host, site) }) {
		return &Fault{"url", "it leads to this server itself, and programs lead nobody there: ask in a form, or for an action"}
	}
	return nil
}

func (s *Questions) people(q Question) ([]string, error) {
	if q.To != "" {
		return []string{q.To}, nil
	}
	people := slices.Compact(slices.Sorted(slices.Values(s.opts.Groups[q.Group])))
	switch need := cmp.Or(q.Need, 1); {
	case len(people) == 0:
		return nil, &Fault{"group", "there is no such group"}
	case len(people) > maxGroup:
		return nil, &Fault{"group", fmt.Sprintf("it has %d people, %d can be asked", len(people), maxGroup)}
	case need < 1 || need > len(people):
		return nil, &Fault{"need", fmt.Sprintf("the group has %d people: it is 1 to %d", len(people), len(people))}
	}
	return people, nil
}

func checkLabels(labels map[string]string) error {
	if len(labels) > maxLabels {
		return &Fault{"labels", fmt.Sprintf("%d labels, %d are allowed", len(labels), maxLabels)}
	}
	for name, value := range labels {
		if !labelName.MatchString(name) {
			return &Fault{"labels", fmt.Sprintf("%.64q is no name of a label: it has small letters, digits, dots, dashes and underscores", name)}
		}
		if strings.ContainsFunc(value, func(c rune) bool { return unicode.IsControl(c) && !strings.ContainsRune("\n\t", c) }) || !utf8.ValidString(value) {
			return &Fault{"labels", fmt.Sprintf("the value of %s has control characters", name)}
		}
		if len(value) > maxLabel {
			return &Fault{"labels", fmt.Sprintf("the value of %s has %d bytes, %d are allowed", name, len(value), maxLabel)}
		}
	}
	return nil
}

// The labels of our questions. What an asker gives as labels is apart from them: some
// labels mean something to this program.
const (
	labelAsk = "ask" // the id that its asker knows
	labelTag = "tag."
)

// request is the question as each person is asked, but for its id and its person.
func (q Question) request(by Asker, id parley.ID) (parley.Request, error) {
	r := parley.Request{
		Tenant: cmp.Or(by.Tenant, parley.DefaultTenant), From: shownAs(by.Name, q.From), Message: q.Message, Schema: q.Schema, Trigger: parley.TriggerProgram,
		Labels: map[string]string{labelAsk: string(id), parley.LabelAsker: by.Owner()},
	}
	for name, value := range q.Labels {
		r.Labels[labelTag+name] = value
	}
	switch {
	case q.URL != "":
		r.Mode, r.URL = parley.URL, q.URL
	case q.Action != nil:
		var err error
		r.Trigger = parley.TriggerApproval
		r.Message, r.Schema, err = permit.Action(q.Action.Title, q.Message, q.Action.Details)
		if err != nil {
			return r, &Fault{"action", err.Error()}
		}
	}
	return r, nil
}

// shownAs is who asks, as people see it: the name that the operator gave, and what
// the asker says of itself behind it, in quotes.
func shownAs(name, says string) string {
	if says == "" || says == name {
		return name
	}
	return name + " (" + string(strictjson.AppendString(nil, says, legible.Hidden)) + ")"
}

// faultOf says which member the hub does not take.
func faultOf(q Question, err error) error {
	member := "message"
	switch {
	case errors.Is(err, form.ErrSchema), errors.Is(err, form.ErrNested), errors.Is(err, form.ErrTooLarge):
		member = "requested_schema"
	case q.URL != "":
		member = "url"
	case q.Action != nil:
		member = "action"
	}
	if errors.Is(err, parley.ErrInvalid) || errors.Is(err, parley.ErrTooLarge) || member == "requested_schema" {
		return &Fault{member, err.Error()}
	}
	return err
}
