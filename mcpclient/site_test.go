package mcpclient_test

import (
	"testing"

	"github.com/parley-hq/parley/mcpclient"
)

func TestALinkToThisMachineByAnotherNameIsToTheSameSite(t *testing.T) {
	for _, own := range []string{"http://127.0.0.1:8420", "http://localhost:8420", "http://[::1]:8420"} {
		for link, want := range map[string]bool{
			"http://127.0.0.1:8420/x": true, "http://localhost:8420/x": true, "http://LOCALHOST.:8420": true, "http://[::1]:8420/": true,
			"http://a.localhost:8420/": true, "http://127.9.9.9:8420/": true, "http://0.0.0.0:8420/": true, "http://[::]:8420/": true,
			"http://[::ffff:127.0.0.1]:8420/": true, "http://2130706433:8420/": true, "http://127.1:8420/": true, "http://0x7f.0.0.1:8420/": true, "http://0x7f000001:8420": true,
			"https://localhost:8420/": true, "http://127.0.0.1:08420/": true, "http://localhost:000008420/": true,
			"http://localhost:9000/": false, "http://10.0.0.1:8420/": false, "http://notlocalhost:8420/": false, "http://shop.example:8420/": false,
		} {
			if got := mcpclient.SameSite(link, own); got != want {
				t.Errorf("SameSite(%q, %q) = %v", link, own, got)
			}
		}
	}
	for link, want := range map[string]bool{
		"https://parley.example/x": true, "http://PARLEY.example.:80/": true, "https://parley.example:0443/": true, "https://parley.example:8443/": false, "http://localhost/": false, "http://127.0.0.1/": false,
	} {
		if got := mcpclient.SameSite(link, "https://parley.example"); got != want {
			t.Errorf("SameSite(%q, our site) = %v", link, got)
		}
	}
}
