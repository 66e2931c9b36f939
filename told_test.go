package parley_test

import (
	"bytes"
	"encoding/json"
	"log"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
)

// Each question has a line when it is opened and one when it ends, with names and
// times, and nothing of what was asked, answered or said about it.
func TestEachQuestionIsLoggedWithoutWhatItSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		hub := parley.New(parley.NewMemoryStore(), &parley.Options{PerSession: parley.Supersede, Logger: slog.New(slog.NewJSONHandler(&out, nil))})
		ask := func(session string) parley.ID {
			r := confirm()
			r.Session, r.Message = session, "hidden-message"
			r.Labels = map[string]string{parley.LabelTool: "delete" + strings.Repeat("x", 400), parley.LabelAgent: "helper", "other": "hidden-label"}
			id := open(t, hub, r).ID
			time.Sleep(1500 * time.Millisecond)
			return id
		}
		for _, err := range []error{
			hub.Answer(t.Context(), alice, ask(""), yes()),
			hub.Answer(t.Context(), alice, ask(""), parley.Answer{Action: parley.Decline, Via: "chat"}),
			hub.Answer(t.Context(), alice, ask(""), parley.Answer{Action: parley.Cancel, Via: "chat"}),
			hub.Cancel(t.Context(), ask(""), "hidden-reason"),
			hub.Resolve(t.Context(), ask(""), parley.Accept, "hidden-reason"),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		ask("s")
		late := ask("s")
		time.Sleep(time.Hour)
		wantError(t, hub.Answer(t.Context(), alice, late, yes()), parley.ErrExpired)

		var said []string
		for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
			var one map[string]any
			if err := json.Unmarshal([]byte(line), &one); err != nil {
				t.Fatal(err)
			}
			said = append(said, one["msg"].(string))
			tool, _ := one["tool"].(string)
			if one["level"] != "INFO" || one["user"] != "alice" || one["service"] != "tracker" || one["trigger"] != "tool" || one["agent"] != "helper" ||
				!strings.HasPrefix(tool, "delete") || len(tool) > 150 || one["id"] == "" || one["tenant"] != "default" {
				t.Errorf("line %s", line)
			}
			if waited := one["waited"]; one["msg"] == "question answered" && waited != "1.5s" {
				t.Errorf("waited %v", waited)
			}
		}
		want := []string{
			"question opened", "question answered", "question opened", "question declined", "question opened", "question dismissed",
			"question opened", "question withdrawn", "question opened", "question answered",
			"question opened", "question superseded", "question opened", "question expired",
		}
		if !slices.Equal(said, want) {
			t.Errorf("said %q, want %q", said, want)
		}
		if text := out.String(); strings.Contains(text, "hidden") || strings.Contains(text, "confirmed") {
			t.Errorf("the log has what was asked or said: %s", text)
		}
	})
}

func TestANameThatNobodyWouldReadKeepsNoQuestionFromBeingAsked(t *testing.T) {
	labels := map[string]string{parley.LabelTool: "first"}
	parley.Name(labels, parley.LabelTool, "second")
	parley.Name(labels, parley.LabelAgent, strings.Repeat("x", 600))
	if len(labels) != 1 || labels[parley.LabelTool] != "first" {
		t.Errorf("labels %q", labels)
	}
	parley.Name(labels, parley.LabelAgent, "helper")
	if labels[parley.LabelAgent] != "helper" {
		t.Errorf("labels %q", labels)
	}
}

func TestAProgramThatNamesNoLoggerPrintsNothingOfItsQuestions(t *testing.T) {
	var out bytes.Buffer
	before, to, flags := slog.Default(), log.Writer(), log.Flags()
	defer func() {
		slog.SetDefault(before)
		log.SetOutput(to) // which it had taken over
		log.SetFlags(flags)
	}()
	slog.SetDefault(slog.New(slog.NewTextHandler(&out, nil)))
	hub := parley.New(parley.NewMemoryStore(), nil)
	if err := hub.Answer(t.Context(), alice, open(t, hub, confirm()).ID, yes()); err != nil || out.Len() > 0 {
		t.Errorf("%v; it printed %s", err, &out)
	}
}
