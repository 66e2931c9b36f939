package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/parley-hq/parley"
)

// EventsPath is where a person's questions are followed.
const EventsPath = "/api/elicitations/events"

const (
	// lookAgainEvery is how often a reader's questions are looked at although nobody
	// told of any: hints may be lost, and a question may come with an old id.
	lookAgainEvery = 10 * time.Second
	// window is how many of the newest open questions are compared then.
	window = 50
)

type eventsQuery struct {
	User string `query:"user" maxLength:"512" doc:"Whose. Default: your own; programs name a person."`
	For  int    `query:"for" minimum:"0" maximum:"86400" default:"3600" doc:"End after so many seconds."`
}

func (a *API) ownEventRoutes(to *huma.OpenAPI) {
	add(a, to, operation{
		id: "follow-elicitations", tag: "elicitations", summary: "A person's questions, as server-sent events", method: http.MethodGet, path: EventsPath, who: everybody,
		about: "An event elicitation has a question as it stands: when it is new, and when it is settled. An event reload says to read the list again: " +
			"it comes first, and whenever something may have been missed. Comments come in between. A client that loses the stream begins anew.",
		answers: eventsResponse(),
	}, a.followOwn)
}

func eventsResponse() map[string]*huma.Response {
	return map[string]*huma.Response{"200": {
		Description: "Events", Content: map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{Type: "string"}}},
	}}
}

func (a *API) followOwn(ctx context.Context, c Caller, in *eventsQuery) (*streamed, error) {
	user, err := c.person(in.User)
	if err != nil {
		return nil, err
	}
	if user == "" {
		return nil, invalid("query.user", "questions are a person's: say whose")
	}
	f := &following{api: a, caller: c, owner: parley.OwnerOf(c.tenant(), user), ends: time.Now().Add(time.Duration(in.For) * time.Second)}
	told, leave, err := a.lookout.follow(ctx, addressee{c.tenant(), user}) // before the first look, so that nothing slips in between
	if err != nil {
		return nil, err
	}
	f.news = told
	if err := f.look(ctx); err != nil {
		leave()
		return nil, err
	}
	f.told.Reset() // the reader reads the list
	return &streamed{func(w http.ResponseWriter, _ *http.Request) {
		defer leave()
		f.to = &stream{caller: c, w: w}
		f.to.begin()
		f.run(ctx)
	}}, nil
}

// following is one reader of a person's questions.
type following struct {
	api    *API
	caller Caller
	owner  parley.Principal
	ends   time.Time
	news   <-chan news
	to     *stream

	open  map[parley.ID]bool // the newest, when they were last looked at
	ended map[parley.ID]bool // the last that the reader was told the end of: hints come more than once
	told  bytes.Buffer       // what is to be sent
}

// run tells until the reader has gone, or is not who they were any more.
func (f *following) run(ctx context.Context) {
	f.reload()
	look, beat := time.NewTicker(lookAgainEvery), time.NewTicker(heartbeat)
	defer look.Stop()
	defer beat.Stop()
	for f.flush() && time.Now().Before(f.ends) {
		var err error
		select {
		case <-ctx.Done():
			return
		case one := <-f.news:
			err = f.hear(ctx, one)
		case <-look.C:
			err = f.look(ctx)
		case <-beat.C:
			f.told.WriteString(": still here\n\n")
		}
		if err != nil {
			if ctx.Err() == nil {
				f.api.opts.Logger.WarnContext(ctx, "question stream ended early", "err", err)
			}
			return
		}
	}
}

func (f *following) reload() { f.told.WriteString("event: reload\ndata: {}\n\n") }

func (f *following) tell(ctx context.Context, q parley.Request) error {
	shown, known, err := f.api.listed(ctx, f.caller, q)
	if err != nil || !known {
		return err
	}
	raw, err := json.Marshal(shown)
	if err == nil {
		fmt.Fprintf(&f.told, "event: elicitation\ndata: %s\n\n", raw)
	}
	return err
}

// flush sends what there is to tell, and reports whether there is somebody who
// may be told more.
func (f *following) flush() bool {
	if f.told.Len() == 0 {
		return true
	}
	defer f.told.Reset()
	return f.to.send(f.told.Bytes())
}

// hear passes on what the lookout told.
func (f *following) hear(ctx context.Context, one news) error {
	switch {
	case one.missed:
		f.reload()
		return nil
	case one.manyNew:
		return f.look(ctx)
	}
	return f.changed(ctx, *one.question)
}

// mostEnded is how many ends a stream remembers.
const mostEnded = 1000

// changed tells of a question of the person's that is new or settled, once: how it
// was settled never changes.
func (f *following) changed(ctx context.Context, q parley.Request) error {
	switch {
	case f.ended[q.ID], q.Pending() && f.open[q.ID]:
		return nil // it is known
	case q.Pending():
		f.open[q.ID] = true
	default:
		delete(f.open, q.ID)
		if f.ended == nil || len(f.ended) >= mostEnded {
			f.ended = map[parley.ID]bool{}
		}
		f.ended[q.ID] = true
	}
	return f.tell(ctx, q)
}

// look compares the newest open questions with those of before, and tells what is
// new, and what is gone although no hint came.
func (f *following) look(ctx context.Context) error {
	newest, err := f.api.hub.List(ctx, f.owner, parley.Query{Pending: true, Newest: true, Limit: window})
	if err != nil {
		return err
	}
	before, now := f.open, map[parley.ID]bool{}
	for _, q := range newest {
		if now[q.ID] = true; !before[q.ID] {
			if err := f.tell(ctx, q); err != nil {
				return err
			}
		}
	}
	f.open = now
	for id := range before {
		if now[id] || len(newest) == window && id < newest[window-1].ID {
			continue // it is among those that are older now
		}
		q, err := f.api.hub.Get(ctx, f.owner, id)
		if errors.Is(err, parley.ErrNotFound) {
			continue // forgotten
		}
		if err == nil && !q.Pending() {
			err = f.changed(ctx, q)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
