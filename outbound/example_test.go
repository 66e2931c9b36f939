package outbound_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/parley-hq/parley/outbound"
)

// The server stands for a service that only this machine should reach.
func Example() {
	internal := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { fmt.Println("reached") }))
	defer internal.Close()

	client := outbound.Client(nil)
	_, err := client.Get(internal.URL)
	fmt.Println(errors.Is(err, outbound.ErrForbidden))

	client = outbound.Client(&outbound.Options{Loopback: true})
	defer client.CloseIdleConnections()
	resp, err := client.Get(internal.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	fmt.Println(resp.Status)
	// Output:
	// true
	// reached
	// 200 OK
}

func ExampleOptions_Check() {
	opts := &outbound.Options{Trusted: []string{"auth.corp.example:8080"}}
	for _, url := range []string{
		"https://login.example.com/token",
		"http://login.example.com/token",
		"https://169.254.169.254/latest/meta-data/",
		"http://auth.corp.example:8080/token",
	} {
		fmt.Println(opts.Check(url))
	}
	// Output:
	// <nil>
	// request not allowed: login.example.com: it would be reached by http; use https
	// request not allowed: 169.254.169.254: it is a link-local address; only what the operator names may lead there: in parley.yaml servers.NAME.url and auth.issuer, providers, models, auth.oidc and auth.jwt; in a program Options.Trusted
	// <nil>
}

func ExampleDomainOf() {
	for _, url := range []string{
		"https://accounts.google.com.login.example.co.uk/",
		"https://xn--bcher-kva.example:8443/",
		"https://аррӏе.com/", // Cyrillic
	} {
		d, err := outbound.DomainOf(url)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(d.Registrable, d.Unicode, d.Host)
	}
	// Output:
	// example.co.uk accounts.google.com.login.example.co.uk accounts.google.com.login.example.co.uk
	// xn--bcher-kva.example bücher.example:8443 xn--bcher-kva.example:8443
	// misleading host name: xn--80ak6aa92e.com: it looks Latin and is not; check with whoever gave you the link, and use the name that they really have
}
