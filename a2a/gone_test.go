package a2a_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	wire "github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley/agent"
)

// goneBox is a toolbox whose server is away.
type goneBox struct{ box }

func (*goneBox) Tools(context.Context, agent.Caller) ([]agent.Tool, error) {
	return nil, errors.New("dial tcp 10.0.0.7:443: connection refused")
}

// A program takes an answer for whole that does not say what it comes without.
func TestATaskSaysWhichServersWereMissing(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		one := helper()
		one.Toolboxes = append(one.Toolboxes, &goneBox{box{name: "drive"}})
		task := newSite(t, nil, one).client("alice", way).send(says("Go"))
		state(t, task, wire.TaskStateCompleted)
		text := told(task.Status.Message)
		if strings.Count(text, "The tools of drive are not available just now. The answer comes without them.") != 1 || strings.Contains(text, "10.0.0.7") {
			t.Errorf("%q", text)
		}
	})
}
