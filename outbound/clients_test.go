package outbound_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/parley-hq/parley/outbound"
)

func TestTrustedHostsAreReachedForTheOperatorOnly(t *testing.T) {
	calls := 0
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls++ }))
	defer inside.Close()
	all := outbound.NewClients(&outbound.Options{Trusted: []string{strings.TrimPrefix(inside.URL, "http://")}})
	defer all.CloseIdleConnections()
	var nobody outbound.Namer // who was not thought of
	for _, by := range []outbound.Namer{outbound.Stranger, nobody} {
		if _, err := all.For(by).Get(inside.URL); !errors.Is(err, outbound.ErrForbidden) {
			t.Errorf("%v: %v", by, err)
		}
	}
	if calls != 0 {
		t.Errorf("%d requests", calls)
	}
	answer, err := all.For(outbound.Operator).Get(inside.URL)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
}

func TestAClientThatIsNotGivenReachesPublicAddressesOnly(t *testing.T) {
	calls := 0
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls++ }))
	defer inside.Close()
	mine := outbound.Client(&outbound.Options{Loopback: true})
	for _, one := range []struct {
		all *outbound.Clients
		by  outbound.Namer
	}{
		{outbound.Choose(nil, nil), outbound.Operator}, {outbound.Choose(nil, nil), outbound.Stranger},
		{outbound.Choose(mine, nil), outbound.Stranger}, {outbound.NewClients(nil), outbound.Operator},
	} {
		if _, err := one.all.For(one.by).Get(inside.URL); !errors.Is(err, outbound.ErrForbidden) {
			t.Errorf("%v: %v", one.by, err)
		}
	}
	if calls != 0 {
		t.Errorf("%d requests", calls)
	}
}
