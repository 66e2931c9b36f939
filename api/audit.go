package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/audit"
)

// Audit is where decisions are kept. *audit.Log is one.
type Audit interface {
	// Begin takes down that something is about to be changed; end, whether it was.
	Begin(ctx context.Context, d parley.Deed) (end audit.End, err error)

	List(ctx context.Context, tenant string, before int64, limit int) (all []audit.Entry, more bool, err error)
	Export(ctx context.Context, tenant string, w io.Writer) error
	Checkpoint(ctx context.Context, tenant string) (string, error)
	Find(ctx context.Context, tenant string, question parley.ID) (audit.Entry, error)
	Receipt(ctx context.Context, tenant string, question parley.ID, shown *parley.Request) ([]byte, error)
}

var _ Audit = (*audit.Log)(nil)

type auditWire struct {
	Items      []audit.Entry `json:"items" nullable:"false" doc:"Decisions, newest first."`
	NextCursor string        `json:"next_cursor,omitempty" doc:"For the next page."`
}

// rawAnswer is an answer that is sent as it is.
type rawAnswer struct {
	Type string `header:"Content-Type"`
	Body []byte
}

func (a *API) auditRoutes(to *huma.OpenAPI) {
	if a.opts.Audit == nil {
		return
	}
	const tag = "audit"
	add(a, to, operation{
		id: "list-audit", tag: tag, summary: "Decisions, newest first", method: http.MethodGet, path: "/api/audit", who: administrators,
		about: "Names, times and digests: no message, no arguments and no answer.",
	}, a.listAudit)
	a.addRaw(to, operation{
		id: "get-checkpoint", tag: tag, summary: "What the chain of decisions is now, signed", method: http.MethodGet, path: "/api/audit/checkpoint", who: administrators,
		about: "A signed note, as transparency logs have them. Whoever keeps it finds out later whether the chain was cut off or rewritten.",
	}, "text/plain; charset=utf-8", func(ctx context.Context, c Caller, _ *struct{}) ([]byte, error) {
		signed, err := a.opts.Audit.Checkpoint(ctx, c.tenant())
		return []byte(signed), err
	})
	a.exportRoute(to, tag)
	add(a, to, operation{
		id: "get-receipt", tag: "elicitations", summary: "A receipt for a decision", method: http.MethodGet, path: "/api/elicitations/{id}/receipt", who: everybody,
		about: "It proves, to whoever has the public key, what was shown, who decided what, when and where, and what was sent because of it: parley verify. " +
			"For the person who was asked, and for administrators. What was shown is in it as long as the question is kept.",
		errors: []int{http.StatusNotFound}, answers: rawResponse("application/json", "object"),
	}, func(ctx context.Context, c Caller, in *identified) (*rawAnswer, error) {
		data, err := a.receipt(ctx, c, parley.ID(in.ID))
		return &rawAnswer{"application/json", data}, err
	})
}

// addRaw serves an operation whose answer is no JSON of ours.
func (a *API) addRaw(to *huma.OpenAPI, o operation, kind string, h func(context.Context, Caller, *struct{}) ([]byte, error)) {
	o.answers = rawResponse(kind, "string")
	add(a, to, o, func(ctx context.Context, c Caller, in *struct{}) (*rawAnswer, error) {
		data, err := h(ctx, c, in)
		return &rawAnswer{kind, data}, err
	})
}

func rawResponse(kind, schema string) map[string]*huma.Response {
	return map[string]*huma.Response{"200": {
		Description: "OK", Content: map[string]*huma.MediaType{kind: {Schema: &huma.Schema{Type: schema}}},
	}}
}

func (a *API) listAudit(ctx context.Context, c Caller, in *struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
	Cursor string `query:"cursor" maxLength:"20" doc:"next_cursor of the page before."`
}) (*answer[auditWire], error) {
	before := int64(-1)
	if in.Cursor != "" {
		var err error
		if before, err = strconv.ParseInt(in.Cursor, 10, 64); err != nil || before < 0 {
			return nil, invalid("query.cursor", "this is no cursor: take next_cursor of the page before")
		}
	}
	all, more, err := a.opts.Audit.List(ctx, c.tenant(), before, in.Limit)
	if err != nil {
		return nil, err
	}
	out := auditWire{Items: append([]audit.Entry{}, all...)}
	if more && len(all) > 0 {
		out.NextCursor = strconv.FormatInt(all[len(all)-1].Index, 10)
	}
	return &answer[auditWire]{out}, nil
}

func (a *API) exportRoute(to *huma.OpenAPI, tag string) {
	const kind = "application/jsonl"
	add(a, to, operation{
		id: "export-audit", tag: tag, summary: "All decisions that are kept, as lines of JSON", method: http.MethodGet, path: "/api/audit/export", who: administrators,
		about:   "The first line says where the chain begins, the last is a signed checkpoint of its end: parley verify checks all of it. One without that line broke off.",
		answers: rawResponse(kind, "string"),
	}, func(ctx context.Context, c Caller, _ *struct{}) (*streamed, error) {
		if _, err := a.opts.Audit.Checkpoint(ctx, c.tenant()); err != nil {
			return nil, err
		}
		return &streamed{func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.Header().Set("Content-Disposition", `attachment; filename="parley-audit.jsonl"`)
			w.WriteHeader(http.StatusOK)
			if err := a.opts.Audit.Export(ctx, c.tenant(), w); err != nil && ctx.Err() == nil {
				a.opts.Logger.ErrorContext(ctx, "export of decisions broke off", "err", err)
			}
		}}, nil
	})
}

// receipt is for who was asked, and for administrators of the tenant. When the question
// is not kept any more, the chain says whose it was.
func (a *API) receipt(ctx context.Context, c Caller, id parley.ID) ([]byte, error) {
	r, err := a.find(ctx, c, id)
	if err == nil {
		return a.opts.Audit.Receipt(ctx, c.tenant(), id, &r)
	}
	if !errors.Is(err, parley.ErrNotFound) {
		return nil, err
	}
	e, err := a.opts.Audit.Find(ctx, c.tenant(), id)
	if err != nil {
		return nil, err
	}
	if !c.Admin && (c.User == "" || e.By != c.User) {
		return nil, parley.ErrNotFound
	}
	return a.opts.Audit.Receipt(ctx, c.tenant(), id, nil)
}

// located is an answer that says where what it made is.
type located interface{ at() string }

func (c *created[T]) at() string { return c.Location }

// record has a change taken down before it is made, and whether it was.
func (a *API) record(ctx context.Context, o operation, c Caller) (end func(out any, err error) error, err error) {
	if a.opts.Audit == nil || o.method == http.MethodGet || o.quiet || o.elsewhere {
		return func(_ any, err error) error { return err }, nil
	}
	done, err := a.opts.Audit.Begin(ctx, parley.Deed{
		Tenant: c.tenant(), What: "api." + o.id, By: c.Owner(), Via: c.Method, Target: c.path,
	})
	if err != nil {
		return nil, err
	}
	return func(out any, err error) error {
		if err != nil && explain(err).Status >= http.StatusInternalServerError {
			return err // nobody knows whether it was done, and after a while the chain says so
		}
		target := ""
		if made, ok := out.(located); ok && err == nil {
			target = made.at()
		}
		told := done(context.WithoutCancel(ctx), target, err == nil)
		if err == nil && told != nil { // the change stands, and the chain will say that nobody knows
			a.opts.Logger.ErrorContext(ctx, "change not recorded", "operation", o.id, "err", told)
		}
		return err
	}, nil
}
