package mcpcall

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/outbound"
)

const logMethod = "notifications/message"

// ask is a question of a server's.
type ask struct {
	Key     string          `json:"key"` // the server's, or a number
	ID      string          `json:"id,omitempty"`
	Mode    parley.Mode     `json:"mode"`
	Message string          `json:"message"`
	Schema  json.RawMessage `json:"schema,omitempty"`
	URL     string          `json:"url,omitempty"`
	// Method is what the client is asked for, not its person; see lend.go.
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	// Question is the id that ours will have: who holds the server's connection
	// waits for its answer, whoever opens it.
	Question parley.ID `json:"question,omitempty"`
}

// answer is what the person said to it.
type answer struct {
	Key     string
	Action  parley.Action
	Content json.RawMessage

	Borrowed json.RawMessage // what the client lent, where that was asked for
}

// result is the answer as the protocol has it. What nobody answered is a cancel.
func (a answer) result() json.RawMessage {
	if a.Borrowed != nil {
		return a.Borrowed
	}
	return mcpclient.Answer(string(a.Action), a.Content)
}

// asked is a question as a journal keeps it. One that sends people to our own
// pages, where they trust what they see to be ours, is errOwnPageLink; one that
// nobody can be shown is what the hub says of it.
func (g *Calls) asked(of Server, q mcpclient.Question) (ask, error) {
	link := q.URL
	to, misleading := outbound.LinkOf(link)
	if misleading == nil {
		link = "https://" + to.Host
	}
	if q.Mode == string(parley.URL) && mcpclient.SameSite(link, g.opts.PublicURL) && !mcpclient.SameSite(of.URL, g.opts.PublicURL) {
		return ask{}, fmt.Errorf("%w: a link to %s's own pages", errOwnPageLink, g.here())
	}
	if err := g.valid(parley.Request{Mode: parley.Mode(q.Mode), Message: q.Message, Schema: q.Schema, URL: q.URL}); err != nil {
		return ask{}, fmt.Errorf("this question cannot be shown: %w", err)
	}
	if q.Mode == string(parley.URL) && misleading != nil { // clients show what they get, and our page would lead nobody there
		return ask{}, fmt.Errorf("this question cannot be shown: %w", misleading)
	}
	return ask{Key: q.Key, ID: q.ID, Mode: parley.Mode(q.Mode), Message: q.Message, Schema: q.Schema, URL: q.URL}, nil
}

// errOwnPageLink is for a server that asks in our name.
var errOwnPageLink = errors.New("a server may not send people to pages that are not its own")

// read takes what a server sent: waiting is set when it asks on its open
// connection, and the reply when it has answered, or asks by its answer.
func (g *Calls) read(ctx context.Context, f *Request, m mcpclient.Message, progress func(context.Context, float64, float64, string)) (r *Reply, waiting json.RawMessage, err error) {
	switch {
	case m.Response():
		r, err := g.readResponse(f.Target.Server, m, f.Who.Able)
		return r, nil, err
	case m.Request() && m.Method == mcpclient.ElicitMethod:
		question, err := mcpclient.ReadQuestion(m.Params)
		question.Key = "1"
		var q ask
		if err == nil {
			q, err = g.asked(f.Target.Server, question)
		}
		if err != nil {
			if f.refused.Add(1) > maxRounds {
				return nil, nil, Failed("%s", f.Target.endless())
			}
			g.notices.TellOf(f.Target.Server.Name, "question of a server refused", "server", f.Target.Server.Name, "err", err)
			return nil, nil, f.reply(ctx, m.ID, nil, &mcpclient.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()})
		}
		return &Reply{Ask: []ask{q}}, m.ID, nil
	case m.Request() && m.Method == "ping":
		return nil, nil, f.reply(ctx, m.ID, json.RawMessage("{}"), nil)
	case m.Request():
		return nil, nil, f.lend(ctx, m)
	case m.Method == logMethod && g.opts.Logged != nil:
		g.opts.Logged(ctx, f, m)
	case m.Method == "notifications/progress" && progress != nil:
		var p struct {
			Progress float64 `json:"progress"`
			Total    float64 `json:"total"`
			Message  string  `json:"message"`
		}
		if json.Unmarshal(m.Params, &p) == nil {
			progress(ctx, p.Progress, p.Total, p.Message)
		}
	}
	return nil, nil, nil
}

func (g *Calls) readResponse(server Server, m mcpclient.Message, able Abilities) (*Reply, error) {
	round, err := mcpclient.ReadRound(m, able.lends()...)
	var wrong *mcpclient.AskError
	switch {
	case errors.As(err, &wrong):
		return nil, Failed("%s", wrong.Sentence(server.Label()))
	case err != nil:
		return nil, err
	case round == nil && m.Error != nil:
		return &Reply{Error: m.Error}, nil
	case round == nil && !bytes.HasPrefix(m.Result, []byte("{")):
		return nil, fmt.Errorf("%w: a result is an object", mcpclient.ErrProtocol)
	case round == nil:
		return &Reply{Result: slices.Clone(m.Result)}, nil
	}
	r := &Reply{State: round.State, Visit: round.Visit}
	for _, question := range round.Questions {
		q, err := g.asked(server, question)
		if err != nil {
			if errors.Is(err, errOwnPageLink) {
				return nil, Failed("%s sends people to pages that are not its own; the call was given up.", server.Label())
			}
			return nil, Failed("The call was given up: %v.", err)
		}
		r.Ask = append(r.Ask, q)
	}
	for _, loan := range round.Loans {
		r.Ask = append(r.Ask, ask{Key: loan.Key, Method: loan.Method, Params: loan.Params})
	}
	return r, nil
}

