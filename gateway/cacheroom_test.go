package gateway_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/parley-hq/parley/gateway"
)

// lister is a server whose tools take so many bytes; one that differs has others
// each time.
func lister(t *testing.T, bytes int, differs bool) string {
	made := make(chan int, 1)
	made <- 0
	return scriptedBy(t, func(m wireMessage) string {
		switch m.Method {
		case "server/discover":
			return `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`
		case "tools/list":
			n := <-made
			made <- n + 1
			if !differs {
				n = 0
			}
			return fmt.Sprintf(`{"resultType":"complete","tools":[{"name":"t%d","description":"%s","inputSchema":{"type":"object"}}]}`, n, strings.Repeat("d", bytes/2))
		}
		return ""
	})
}

// listedBy has so many tenants list their tools.
func listedBy(t *testing.T, h *house, tenants int) (bytes, lists int) {
	t.Helper()
	for n := range tenants {
		_, body := sendRaw(t, h.url, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
			"Authorization", fmt.Sprint("Bearer ", n), "Mcp-Protocol-Version", modern, "Mcp-Method", "tools/list")
		if !strings.Contains(body, `"many__t`) {
			t.Fatalf("%.200s", body)
		}
	}
	return h.CacheSize()
}

func tenantHouse(t *testing.T, url string) *house {
	return newHouse(t, catalogue{{Name: "many", URL: url}}, func(o *gateway.Options) {
		o.ListTTL = time.Hour
		o.Verify = func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
			return &auth.TokenInfo{UserID: "alice", Extra: map[string]any{"tenant": token}, Expiration: time.Now().Add(time.Hour)}, nil
		}
	})
}

func TestWhatServersOfferIsKeptWithinBounds(t *testing.T) {
	h := tenantHouse(t, lister(t, 6<<20, true))
	if bytes, lists := listedBy(t, h, 30); bytes > 128<<20 || lists < 10 {
		t.Errorf("%d MiB are kept of %d lists", bytes>>20, lists)
	}
}

func TestWhatAServerOffersToEverybodyIsKeptOnce(t *testing.T) {
	h := tenantHouse(t, lister(t, 1<<20, false))
	if bytes, lists := listedBy(t, h, 20); bytes > 2<<20 || lists < 20 {
		t.Errorf("%d KiB are kept of %d lists", bytes>>10, lists)
	}
}

func TestAServerThatOffersTooMuchOffersNothing(t *testing.T) {
	h := newHouse(t, catalogue{{Name: "many", URL: lister(t, 20<<20, false)}}, nil)
	v := visit(t, h.url, "alice", modern, agreeing)
	if names := toolNames(t, v); len(names) > 0 {
		t.Errorf("%d tools are listed", len(names))
	}
	if text, err := v.call(t, "many__t0", nil); text != "ERROR many sent more than is taken here; the call was not sent." {
		t.Errorf("%q, %v", text, err)
	}
}
