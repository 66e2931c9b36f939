package parley_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
)

func TestBadQuestionsAreRefusedWithAReason(t *testing.T) {
	many := map[string]string{}
	fields := []string{}
	for i := range 100 {
		many[fmt.Sprint(i)] = "x"
		fields = append(fields, fmt.Sprintf(`"f%d":{"type":"string"}`, i))
	}
	schema := func(s string) func(*parley.Request) {
		return func(r *parley.Request) { r.Schema = json.RawMessage(s) }
	}
	url := func(s string) func(*parley.Request) {
		return func(r *parley.Request) { r.Mode, r.Schema, r.URL = parley.URL, nil, s }
	}
	for name, bad := range map[string]struct {
		change func(*parley.Request)
		want   error
	}{
		"no owner":          {func(r *parley.Request) { r.To = "" }, parley.ErrNoOwner},
		"no message":        {func(r *parley.Request) { r.Message = " \n" }, parley.ErrInvalid},
		"long message":      {func(r *parley.Request) { r.Message = strings.Repeat("x", 17<<10) }, parley.ErrTooLarge},
		"escape in message": {func(r *parley.Request) { r.Message = "a\x1b[2Jb" }, parley.ErrInvalid},
		"sealed mark":       {func(r *parley.Request) { r.Message = "\x01sealed:x" }, parley.ErrInvalid},
		"broken UTF-8":      {func(r *parley.Request) { r.Message = "a\xff" }, parley.ErrInvalid},
		"forged service":    {func(r *parley.Request) { r.From = "evil] [bank" }, parley.ErrInvalid},
		"newline in name":   {func(r *parley.Request) { r.From = "a\nb" }, parley.ErrInvalid},
		"long user":         {func(r *parley.Request) { r.To = strings.Repeat("x", 513) }, parley.ErrTooLarge},
		"many labels":       {func(r *parley.Request) { r.Labels = maps.Clone(many) }, parley.ErrTooLarge},
		"long label":        {func(r *parley.Request) { r.Labels = map[string]string{"k": strings.Repeat("x", 513)} }, parley.ErrTooLarge},
		"unknown mode":      {func(r *parley.Request) { r.Mode = "voice" }, parley.ErrInvalid},
		"own id":            {func(r *parley.Request) { r.ID = "mine" }, parley.ErrInvalid},
		"over already":      {func(r *parley.Request) { r.Expires = time.Now().Add(-time.Second) }, parley.ErrInvalid},
		"ten years":         {func(r *parley.Request) { r.Expires = time.Now().AddDate(10, 0, 0) }, parley.ErrTooLarge},
		"form with URL":     {func(r *parley.Request) { r.URL = "https://example.com" }, parley.ErrInvalid},
		"schema not JSON":   {schema(`{`), form.ErrSchema},
		"schema large":      {schema(`{"type":"object","description":"` + strings.Repeat("x", 65<<10) + `"}`), form.ErrTooLarge},
		"schema deep":       {schema(strings.Repeat(`{"a":`, 50) + `1` + strings.Repeat(`}`, 50)), form.ErrTooLarge},
		"many fields":       {schema(`{"type":"object","properties":{` + strings.Join(fields, ",") + `}}`), form.ErrTooLarge},
		"nested":            {schema(`{"type":"object","properties":{"address":{"type":"object","properties":{}}}}`), form.ErrNested},
		"URL with schema":   {func(r *parley.Request) { r.Mode, r.URL = parley.URL, "https://example.com" }, parley.ErrInvalid},
		"no URL":            {url(""), parley.ErrInvalid},
		"javascript":        {url("javascript:alert(1)"), parley.ErrInvalid},
		"data":              {url("data:text/html,x"), parley.ErrInvalid},
		"plain http":        {url("http://example.com/"), parley.ErrInvalid},
		"user in URL":       {url("https://bank.example@evil.example/"), parley.ErrInvalid},
		"relative URL":      {url("/connect"), parley.ErrInvalid},
		"long URL":          {url("https://example.com/" + strings.Repeat("x", 5000)), parley.ErrTooLarge},
		"tab in URL":        {url("https://example.com/\tx"), parley.ErrInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			store := parley.NewMemoryStore()
			r := confirm()
			bad.change(&r)
			_, err := parley.New(store, nil).Open(t.Context(), r)
			if !errors.Is(err, bad.want) {
				t.Fatalf("error %v, want %v", err, bad.want)
			}
			if list, _ := store.List(t.Context(), parley.Query{}); len(list) != 0 {
				t.Error("it was stored all the same")
			}
		})
	}
	hub := parley.New(parley.NewMemoryStore(), nil)
	for _, fine := range []string{"https://example.com/a?b=c#d", "http://127.0.0.1:8420/x", "http://localhost/x", "http://[::1]:1/"} {
		r := confirm()
		url(fine)(&r)
		open(t, hub, r)
	}
}

func TestAPersonHasOnlySoManyOpenQuestions(t *testing.T) {
	hub := parley.New(parley.NewMemoryStore(), &parley.Options{Limits: parley.Limits{Pending: 2}})
	first := open(t, hub, confirm())
	open(t, hub, confirm())
	_, err := hub.Open(t.Context(), confirm())
	wantError(t, err, parley.ErrTooManyPending)
	if err := hub.Answer(t.Context(), alice, first.ID, yes()); err != nil {
		t.Fatal(err)
	}
	open(t, hub, confirm())
}
