package mcphttp

import "testing"

// Nodes that are reached by an address show the certificate of the site, others their own.
func TestWhomACertificateOfAnotherNodeIsFor(t *testing.T) {
	for _, one := range []struct{ address, site, want string }{
		{"10.0.0.2:8420", "https://parley.example", "parley.example"},
		{"[fd00::2]:8420", "https://parley.example:8443", "parley.example"},
		{"node-2.internal:8420", "https://parley.example", "node-2.internal"},
		{"10.0.0.2:8420", "", "10.0.0.2"},
	} {
		if got := certified(one.address, one.site); got != one.want {
			t.Errorf("%s of %s: %s", one.address, one.site, got)
		}
	}
}