// ask asks the person what the server asks, all questions of a round at once.
// Their keys are their own: how many questions came before differs from run to
// run, since what is in the journal is not asked for again.
func (c *Call) ask(ctx context.Context, n int, r Reply) ([]answer, error) {
	var asks []mcptool.Asking
	for _, q := range r.Ask {
		if q.Method == "" {
			asks = append(asks, c.asking(n, r, q))
		}
	}
	said, errs := c.Ask(ctx, asks)
	for i := range said {
		if r.Parked != "" && said[i].ID == "" && errs[i] == nil {
			// Where the fallback answers nobody was asked, and nothing is written yet.
			if err := c.unkept(r, c.Remember(ctx, roundName(n-1), r)); err != nil {
				return nil, err
			}
			break
		}
	}
	answers := make([]answer, len(r.Ask))
	for i, q := range r.Ask { // people's questions come first
		if i < len(asks) {
			answers[i], errs[i] = c.answerOf(r, q, said[i], errs[i])
			continue
		}
		var err error
		answers[i], err = c.borrow(ctx, q)
		errs = append(errs, err)
	}
	if i := slices.IndexFunc(errs, func(err error) bool { return errors.Is(err, mcptool.ErrSuspended) }); i >= 0 {
		return answers, errs[i]
	}
	return answers, errors.Join(errs...)
}

// asking is a question of a round, in the server's name.
func (c *Call) asking(n int, r Reply, q ask) mcptool.Asking {
	build := func(parley.ID) parley.Request {
		return parley.Request{
			From: c.Target.Server.Name, Message: q.Message, Schema: q.Schema, URL: q.URL, Trigger: parley.TriggerMCP,
			Labels: c.labels(r),
		}
	}
	return mcptool.Asking{Mode: q.Mode, Build: build, Options: &mcptool.URLOptions{
		ElicitOptions: mcptool.ElicitOptions{Key: fmt.Sprintf("r%d.%s", n, q.Key), ID: q.Question, Retries: 2}, Consent: true,
	}}
}

// answerOf is what the person said, for the server. What nobody answered in time,
// or so that it fits, is for the server to decide.
func (c *Call) answerOf(r Reply, q ask, said mcptool.Answer[json.RawMessage], err error) (answer, error) {
	var misfit *mcptool.InvalidInputError
	if errors.As(err, &misfit) {
		return answer{Key: q.Key, Action: parley.Cancel}, nil
	}
	var late *mcptool.TimeoutError
	if errors.As(err, &late) {
		return answer{Key: q.Key, Action: parley.Expire}, nil
	}
	if err == nil && r.Parked != "" && said.ID == "" {
		// Where the fallback answers there is no question to wait for.
		c.calls.parking.answered(r.Parked, given{q.Question, parley.Outcome{Action: said.Action, Content: said.Content}})
	}
	return answer{Key: q.Key, Action: said.Action, Content: said.Content}, err
}

// visited refuses to go on when the person did not go where the server sent
// them.
func (c *Call) visited(answers []answer) error {
	for _, a := range answers {
		if a.Action != parley.Accept {
			return notAccepted(a.Action, fmt.Sprintf("%s needs the user to visit a page first, and they did not (%s).", c.Target.Server.Label(), a.Action))
		}
	}
	return nil
}

// visitTime is how long a person who went to a server's page may take there,
// and a server that only wants time may take.
const visitTime = 5 * time.Minute

// errNotReady is for a server whose page the person is still at.
var errNotReady = errors.New("the server is not ready for the call yet")

// revisit makes the call again after the person has been at the server's pages.
func (c *Call) revisit(ctx context.Context, before Reply) (Reply, error) {
	if err := c.locate(ctx); err != nil {
		return Reply{}, err
	}
	r, err := c.patiently(ctx, c.Params)
	if err == nil && r.asks() && before.sameVisits(r) {
		err = errNotReady
	}
	return r, err
}

// again makes the call again with the answers of a round. A server that only
// wants time gets some.
func (c *Call) again(ctx context.Context, before Reply, answers []answer) (Reply, error) {
	if err := c.locate(ctx); err != nil {
		return Reply{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, visitTime)
	defer cancel()
	params := c.continued(before.State, answers)
	for pause := 250 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		r, err := c.patiently(ctx, params)
		if err != nil || r.asks() || r.Result != nil || r.Error != nil {
			return r, err
		}
		params = c.continued(r.State, nil)
		select {
		case <-ctx.Done():
			return Reply{}, Failed("%s was not ready in time after the user had answered.", c.Target.Server.Label())
		case <-time.After(pause):
		}
	}
}

// sameVisits reports whether a server asks for no other pages than before.
func (r Reply) sameVisits(next Reply) bool {
	return r.Visit && !slices.ContainsFunc(next.Ask, func(q ask) bool {
		return !slices.ContainsFunc(r.Ask, func(old ask) bool { return q.ID != "" && old.ID == q.ID })
	})
}

// continued are the parameters of the retry of 2026-07-28.
func (c *Call) continued(state string, answers []answer) json.RawMessage {
	var params map[string]json.RawMessage
	_ = json.Unmarshal(c.Params, &params) // it is ours
	if state != "" {
		params["requestState"], _ = json.Marshal(state)
	}
	if len(answers) > 0 {
		responses := map[string]json.RawMessage{}
		for _, a := range answers {
			responses[a.Key] = a.result()
		}
		params["inputResponses"], _ = json.Marshal(responses)
	}
	wire, _ := json.Marshal(params)
	return wire
}
