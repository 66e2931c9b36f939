package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// thing is what the operations of these tests are about.
var thing = operation{id: "do-thing", tag: "things", summary: "Do", method: http.MethodPost, path: "/api/things", who: everybody}

func bareAPI(log io.Writer) *API {
	return &API{mux: http.NewServeMux(), opts: Options{Logger: slog.New(slog.NewTextHandler(log, nil))}}
}

// takes registers an operation with an input.
func takes[In any](a *API) {
	add(a, a.blank(), thing, func(context.Context, Caller, *In) (*nothing, error) { return nil, nil })
}

// returns registers an operation with an output.
func returns[Out any](a *API) {
	add(a, a.blank(), thing, func(context.Context, Caller, *nothing) (*Out, error) { return nil, nil })
}

type checksItself struct {
	Name string `json:"name"`
}

func (*checksItself) Resolve(huma.Context) []error { return nil }

type checksMember struct {
	Name string `json:"name"`
}

func (checksMember) Resolve(huma.Context, *huma.PathBuffer) []error { return nil }

type typedBody struct{}

func (typedBody) ContentType(string) string { return "text/html" }

// What a type wants and nobody looks at would be a check that is not made.
func TestAnOperationThatWantsWhatNobodyLooksAtIsNotServed(t *testing.T) {
	type inner struct {
		Name string `json:"name"`
	}
	for name, register := range map[string]func(*API){
		"a cookie": takes[struct {
			X string `cookie:"x"`
		}],
		"a form": takes[struct {
			X string `form:"x"`
		}],
		"a raw body":          takes[struct{ RawBody []byte }],
		"a field of no place": takes[struct{ X string }],
		"an embedded struct":  takes[struct{ inner }],
		"an embedded parameter": takes[struct {
			checksItself `query:"x"`
		}],
		"a field that is not exported": takes[struct {
			_ string `query:"x"`
		}],
		"a part that the path has not": takes[struct {
			X string `path:"x"`
		}],
		"a parameter of two places": takes[struct {
			X string `query:"x" header:"X"`
		}],
		"a list in the query": takes[struct {
			X []string `query:"x"`
		}],
		"a pointer in the query": takes[struct {
			X *string `query:"x"`
		}],
		"an integer of 64 bits": takes[struct {
			X int64 `query:"x"`
		}],
		"a time in a header": takes[struct {
			X time.Time `header:"X"`
		}],
		"a query that is exploded": takes[struct {
			X string `query:"x,explode"`
		}],
		"a query that is required": takes[struct {
			X string `query:"x" required:"true"`
		}],
		"a time format": takes[struct {
			X time.Time `query:"x" timeFormat:"2006"`
		}],
		"a limit with a typo": takes[struct {
			X string `query:"x" maxlength:"3"`
		}],
		"a body that is a list":      takes[struct{ Body []inner }],
		"a body that may be missing": takes[struct{ Body *inner }],
		"a body with a content type": takes[struct {
			Body inner `contentType:"text/plain"`
		}],
		"a body that checks itself": takes[struct{ Body checksItself }],
		"a member that checks itself": takes[struct {
			Body struct {
				All []*checksMember `json:"all"`
			}
		}],
		"an input that checks itself": takes[checksItself],
		"a default in the body": takes[struct {
			Body struct {
				X string `json:"x" default:"y"`
			}
		}],
		"a member in capitals": takes[struct {
			Body struct {
				X string `json:"X"`
			}
		}],
		"a member without a name": takes[struct{ Body struct{ X string } }],
		"a member that is left out": takes[struct {
			Body struct {
				X string `json:"-"`
			}
		}],
		"a number as a string": takes[struct {
			Body struct {
				X int `json:"x,string"`
			}
		}],
		"a limit with a typo, inside": takes[struct {
			Body struct {
				X []struct {
					Y string `json:"y" maxlength:"3"`
				} `json:"x"`
			}
		}],
		"a member embedded": takes[struct{ Body struct{ inner } }],
		"a map of our names": takes[struct {
			Body struct {
				X map[string]string `json:"x"`
			}
		}],
		"raw JSON of our names": takes[struct {
			Body struct {
				X json.RawMessage `json:"x"`
			}
		}],
		"anything": takes[struct {
			Body struct {
				X any `json:"x"`
			}
		}],
		"a struct of free names": takes[struct {
			Body struct {
				X inner `json:"details"`
			}
		}],
		"no struct": takes[string],

		"a header of no name": returns[struct{ X string }],
		"a header that is a number": returns[struct {
			X int `header:"X"`
		}],
		"a status that is text": returns[struct{ Status string }],
		"bytes of no type":      returns[struct{ Body []byte }],
		"JSON of another type": returns[struct {
			X    string `header:"Content-Type"`
			Body inner
		}],
		"a body that says its type":     returns[struct{ Body typedBody }],
		"a body that writes to another": returns[struct{ Body func(huma.Context) }],
		"a channel":                     returns[struct{ Body chan int }],
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				said := fmt.Sprint(recover())
				if !strings.HasPrefix(said, "api: operation do-thing: ") {
					t.Errorf("it was served: %s", said)
				}
			}()
			register(bareAPI(io.Discard))
		})
	}
}

