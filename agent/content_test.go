package agent_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// png is an image of so many bytes, as far as its beginning tells.
func png(size int) []byte {
	return append([]byte("\x89PNG\x0D\x0A\x1A\x0A"), bytes.Repeat([]byte("x"), size-8)...)
}

func image(data []byte) agent.Content {
	return agent.Content{Kind: agent.Image, Name: "chart", Data: data}
}

// returning is a box whose calls return these, one after the other.
func returning(all ...agent.Result) *box {
	n := 0
	b := &box{name: "tracker"}
	b.call = func(context.Context, *agent.Invocation) (agent.Result, error) {
		b.mu.Lock()
		defer b.mu.Unlock()
		n++
		return all[min(n, len(all))-1], nil
	}
	return b
}

// watching is a model that calls a tool once in each turn, and keeps what it was shown.
type watching struct {
	mu   sync.Mutex
	seen []agent.Prompt
}

func (w *watching) Generate(_ context.Context, p agent.Prompt, emit func(string)) (agent.Reply, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = append(w.seen, p)
	if last(p).Role != agent.FromTools {
		return agent.Reply{Calls: []agent.ToolCall{{ID: fmt.Sprint("m", len(w.seen)), Tool: "tracker__do", Args: []byte(`{}`)}}}, nil
	}
	emit("ok")
	return agent.Reply{Text: "ok"}, nil
}

// results are those of the last prompt.
func (w *watching) results() (all []agent.ToolResult) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, m := range w.seen[len(w.seen)-1].Messages {
		all = append(all, m.Results...)
	}
	return all
}

func TestAnImageOfAResultIsShownToTheModelAndKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, model := newWorld(t), &watching{}
		helper := &agent.Agent{Name: "helper", Model: model, Toolboxes: []agent.Toolbox{returning(agent.Result{
			Text: "here (image 1)", Content: []agent.Content{
				image(png(100)), {Kind: agent.Link, URI: "https://tracker.example/7", Title: "Ticket 7"},
			},
		})}}
		n := w.node(helper)
		ref := n.say("c", "show me")
		told := n.follow(ref).until(agent.Succeeded).Result.Content
		if len(told) != 2 || told[0].MIMEType != "image/png" || told[0].Size != 100 || told[0].ID == "" || told[0].Data != nil || told[1].Title != "Ticket 7" {
			t.Fatalf("followers are told %+v", told)
		}
		n.follow(ref).until(agent.Finished)
		if seen := model.results()[0]; len(seen.Images()) != 1 || !bytes.Equal(seen.Images()[0].Data, png(100)) || seen.Text != "here (image 1)" {
			t.Errorf("the model has seen %+v", seen)
		}
		n.stop()
		// Another process has it from the store, in the next turn too.
		n = w.node(helper)
		f, err := n.File(t.Context(), alice, "c", told[0].ID)
		if err != nil || f.MIMEType != "image/png" || !bytes.Equal(f.Data, png(100)) {
			t.Errorf("it is kept as %q, %v", f.MIMEType, err)
		}
		n.follow(n.say("c", "once more")).until(agent.Finished)
		if all := model.results(); len(all) != 2 || len(all[0].Images()) != 1 {
			t.Errorf("in the next turn the model has seen %+v", all)
		}
		for _, other := range []struct {
			who              parley.Principal
			conversation, id string
		}{{bob, "c", told[0].ID}, {alice, "d", told[0].ID}, {alice, "c", "x"}, {alice, "c", "../c/" + told[0].ID}} {
			if _, err := n.File(t.Context(), other.who, other.conversation, other.id); !errors.Is(err, parley.ErrNotFound) {
				t.Errorf("%s of %s finds %q: %v", other.who.User, other.conversation, other.id, err)
			}
		}
	})
}

