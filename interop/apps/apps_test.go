package apps_test

import (
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

func TestAForm(t *testing.T) {
	w := newWorld(t)
	for _, bridge := range []string{"2.0.4", "1.7.5"} {
		t.Run(bridge, func(t *testing.T) {
			c := w.chat(t, bridge, "alice", kit.AppOptions{})
			turn := c.Turn("new__form", kit.Fields{"token": "f" + bridge})
			card := c.App(0)
			card.WaitFor("What is your name?")
			card.Fill("Name", "Ada")
			c.Press(card, "submit")
			card.WaitFor("Answered.")
			if last := c.Last(turn); last.Text != `form accept {"name":"Ada"}` {
				t.Errorf("the model got %+v", last)
			}
			c.Screenshot("form")
		})
	}
}