// tallied is a body that counts how often it is read into its type.
type tallied struct {
	Name string `json:"name"`
	read int
}

func (c *tallied) UnmarshalJSON(data []byte) error {
	var plain struct {
		Name string `json:"name"`
	}
	err := json.Unmarshal(data, &plain)
	c.Name, c.read = plain.Name, c.read+1
	return err
}

// sent is a body that counts what is taken of it; whoever begins anew gets something else.
type sent struct {
	*strings.Reader
	taken, closed int
}

func (s *sent) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	s.taken += n
	return n, err
}

func (s *sent) Close() error {
	s.closed++
	s.Reader.Reset(`{"name":"another"}`)
	return nil
}

func TestABodyIsReadOnce(t *testing.T) {
	a := bareAPI(io.Discard)
	var got tallied
	add(a, a.blank(), thing, func(_ context.Context, _ Caller, in *struct{ Body tallied }) (*nothing, error) {
		got = in.Body
		return nil, nil
	})
	const text = `{"name":"one"}`
	body := &sent{Reader: strings.NewReader(text)}
	r := httptest.NewRequest(http.MethodPost, thing.path, body)
	out := httptest.NewRecorder()
	a.mux.ServeHTTP(out, r.WithContext(withCaller(r.Context(), Caller{Admin: true})))
	if out.Code != http.StatusNoContent || got.Name != "one" || got.read != 1 {
		t.Errorf("%d %s, %q was read %d times", out.Code, out.Body, got.Name, got.read)
	}
	if body.taken != len(text) || body.closed != 1 {
		t.Errorf("%d of %d bytes were taken, and it was closed %d times", body.taken, len(text), body.closed)
	}
}

// A body that is refused leaves nothing behind that anybody acts on, and one that is taken
// is what was validated.
func TestWhatIsValidatedIsWhatIsUsed(t *testing.T) {
	type taken struct {
		Name   string            `json:"name" maxLength:"3"`
		Count  int               `json:"count,omitempty" maximum:"10"`
		Labels map[string]string `json:"labels,omitempty"`
	}
	a := bareAPI(io.Discard)
	var got []taken
	add(a, a.blank(), thing, func(_ context.Context, _ Caller, in *struct{ Body taken }) (*nothing, error) {
		got = append(got, in.Body)
		return nil, nil
	})
	for body, status := range map[string]int{
		`{"name":"a","name":"too long"}`:                         http.StatusBadRequest,
		`{"name":"a","Name":"too long"}`:                         http.StatusBadRequest,
		`{"NAME":"too long"}`:                                    http.StatusBadRequest,
		`{"name":"a","labels":{"count":"1","COUNT":"2"}}`:        http.StatusBadRequest,
		`{"name":"a","count":11}`:                                http.StatusUnprocessableEntity,
		`{"name":"a","count":1e1}`:                               http.StatusUnprocessableEntity, // for the schema it is 10, for the type nothing
		`{"name":"a","count":10.0}`:                              http.StatusUnprocessableEntity,
		`{"name":"a","more":1}`:                                  http.StatusUnprocessableEntity,
		`{"name":"a","count":10,"labels":{"count":"1","B":"2"}}`: http.StatusNoContent,
	} {
		r := httptest.NewRequest(http.MethodPost, thing.path, strings.NewReader(body))
		out := httptest.NewRecorder()
		a.mux.ServeHTTP(out, r.WithContext(withCaller(r.Context(), Caller{Admin: true})))
		if out.Code != status {
			t.Errorf("%s: %d %s", body, out.Code, out.Body)
		}
	}
	if len(got) != 1 || got[0].Name != "a" || got[0].Count != 10 || got[0].Labels["count"] != "1" || got[0].Labels["B"] != "2" {
		t.Errorf("%+v", got)
	}
}

func TestAnAnswerThatIsNoJSONIsOurFault(t *testing.T) {
	var log bytes.Buffer
	a := bareAPI(&log)
	add(a, a.blank(), thing, func(context.Context, Caller, *nothing) (*created[json.RawMessage], error) {
		return &created[json.RawMessage]{Location: "/api/things/1", Body: json.RawMessage(`{"half":`)}, nil
	})
	r := httptest.NewRequest(http.MethodPost, thing.path, nil)
	out := httptest.NewRecorder()
	a.mux.ServeHTTP(out, r.WithContext(withCaller(r.Context(), Caller{Admin: true})))
	if out.Code != http.StatusServiceUnavailable || strings.Contains(out.Body.String(), "half") || out.Header().Get("Location") != "" {
		t.Errorf("%d %v %s", out.Code, out.Header(), out.Body)
	}
	if !strings.Contains(log.String(), "operation=do-thing") {
		t.Errorf("the log does not say why: %s", &log)
	}
}
