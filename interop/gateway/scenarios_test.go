package gateway_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

// The cases of the matrix, in the order of the table.
var matrixCases = []string{"plain", "form", "defaults", "url", "-32042", "-32042, no", "two rounds", "decline", "cancel", "time-out"}

// scenario is a case with one server: a call, what the server asks, what the
// person answers, and how it must end.
type scenario struct {
	tool      string
	arguments kit.Fields
	steps     []step
	texts     []string // of the result, exactly
	isError   bool
	done      int    // how often the tool comes to its end
	visits    bool   // it begins with -32042
	refused   string // the answer that ends it at the gateway, with an error
	defaults  bool   // its form can be filled in by somebody who says yes to everything

	// expire ends the server's patience, after its question was shown. Without
	// it a case about time is the client's: it gives up.
	expire func(t *testing.T)
	late   bool // it is a case about time
}

// answers are how many the server is told of.
func (s scenario) answers() int {
	if s.refused != "" {
		return 0
	}
	return len(s.steps)
}

// step is a question and its answer.
type step struct {
	mode    string
	message string
	schema  string // of a form, exactly
	url     string
	action  string
	content kit.Fields
	entries url.Values // the same content on the hosted page
}

// declined is a scenario that begins with -32042, where the person does not want
// to go.
func (s scenario) declined() scenario {
	no := s.steps[0]
	no.action = "decline"
	s.steps, s.refused, s.done = []step{no}, "decline", 0
	return s
}

// Reasons why a server has no such case.
const (
	notModern = "not in 2026-07-28"
	noTool    = "no such tool"
)

// fixtureScenarios are the cases of ../upstream and server2.mjs at base.
func fixtureScenarios(base string, legacyOnly bool) func(name, token string) (scenario, string) {
	return func(name, token string) (scenario, string) {
		call := kit.Fields{"token": token}
		asksName := step{
			mode: "form", message: "What is your name? (" + token + ")", schema: nameSchema, action: "accept",
			content: kit.Fields{"name": "Ada"}, entries: url.Values{"field.name": {"Ada"}},
		}
		asksColor := step{
			mode: "form", message: "Which color do you like best, Ada? (" + token + ")", schema: colorSchema, action: "accept",
			content: kit.Fields{"color": "blue"}, entries: url.Values{"field.color": {"option-2"}},
		}
		asksConsent := step{
			mode: "form", message: "Are you sure? (" + token + ")", schema: consentSchema, action: "accept",
			content: kit.Fields{"sure": true, "copies": 2}, entries: url.Values{"field.sure": {"true"}, "field.copies": {"2"}},
		}
		sends := step{mode: "url", message: "Please visit this page. (" + token + ")", url: base + "/visit/" + token, action: "accept"}
		refuses := func(action string) scenario {
			no := asksName
			no.action, no.content, no.entries = action, nil, nil
			return scenario{tool: "form", arguments: call, steps: []step{no}, texts: []string{"form " + action}}
		}
		switch name {
		case "plain":
			return scenario{tool: "plain", arguments: call, texts: []string{"plain " + token}, done: 1}, ""
		case "form":
			return scenario{tool: "form", arguments: call, steps: []step{asksName}, texts: []string{`form accept {"name":"Ada"}`}, done: 1}, ""
		case "url":
			return scenario{tool: "url", arguments: call, steps: []step{sends}, texts: []string{"url accept"}, done: 1}, ""
		case "defaults":
			return scenario{
				tool: "consent", arguments: call, steps: []step{asksConsent}, texts: []string{`consent accept {"copies":2,"sure":true}`}, done: 1,
				defaults: true,
			}, ""
		case "-32042", "-32042, no":
			if !legacyOnly {
				return scenario{}, notModern
			}
			required := scenario{tool: "required", arguments: call, steps: []step{sends}, texts: []string{"required " + token}, done: 1, visits: true}
			if name == "-32042, no" {
				return required.declined(), ""
			}
			return required, ""
		case "two rounds":
			return scenario{
				tool: "rounds", arguments: call, steps: []step{asksName, asksColor},
				texts: []string{`rounds accept {"color":"blue","name":"Ada"}`}, done: 1,
			}, ""
		case "decline", "cancel":
			return refuses(name), ""
		}
		return scenario{
			tool: "patient", arguments: call, steps: []step{asksName}, texts: []string{"nobody answered in time: " + token}, isError: true,
			late: true, expire: func(t *testing.T) { exchange(t, http.MethodPost, base+"/expire?token="+token) },
		}, ""
	}
}

