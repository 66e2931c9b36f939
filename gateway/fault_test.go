package gateway_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/vault"
)

func TestWhatAStoreSaysIsToldToNobody(t *testing.T) {
	c := &shifting{}
	h := newHouse(t, nil, func(o *gateway.Options) { o.Catalogue = c })
	v := visit(t, h.url, "alice", legacy, nil)
	c.set(errors.New("dial tcp 10.1.2.3:5432: refused"))
	text, err := v.call(t, "shop__buy", map[string]any{})
	if all := fmt.Sprint(text, err); strings.Contains(all, "10.1.2.3") {
		t.Errorf("tools/call says: %s", all)
	}
	_, err = v.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "shop__greet"})
	if all := fmt.Sprint(err); strings.Contains(all, "10.1.2.3") {
		t.Errorf("prompts/get says: %s", all)
	}
	_, err = v.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "shop://menu"})
	if all := fmt.Sprint(err); strings.Contains(all, "10.1.2.3") {
		t.Errorf("resources/read says: %s", all)
	}
}

func TestAProviderThatIsDownIsNotTakenForTheServer(t *testing.T) {
	err := fmt.Errorf("%w: %w", mcpclient.ErrUnreachable, &vault.ProviderError{Provider: "Acme", Temporary: true})
	if got := gateway.PublicReason(err, "shop"); !strings.HasPrefix(got, "Acme cannot be reached") {
		t.Errorf("got %q", got)
	}
}
