package main

import (
	"context"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/examples/internal/exampletest"
	"github.com/parley-hq/parley/mcphttp"
)

func TestMain(m *testing.M) { exampletest.Main(m, main) }

// ledger is a bank that writes down what it did.
type ledger []string

func (l *ledger) Transfer(_ context.Context, from, to string, amount float64) (string, error) {
	*l = append(*l, fmt.Sprintf("%s %s %.0f", from, to, amount))
	return fmt.Sprint("T-", len(*l)), nil
}

var order = map[string]any{"fromAccount": "A-1111", "toAccount": "B-2222", "amount": 90}

// typing answers both questions.
func typing(ending string, confirmed bool) exampletest.Person {
	return func(p *mcp.ElicitParams) *mcp.ElicitResult {
		if p.Message == "Please verify the recipient." {
			return exampletest.Say("accept", map[string]any{"ending": ending})
		}
		return exampletest.Say("accept", map[string]any{"confirmed": confirmed})
	}
}

func TestMoneyMovesOnceAfterTwoAnswers(t *testing.T) {
	exampletest.InBothEras(t, func(t *testing.T, era string) {
		var books ledger
		asker, server := newServer(parley.New(parley.NewMemoryStore(), nil), &books)
		handler := mcphttp.New(asker, server, nil)
		for _, c := range []struct {
			person exampletest.Person
			want   result
		}{
			{typing("2222", true), result{"transferred", "T-1"}},
			{typing("1111", true), result{Status: "cancelled"}},
			{typing("2222", false), result{Status: "cancelled"}},
		} {
			var got result
			exampletest.OverHTTP(t, era, handler, "", c.person).Call("transfer-funds", order, &got)
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		}
		if len(books) != 1 || books[0] != "A-1111 B-2222 90" {
			t.Errorf("the bank did %q", books)
		}
	})
}

func TestTransferOverStdio(t *testing.T) {
	exampletest.InBothEras(t, func(t *testing.T, era string) {
		var got result
		exampletest.OverStdio(t, era, typing("2222", true)).Call("transfer-funds", order, &got)
		if got.Status != "transferred" || got.Transaction == "" {
			t.Errorf("got %+v", got)
		}
	})
}