// everythingForm is an answer to every field of the reference server's form.
var everythingForm = kit.Fields{
	"name": "Ada", "check": true, "firstLine": "Call me Ishmael.", "email": "ada@example.com", "homepage": "https://example.com/ada",
	"birthdate": "1815-12-10", "integer": 7, "number": 2.5, "untitledSingleSelectEnum": "Ross",
	"untitledMultipleSelectEnum": []string{"Piano", "Bass"}, "titledSingleSelectEnum": "hero-2",
	"titledMultipleSelectEnum": []string{"fish-1", "fish-3"}, "legacyTitledEnum": "pet-2",
}

// everythingEntries is the same on the hosted page.
var everythingEntries = url.Values{
	"field.name": {"Ada"}, "field.check": {"true"}, "field.firstLine": {"Call me Ishmael."}, "field.email": {"ada@example.com"},
	"field.homepage": {"https://example.com/ada"}, "field.birthdate": {"1815-12-10"}, "field.integer": {"7"}, "field.number": {"2.5"},
	"field.untitledSingleSelectEnum": {"option-4"}, "field.untitledMultipleSelectEnum": {"option-1", "option-4"},
	"field.titledSingleSelectEnum": {"option-1"}, "field.titledMultipleSelectEnum": {"option-0", "option-2"},
	"field.legacyTitledEnum": {"option-1"},
}

const everythingInputs = "User inputs:\n- Name: Ada\n- Agreed to terms: true\n- Email: ada@example.com\n- Homepage: https://example.com/ada\n" +
	"- Birthdate: 1815-12-10\n- Favorite Integer: 7\n- Favorite Number: 2.5"

// everythingScenarios are the cases of the reference server. It is sent to pages
// at base.
func everythingScenarios(base string) func(name, token string) (scenario, string) {
	return func(name, token string) (scenario, string) {
		link := base + "/visit/" + token
		visits := kit.Fields{"url": link, "message": "Please visit this page. (" + token + ")", "elicitationId": "visit-" + token}
		sends := step{mode: "url", message: "Please visit this page. (" + token + ")", url: link, action: "accept"}
		visited := []string{
			"✅ User completed the URL elicitation flow.\nElicitation ID: visit-" + token + "\nURL: " + link, rawResult(`{"action":"accept"}`),
		}
		asks := step{
			mode: "form", message: "Please provide inputs for the following fields:", schema: everythingSchema, action: "accept",
			content: everythingForm, entries: everythingEntries,
		}
		form := scenario{tool: "trigger-elicitation-request", arguments: kit.Fields{}, steps: []step{asks}}
		switch name {
		case "plain":
			return scenario{tool: "echo", arguments: kit.Fields{"message": token}, texts: []string{"Echo: " + token}, done: 1}, ""
		case "form":
			form.texts = []string{"✅ User provided the requested information!", everythingInputs, acceptedForm()}
			form.done = 1
		case "url":
			return scenario{tool: "trigger-url-elicitation", arguments: visits, steps: []step{sends}, texts: visited, done: 1}, ""
		case "defaults":
			return scenario{}, noTool
		case "-32042", "-32042, no":
			// It first wants the person somewhere else, and then asks all the same.
			visits["errorPath"] = true
			first := step{
				mode: "url", message: "Open this link to satisfy the prerequisite, then retry the request.",
				url: "https://modelcontextprotocol.io", action: "accept",
			}
			required := scenario{tool: "trigger-url-elicitation", arguments: visits, steps: []step{first, sends}, texts: visited, done: 1, visits: true}
			if name == "-32042, no" {
				return required.declined(), ""
			}
			return required, ""
		case "two rounds":
			return scenario{}, noTool
		case "decline":
			form.steps[0].action, form.steps[0].content, form.steps[0].entries = name, nil, nil
			form.texts = []string{"❌ User declined to provide the requested information.", rawResult(`{"action":"decline"}`)}
		case "cancel":
			form.steps[0].action, form.steps[0].content, form.steps[0].entries = name, nil, nil
			form.texts = []string{"⚠️ User cancelled the elicitation dialog.", rawResult(`{"action":"cancel"}`)}
		case "time-out":
			form.late = true // it would wait for ten minutes
		}
		return form, ""
	}
}
