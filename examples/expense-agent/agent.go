package main

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcptool"
)

// limit is the largest amount that nobody has to approve.
const limit = 1000

// newAgent returns the agent. What goes on before and behind the loop of model
// and tools is code, so no model can talk itself out of it.
func newAgent(tools agent.Toolbox) *agent.Agent {
	return &agent.Agent{
		Name:         "expense-processor",
		Description:  "Processes expenses: has large ones approved, categorises them and checks their receipts.",
		Instructions: "Categorise the expense, look at its receipt and sum up what you found.",
		Model:        rules{},
		Toolboxes:    []agent.Toolbox{tools},
		Before:       approve,
		After:        file,
	}
}

type approval struct {
	Approved bool   `json:"approved" form:"title=Approve this expense"`
	Notes    string `json:"notes,omitempty" form:"title=Notes,maxLength=500"`
}

// approve has a large expense approved before anything is done.
func approve(ctx context.Context, t *agent.Turn) error {
	sum := amount(t.Text)
	if sum <= limit {
		return nil
	}
	given, action, err := agent.Elicit[approval](ctx, t, fmt.Sprintf("An expense of $%.2f needs a manager's approval: %s", sum, t.Text),
		&agent.ElicitOptions{From: "finance", Trigger: parley.TriggerApproval})
	switch {
	case err != nil:
		return err // also while there is no answer
	case action != parley.Accept:
		t.Say("Rejected: the manager's answer was " + string(action) + ".")
		t.End()
	case !given.Approved:
		t.Say(strings.TrimSpace("Rejected: not approved. " + given.Notes))
		t.End()
	default:
		t.Say("Approved by the manager.")
	}
	return nil
}

type filing struct {
	File bool `json:"file" form:"title=File the report"`
}

// file asks whether to file what the agent found. A program that really files
// something does so in a tool, which runs once; this may run again.
func file(ctx context.Context, t *agent.Turn) error {
	given, action, err := agent.Elicit[filing](ctx, t, "File this? "+t.Reply, nil)
	switch {
	case err != nil:
		return err
	case action == parley.Accept && given.File:
		t.Say("Filed.")
	default:
		t.Say("Kept as a draft.")
	}
	return nil
}

var money = regexp.MustCompile(`\$\s?([0-9][0-9,]*(?:\.[0-9]+)?)`)

// amount is the sum that a text names.
func amount(text string) float64 {
	found := money.FindStringSubmatch(text)
	if found == nil {
		return 0
	}
	sum, _ := strconv.ParseFloat(strings.ReplaceAll(found[1], ",", ""), 64)
	return sum
}

type expense struct {
	Description string `json:"description"`
}

type category struct {
	Category string `json:"category"`
}

func categorise(_ context.Context, _ *mcptool.Call, in expense) (category, error) {
	for _, c := range []struct{ name, words string }{{"travel", "flight taxi train hotel"}, {"meals", "lunch dinner coffee"}, {"equipment", "chair laptop screen"}} {
		for word := range strings.FieldsSeq(c.words) {
			if strings.Contains(strings.ToLower(in.Description), word) {
				return category{c.name}, nil
			}
		}
	}
	return category{"other"}, nil
}

type receipt struct {
	Number string `json:"number" form:"title=Receipt number,minLength=3,maxLength=40"`
}

type analysis struct {
	Receipt string `json:"receipt,omitempty"`
	Found   bool   `json:"found"`
}

var receiptNumber = regexp.MustCompile(`\bR-[0-9]+\b`)

// analyseReceipt asks for the number of the receipt if the expense has none.
func analyseReceipt(ctx context.Context, call *mcptool.Call, in expense) (analysis, error) {
	if number := receiptNumber.FindString(in.Description); number != "" {
		return analysis{number, true}, nil
	}
	answer, err := mcptool.Elicit[receipt](ctx, call, "Which receipt belongs to this expense?", nil)
	if err != nil {
		return analysis{}, err
	}
	return analysis{answer.Content.Number, answer.Action == parley.Accept}, nil
}

// newTools is an MCP server in this process.
func newTools(hub *parley.Hub) (*mcp.Server, error) {
	asker, err := mcptool.New(hub, &mcptool.Options{Service: "expenses"})
	if err != nil {
		return nil, err // a secret of the environment cannot be used
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "expenses", Version: "1.0.0"}, nil)
	mcptool.AddTool(asker, server, &mcp.Tool{Name: "categorise", Description: "Says which category an expense belongs to."}, categorise)
	mcptool.AddTool(asker, server, &mcp.Tool{Name: "analyse_receipt", Description: "Finds the receipt of an expense."}, analyseReceipt)
	return server, nil
}

// rules is a model that calls both tools and sums up what they return.
type rules struct{}

func (rules) Generate(_ context.Context, p agent.Prompt, emit func(string)) (agent.Reply, error) {
	said, last := "", p.Messages[len(p.Messages)-1]
	for _, m := range p.Messages {
		if m.Role == agent.FromUser {
			said = m.Text
		}
	}
	if last.Role != agent.FromTools {
		args, err := json.Marshal(expense{said})
		return agent.Reply{Calls: []agent.ToolCall{
			{ID: "1", Tool: "expenses__categorise", Args: args}, {ID: "2", Tool: "expenses__analyse_receipt", Args: args},
		}}, err
	}
	var kind category
	var proof analysis
	for i, into := range []any{&kind, &proof} {
		if r := last.Results[i]; r.Failed || json.Unmarshal([]byte(r.Text), into) != nil {
			emit("That did not work: " + r.Text)
			return agent.Reply{Text: "That did not work: " + r.Text}, nil
		}
	}
	text := fmt.Sprintf("$%.2f, %s, no receipt.", amount(said), kind.Category)
	if proof.Found {
		text = fmt.Sprintf("$%.2f, %s, receipt %s.", amount(said), kind.Category, proof.Receipt)
	}
	emit(text)
	return agent.Reply{Text: text}, nil
}
