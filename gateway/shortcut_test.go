package gateway_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/parley-hq/parley/permit"
)

func TestLongCallsAtOnceComeBackWholeAndToTheirOwnClients(t *testing.T) {
	eachCell(t, func(t *testing.T, client string, _ *shop, h *house) {
		var all sync.WaitGroup
		for n := range 4 {
			v := visit(t, h.url, fmt.Sprint("user", n), client, nil)
			all.Go(func() {
				for size := range 4 {
					// From one that fits every buffer to one that fits none.
					text := strings.Repeat(fmt.Sprintf("%d/%d ", n, size), 10<<(4*size))
					if got, err := v.call(t, "shop__echo", map[string]any{"text": text}); err != nil || got != text {
						t.Errorf("%d bytes came back as %d, %v", len(text), len(got), err)
					}
				}
			})
		}
		all.Wait()
	})
}

func TestALongResponseSaysHowLongItIs(t *testing.T) {
	s := newShop(t, modern)
	h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, nil)
	if _, err := visit(t, h.url, "alice", modern, nil).call(t, "shop__echo", map[string]any{"text": "the shop is known from here on"}); err != nil {
		t.Fatal(err)
	}
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"shop__echo","arguments":{"text":"%s"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`, strings.Repeat("long ", 2000))
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Authorization": "Bearer token-of-alice", "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": modern, "Mcp-Method": "tools/call", "Mcp-Name": "shop__echo",
	} {
		r.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK || resp.ContentLength < 10_000 {
		t.Errorf("status %d, length %d", resp.StatusCode, resp.ContentLength)
	}
}
