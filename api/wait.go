package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/parley-hq/parley"
)

type waitingQuery struct {
	ID   string `path:"id" maxLength:"64"`
	Wait int    `query:"wait" minimum:"0" maximum:"300" doc:"Answer when the question is settled, or after so many seconds."`
}

// await returns a question once it is settled, or as it stands after a while: also
// when the client or the server ends the request. Who has signed out meanwhile is told
// nothing more.
func (a *API) await(ctx context.Context, c Caller, id parley.ID, most time.Duration) (elicitationWire, error) {
	shown, err := a.see(ctx, c, id)
	if err != nil || shown.State != "pending" || most <= 0 {
		return shown, err
	}
	if shown, err = a.news(ctx, c, id, nil, most); err == nil {
		err = c.still()
	}
	return shown, err
}

// news returns a question when it is settled, or one of the others is, or after a
// while.
func (a *API) news(ctx context.Context, c Caller, id parley.ID, others []parley.ID, most time.Duration) (shown elicitationWire, err error) {
	within, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	waiting, stop := a.orAny(within, others)
	_, err = a.hub.Wait(waiting, id)
	ended := waiting.Err() != nil
	stop()
	if err != nil && !ended {
		return shown, err
	}
	return a.see(context.WithoutCancel(ctx), c, id)
}

// lookAtOne is how often a stream looks at its question although nothing woke it: who
// else is asked, and by whom it can be answered, may have changed.
const lookAtOne = 2 * time.Minute

func (a *API) eventRoutes(to *huma.OpenAPI) {
	add(a, to, operation{
		id: "follow-elicitation", tag: "elicitations", summary: "One question, as server-sent events", method: http.MethodGet, path: "/api/elicitations/{id}/events", who: askers,
		about: "An event elicitation has the question as it stands: at once, and whenever that changes. The stream ends when it is settled. " +
			"Comments come in between. A client that loses it begins anew.",
		errors: []int{http.StatusNotFound}, answers: eventsResponse(),
	}, a.follow)
}

func (a *API) follow(ctx context.Context, c Caller, in *identified) (*streamed, error) {
	shown, err := a.see(ctx, c, parley.ID(in.ID))
	if err != nil {
		return nil, err
	}
	return &streamed{func(w http.ResponseWriter, _ *http.Request) {
		out := &stream{caller: c, w: w}
		out.begin()
		a.tell(ctx, out, shown)
	}}, nil
}

// tell sends events until the question is settled, or the client has gone.
func (a *API) tell(ctx context.Context, to *stream, shown elicitationWire) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer to.keepAlive(cancel)()
	var told []byte
	for {
		raw, err := json.Marshal(shown)
		if err != nil {
			return
		}
		others, most := shown.waitsFor, lookAtOne
		switch same := bytes.Equal(raw, told); {
		case same && len(others) > 0:
			others, most = nil, heartbeat // what woke us has changed nothing, and may not do so again at once
		case !same && !to.send(fmt.Appendf(nil, "event: elicitation\ndata: %s\n\n", raw)):
			return
		}
		if told = raw; shown.State != "pending" || ctx.Err() != nil {
			return
		}
		if shown, err = a.news(ctx, to.caller, parley.ID(shown.ID), others, most); err != nil {
			return
		}
	}
}
