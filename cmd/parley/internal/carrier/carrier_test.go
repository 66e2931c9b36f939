package carrier_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/carrier"
)

// A name that reads like this machine may lead elsewhere.
func TestATokenIsNotSentWhereANameLeads(t *testing.T) {
	at := &url.URL{Scheme: "http", Host: "192.0.2.1:1"}
	transport := carrier.New(at, true)
	defer transport.CloseIdleConnections()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at.String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := transport.RoundTrip(r)
	if err == nil {
		answer.Body.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "is not this machine, though its name says so") {
		t.Error(err)
	}
}
