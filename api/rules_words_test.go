package api_test

import (
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/parley-hq/parley/api"
)

// What the person may say is as permit has it, and shown as it is stored.
func TestARuleSaysWhatThePersonMaySay(t *testing.T) {
	w := newWorld(t, nil)
	w.do("key", http.MethodPost, "/api/rules", `{"name":"strict","approve":"always","choices":["allow_once","deny"]}`).want(http.StatusCreated)
	if got := w.do("key", http.MethodGet, "/api/rules/strict", "").want(http.StatusOK); !reflect.DeepEqual(got.at("choices"), []any{"allow_once", "deny"}) {
		t.Errorf("%s", got.body)
	}
	for _, wrong := range []string{`["sometimes"]`, `["deny"]`, `[]`, `["changed","deny"]`} {
		w.do("key", http.MethodPut, "/api/rules/strict", `{"approve":"always","choices":`+wrong+`}`).refused(http.StatusUnprocessableEntity, "body.choices")
	}
	w.do("key", http.MethodPut, "/api/rules/strict", `{"approve":"always"}`).want(http.StatusOK).is("choices", nil)
}

// Approvers say that somebody is asked: no second member has to.
func TestApproversAloneAreARule(t *testing.T) {
	w := newWorld(t, nil)
	made := w.do("key", http.MethodPost, "/api/rules", `{"name":"two","tool":"pay","approvers":{"need":1,"of":["bob"]}}`)
	if made.status >= 300 || !strings.Contains(string(made.body), `"approve":"always"`) {
		t.Errorf("%d %s", made.status, made.body)
	}
	w.do("key", http.MethodPost, "/api/rules", `{"name":"none","tool":"pay"}`).refused(http.StatusUnprocessableEntity, "")
	got := w.do("key", http.MethodPost, "/api/rules", `{"name":"none","tool":"pay"}`)
	if said := string(got.body); !strings.Contains(said, "body.approve") || !strings.Contains(said, "or name approvers") {
		t.Errorf("%s", said)
	}
}

func TestARuleSaysWhereItIsDecided(t *testing.T) {
	w := newWorld(t, nil)
	w.do("key", http.MethodPost, "/api/rules", `{"name":"risky","tool":"pay","page":true,"approvers":{"need":1,"of":["bob"]},"slack":"C0123456"}`).want(http.StatusCreated)
	w.do("key", http.MethodGet, "/api/rules/risky", "").want(http.StatusOK).is("page", true).is("slack", "C0123456")
	for _, wrong := range []string{`"#general"`, `"<!here>"`, `"D0123456"`} {
		w.do("key", http.MethodPut, "/api/rules/risky", `{"approvers":{"need":1,"of":["bob"]},"slack":`+wrong+`}`).refused(http.StatusUnprocessableEntity, "body.slack")
	}
	w.do("key", http.MethodPut, "/api/rules/risky", `{"approve":"always","slack":"C0123456"}`).refused(http.StatusUnprocessableEntity, "body.slack")
	w.do("key", http.MethodPut, "/api/rules/risky", `{"approve":"never","page":true}`).refused(http.StatusUnprocessableEntity, "body.page")
}

// A rule that nobody could sign for is refused, as the configuration's is, and says why.
func TestARuleIsSignedWhereThereArePasskeys(t *testing.T) {
	const rule = `{"name":"large","tool":"pay","approve":"always","sign":"passkey"}`
	newWorld(t, nil).do("key", http.MethodPost, "/api/rules", rule).want(http.StatusCreated).is("sign", "passkey")
	w := newWorld(t, func(o *api.Options) { o.Unsigned = errors.New("this site has no name") })
	w.do("key", http.MethodPost, "/api/rules", rule).refused(http.StatusUnprocessableEntity, "body.sign")
	w.do("key", http.MethodPost, "/api/rules", `{"name":"large","tool":"pay","approve":"always"}`).want(http.StatusCreated)
	got := w.do("key", http.MethodPut, "/api/rules/large", rule).refused(http.StatusUnprocessableEntity, "body.sign")
	if !strings.Contains(string(got.body), "this site has no name") {
		t.Errorf("%s", got.body)
	}
	w.do("key", http.MethodGet, "/api/rules/large", "").want(http.StatusOK).is("sign", nil)
}
