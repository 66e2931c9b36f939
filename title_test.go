package parley_test

import (
	"testing"

	"github.com/parley-hq/parley"
)

func TestAServiceIsCalledByItsTitle(t *testing.T) {
	for want, r := range map[string]parley.Request{
		"Office shop": {From: "shop", Labels: map[string]string{parley.LabelTitle: "Office shop"}},
		"shop":        {From: "shop", Labels: map[string]string{parley.LabelTitle: "[bank] shop"}}, // it could forge another's
		"bank":        {From: "bank"},
	} {
		r.Message = "Which one?"
		if got := r.Service(); got != want {
			t.Errorf("%+v is called %q, want %q", r, got, want)
		}
		if got := r.Text(); got != "["+want+"] Which one?" {
			t.Errorf("%+v reads %q", r, got)
		}
	}
}
