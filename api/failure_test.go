package api_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
)

func TestWhatIsNoTextIsNowhere(t *testing.T) {
	w := newWorld(t, nil)
	for _, garbled := range []string{"%00", "%ff", "a%00b", "%ed%a0%80"} {
		for _, path := range []string{"/api/servers/", "/api/providers/", "/api/services/", "/api/rules/", "/api/permissions/", "/api/connections/"} {
			w.do("ada", http.MethodDelete, path+garbled, "").refused(http.StatusNotFound)
		}
		w.do("key", http.MethodGet, "/api/elicitations/"+garbled, "").refused(http.StatusNotFound)
		for _, path := range []string{"/api/elicitations?user=", "/api/permissions?user=", "/api/connections?user=", "/api/servers/tracker/checklist?user="} {
			w.do("key", http.MethodGet, path+garbled, "").refused(http.StatusUnprocessableEntity, `"location":"query"`)
		}
	}
	w.do("key", http.MethodPut, "/api/connections/desk", `{"value":"`+secret+`","owner":"a\u0000b"}`).refused(http.StatusUnprocessableEntity, "body.owner")
}

func TestAnInternalErrorStaysInside(t *testing.T) {
	w := newWorld(t, nil)
	w.records.fail = errors.New("dial tcp 10.0.0.5: " + secret)
	got := w.do("key", http.MethodGet, "/api/servers/tracker", "").refused(http.StatusServiceUnavailable, "on our side")
	if strings.Contains(string(got.body), "10.0.0.5") || got.at("errors") != nil {
		t.Errorf("%s", got.body)
	}
	if !strings.Contains(w.log.String(), "10.0.0.5") {
		t.Errorf("the log does not say why: %s", w.log)
	}
	w.do("broken", http.MethodGet, "/api/servers", "").refused(http.StatusServiceUnavailable, "on our side")
}

// What is wrong with what was sent is not our fault, whoever notices it: a client
// would send it for ever, and fill the log that operators watch.
func TestALimitOfTheCoreIsTheCallersToKeep(t *testing.T) {
	for _, err := range []error{parley.ErrTooLarge, parley.ErrInvalid, parley.ErrQuery, form.ErrTooLarge, form.ErrSchema, form.ErrContent, parley.ErrTooManyPending} {
		w := newWorld(t, nil)
		w.records.fail = fmt.Errorf("the row of %s: %w", secret, err)
		want := http.StatusUnprocessableEntity
		if errors.Is(err, parley.ErrTooManyPending) {
			want = http.StatusTooManyRequests
		}
		w.do("key", http.MethodGet, "/api/servers/tracker", "").refused(want)
		if strings.Contains(w.log.String(), "level=ERROR") {
			t.Errorf("%v: %s", err, w.log)
		}
	}
	w := newWorld(t, nil)
	fields := strings.Repeat(`"f%":{"type":"string"},`, 5000)
	for i := range 5000 {
		fields = strings.Replace(fields, "%", strconv.Itoa(i), 1)
	}
	w.do("ci", http.MethodPost, "/api/elicitations", `{"to":"alice","message":"?","requested_schema":{"type":"object","properties":{`+strings.TrimSuffix(fields, ",")+`}}}`).
		refused(http.StatusUnprocessableEntity, "body.requested_schema", "too large")
	if strings.Contains(w.log.String(), "level=ERROR") {
		t.Error(w.log)
	}
}

func TestABodyThatCannotBeReadIsNotRepeated(t *testing.T) {
	w := newWorld(t, nil)
	for body, status := range map[string]int{
		"": http.StatusBadRequest,
		`{"name":"x","auth":{"token":"` + secret + `"`:                                 http.StatusBadRequest,
		`{"name":"x"} {"token":"` + secret + `"}`:                                      http.StatusBadRequest,
		`"` + secret + `"`:                                                             http.StatusUnprocessableEntity,
		`{"name":"x","url":"https://x.example","title":"` + secret + `","enabled":3}`:  http.StatusUnprocessableEntity,
		`{"name":"x","url":"https://x.example","auth":"` + secret + `"}`:               http.StatusUnprocessableEntity,
		`{"name":"x","url":"https://x.example","title":"` + strings.Repeat("x", 1<<20): http.StatusRequestEntityTooLarge,
	} {
		got := w.do("key", http.MethodPost, "/api/servers", body).refused(status)
		if strings.Contains(string(got.body), `"value"`) {
			t.Errorf("%s", got.body)
		}
	}
	for _, body := range []string{
		`{"NAME":"x","url":"https://x.example"}`,
		`{"name":"x","url":"https://x.example","URL":"http://10.0.0.1"}`,
		`{"name":"x","url":"https://x.example","url":"https://y.example"}`,
		`{"name":"x","url":"https://x.example","auth":{"header":"bad: "},"auth":{"type":"none"}}`,
		`{"name":"x","url":"https://x.example","auth":{"\u017fcope":"user"}}`, // folds to scope
		`{"name":"x","url":"https://x.example","auth":{"scopes":[{"A":1}]}}`,
	} {
		w.do("key", http.MethodPost, "/api/servers", body).refused(http.StatusBadRequest, `"location":"body"`, "member")
	}
	w.do("key", http.MethodPost, "/api/servers", strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000)).refused(http.StatusBadRequest)
	r := httptest.NewRequest(http.MethodPost, "/api/servers", strings.NewReader(board))
	r.Header.Set("Authorization", "Bearer key")
	r.Header.Set("Content-Type", "text/plain") // what a form of another site could send
	w.send(r).refused(http.StatusUnsupportedMediaType)
	if got := w.do("key", http.MethodGet, "/api/servers", "").names("name"); got != "desk notes shell tracker weather" {
		t.Errorf("servers: %s", got)
	}
}

// Who may not do something learns nothing about what it takes.
func TestTheRightComesBeforeTheContents(t *testing.T) {
	w := newWorld(t, nil)
	w.do("alice", http.MethodPost, "/api/servers", `{"nonsense":1}`).refused(http.StatusForbidden)
	w.do("", http.MethodPost, "/api/servers", `{"nonsense":1}`).refused(http.StatusUnauthorized)
	w.do("alice", http.MethodGet, "/api/servers/none", "").refused(http.StatusForbidden)
	w.do("key", http.MethodGet, "/api/servers?colour=red", "").refused(http.StatusUnprocessableEntity, "query.colour")
}

func TestANameAndATimeThatDoNotFitAreToldInWords(t *testing.T) {
	w := newWorld(t, nil)
	const name = "it is no name: a name has 1 to 64 letters from A to Z and a to z, digits, - and _, and begins with a letter or a digit"
	w.do("ada", http.MethodPost, "/api/rules", `{"name":"small transfers","approve":"never"}`).refused(http.StatusUnprocessableEntity, "body.name", name)
	w.do("ada", http.MethodPost, "/api/servers", `{"name":"-board","url":"https://board.example/mcp"}`).refused(http.StatusUnprocessableEntity, "body.name", name)
	w.do("ada", http.MethodPost, "/api/rules", `{"name":"small","approve":"never","ttl_seconds":31622401}`).
		refused(http.StatusUnprocessableEntity, "at most 31622400 seconds, which are 366 days")
}
