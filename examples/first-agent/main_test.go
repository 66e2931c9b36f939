package main

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const pens = "Order 3 boxes of pens"

// said runs the program once, as a process of its own would.
func said(t *testing.T, file, text, in string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := run(t.Context(), file, text, strings.NewReader(in), &out)
	return out.String(), err
}

func TestAnOrderIsMadeWhenThePersonSaysYes(t *testing.T) {
	for in, want := range map[string]string{"y\n": "Ordered: 3 boxes of pens.\n", "n\n": "The user said no.\n"} {
		got, err := said(t, filepath.Join(t.TempDir(), "office.db"), pens, in)
		if err != nil || got != "[shop] Order 3 boxes of pens? (y or n)\n"+want {
			t.Errorf("%q: %q, %v", in, got, err)
		}
	}
}

func TestAQuestionThatNobodyAnsweredIsThereForTheNextProcess(t *testing.T) {
	file := filepath.Join(t.TempDir(), "office.db")
	if _, err := said(t, file, pens, ""); !errors.Is(err, errNobody) {
		t.Fatal(err)
	}
	got, err := said(t, file, pens, "y\n")
	if err != nil || !strings.HasSuffix(got, "Ordered: 3 boxes of pens.\n") {
		t.Errorf("the second process: %q, %v", got, err)
	}
	got, err = said(t, file, pens, "")
	if err != nil || got != "Ordered: 3 boxes of pens.\n" {
		t.Errorf("the third is told how it ended, and asks nothing: %q, %v", got, err)
	}
}
