package loopback_test

import (
	"testing"

	"github.com/parley-hq/parley/internal/loopback"
)

func TestWhatThisMachineIsCalled(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "LocalHost": true, "localhost.": true, "app.localhost": true,
		"127.0.0.1": true, "127.9.9.9": true, "::1": true, "[::1]": true, "::ffff:127.0.0.1": true,
		"": false, ".": false, "localhost.example": false, "notlocalhost": false, "127.0.0.1.example": false,
		"10.0.0.1": false, "0.0.0.0": false, "::": false, "::2": false, "example.com": false, "127.1": false,
	} {
		if got := loopback.Host(host); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
	for address, want := range map[string]bool{
		"localhost:80": true, "127.0.0.1:80": true, "[::1]:80": true, "[::1]": true, "localhost": true,
		"example.com:80": false, "10.0.0.1:80": false, "": false, ":80": false,
	} {
		if got := loopback.Address(address); got != want {
			t.Errorf("%q: %v", address, got)
		}
	}
}