func TestTheBytesOfAnImageAreSealedAndNotInTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		n := w.node(&agent.Agent{Name: "helper", Model: &watching{}, Toolboxes: []agent.Toolbox{
			returning(agent.Result{Content: []agent.Content{image(png(5000))}}),
		}})
		n.follow(n.say("c", "show me")).until(agent.Finished)
		kinds := map[string]int{}
		for _, kind := range []string{"run", "run_file"} {
			page, err := w.store.Scan(t.Context(), parley.Address{Tenant: "default", Kind: kind}, "", 10)
			if err != nil {
				t.Fatal(err)
			}
			for _, record := range page {
				kinds[kind] += len(record.Data)
				// As it is, or as JSON has bytes. What is sealed may have three letters by chance.
				if bytes.Contains(record.Data, []byte("\x89PNG\r\n")) || bytes.Contains(record.Data, []byte("eHh4eHh4eHh4")) {
					t.Errorf("a record of kind %s is not sealed", kind)
				}
			}
		}
		if kinds["run"] == 0 || kinds["run"] > 5000 || kinds["run_file"] < 5000 {
			t.Errorf("bytes stored: %v", kinds)
		}
	})
}

func TestWhatIsNoImageOrTooLargeBecomesWords(t *testing.T) {
	for name, test := range map[string]struct {
		content []agent.Content
		want    string
		kept    int
	}{
		"a program":    {[]agent.Content{image([]byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`))}, "(Image 1 is left out: it is none of PNG, JPEG, GIF and WebP.)", 0},
		"nothing":      {[]agent.Content{image(nil)}, "(Image 1 is left out: it is empty.)", 0},
		"too large":    {[]agent.Content{image(png(3<<20 + 1)), image(png(10))}, "(Image 1 is left out: it has 3 MiB, and 3 MiB are allowed.)", 1},
		"too much":     {[]agent.Content{image(png(3 << 20)), image(png(2 << 20)), image(png(10))}, "(Image 2 is left out: the images of a result may have 4 MiB.)", 2},
		"far too many": {make([]agent.Content, 60), "(10 more pieces of this result are left out: there are too many.)", 50},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newWorld(t).node(&agent.Agent{Name: "helper", Model: &watching{}, Toolboxes: []agent.Toolbox{returning(agent.Result{Content: test.content})}})
				got := n.follow(n.say("c", "show me")).until(agent.Succeeded).Result
				if got.Text != test.want || len(got.Content) != test.kept {
					t.Errorf("%d pieces are kept, and the model is told %q", len(got.Content), got.Text)
				}
			})
		})
	}
}

func TestATurnAndAPromptHaveRoomForSoManyImages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := &watching{}
		n := newWorld(t).node(&agent.Agent{Name: "helper", Model: model, Toolboxes: []agent.Toolbox{
			returning(agent.Result{Text: "one", Content: []agent.Content{image(png(3 << 20))}}),
		}})
		for i := range 4 {
			n.follow(n.say("c", fmt.Sprint("turn ", i))).until(agent.Finished)
		}
		var got []string
		for _, r := range model.results() {
			got = append(got, fmt.Sprint(len(r.Images()), " ", r.Text))
		}
		const gone = "0 one\n(Image 1 (chart) is no longer shown: others came since.)"
		if diff := cmp.Diff([]string{gone, gone, "1 one", "1 one"}, got); diff != "" {
			t.Error(diff)
		}
		long := newWorld(t).node(&agent.Agent{Name: "helper", Model: callOnce(strings.Fields(strings.Repeat("tracker__do ", 6))...), Toolboxes: []agent.Toolbox{
			returning(agent.Result{Text: "one", Content: []agent.Content{image(png(3 << 20))}}),
		}})
		ref := long.say("c", "all of them")
		kept, over := 0, 0
		for _, line := range long.follow(ref).rest() {
			if strings.HasPrefix(line, "succeeded") {
				kept++
			}
		}
		runs, err := long.History(t.Context(), alice, "c")
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range runs[0].Events() {
			if e.Result != nil && strings.Contains(e.Result.Text, "(Image 1 is left out: the images of a turn may have 16 MiB.)") {
				over++
			}
		}
		if kept != 6 || over != 1 {
			t.Errorf("%d calls, of which %d were over", kept, over)
		}
	})
}

func TestAFailureIsToldInWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := &watching{}
		n := newWorld(t).node(&agent.Agent{Name: "helper", Model: model, Toolboxes: []agent.Toolbox{
			returning(agent.Result{Failed: true, Text: "no", Content: []agent.Content{image(png(10))}}),
		}})
		n.follow(n.say("c", "show me")).until(agent.Finished)
		if r := model.results()[0]; len(r.Images()) != 0 || r.Text != "no\n(Image 1 (chart) is shown to the user alone, because the call failed.)" {
			t.Errorf("the model has seen %+v", r)
		}
	})
}

func TestTheProgressOfACallIsToldAndNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		going := make(chan struct{})
		tracker := &box{name: "tracker", call: func(_ context.Context, c *agent.Invocation) (agent.Result, error) {
			for i := range 100 { // in no time: the first and the last are told
				c.Progress(agent.Progress{Done: float64(i + 1), Total: 100, Text: "reading"})
			}
			time.Sleep(time.Second)
			<-going
			return agent.Result{Text: "done"}, nil
		}}
		n := newWorld(t).node(&agent.Agent{Name: "helper", Model: callOnce("tracker__do"), Toolboxes: []agent.Toolbox{tracker}})
		ref := n.say("c", "go")
		s := n.follow(ref)
		first := s.until(agent.Progressed)
		if first.ID == "" || first.Box != "tracker" || first.Progress.Total != 100 {
			t.Errorf("told %+v", first)
		}
		told := 1
		for e := first; e.Progress.Done != 100; told++ {
			e = s.until(agent.Progressed)
		}
		if told > 2 {
			t.Errorf("told %d times", told)
		}
		if late := n.follow(ref).until(agent.Progressed); late.Progress.String() != "100 of 100, reading" {
			t.Errorf("who comes later is told %q", late.Progress)
		}
		close(going)
		s.until(agent.Finished)
		for _, line := range n.follow(ref).rest() {
			if strings.HasPrefix(line, string(agent.Progressed)) {
				t.Errorf("kept: %s", line)
			}
		}
	})
}

func TestProgressOfADelegatesCallIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tracker := &box{name: "tracker", call: func(_ context.Context, c *agent.Invocation) (agent.Result, error) {
			c.Progress(agent.Progress{Text: "looking"})
			time.Sleep(time.Second)
			return agent.Result{Text: "done"}, nil
		}}
		n := newWorld(t).node(
			&agent.Agent{Name: "helper", Model: callOnce("delegate_to_clerk"), Delegates: []string{"clerk"}},
			&agent.Agent{Name: "clerk", Model: callOnce("tracker__do"), Toolboxes: []agent.Toolbox{tracker}})
		s := n.follow(n.say("c", "go"))
		within := s.until(agent.Called).ID
		if e := s.until(agent.Progressed); e.Agent != "clerk" || e.Within != within || e.Progress.String() != "looking" {
			t.Errorf("told %+v", e)
		}
		s.until(agent.Finished)
	})
}

// A run as it was stored when results were texts alone.
const oldRun = `{"ref":{"tenant":"default","user":"alice","conversation":"c","run":"r1"},"method":"test","agent":"helper","message":"m1","text":"go",
	"status":"ended","phase":"end","reason":"done","reply":"ok","steps":[{"calls":["r1-0-0"]},{"text":"ok"}],
	"calls":{"r1-0-0":{"id":"r1-0-0","model":"m1","name":"tracker__do","box":"tracker","tool":{"Name":"do"},"args":{},"state":"finished","result":{"text":"seven"}}},
	"log":[{"type":"started","id":"r1"},{"type":"succeeded","id":"r1-0-0","result":{"text":"seven"}},{"type":"finished","reason":"done"}],
	"created":"2026-01-01T00:00:00Z","updated":"2026-01-01T00:00:00Z"}`

func TestARunOfTextsAloneIsStillRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, model := newWorld(t), &watching{}
		w.keys = nil
		if _, err := w.store.Save(t.Context(), parley.Record{
			Address: parley.Address{Tenant: "default", Kind: "run", Key: "alice/c/r1"}, Owner: "alice", Data: []byte(oldRun),
		}); err != nil {
			t.Fatal(err)
		}
		n := w.node(&agent.Agent{Name: "helper", Model: model, Toolboxes: []agent.Toolbox{returning(agent.Result{Text: "eight"})}})
		runs, err := n.History(t.Context(), alice, "c")
		if err != nil || len(runs) != 1 || runs[0].Events()[1].Result.Text != "seven" {
			t.Fatalf("read %+v, %v", runs, err)
		}
		n.follow(n.say("c", "again")).until(agent.Finished)
		all := model.results()
		if all[len(all)-1].Text != "eight" {
			t.Errorf("the model has seen %+v", all)
		}
	})
}
