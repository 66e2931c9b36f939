package markup_test

import (
	"bytes"
	"html/template"
	"strings"
	"testing"

	"github.com/parley-hq/parley/pages/markup"
)

// places are constants with one hole each, and the same for html/template.
var places = map[string]struct {
	put      func(w *markup.Writer, value string)
	template string
}{
	"text":     {func(w *markup.Writer, v string) { w.Put(`<p>{}</p>`, v) }, `<p>{{.}}</p>`},
	"title":    {func(w *markup.Writer, v string) { w.Put(`<title>{}</title>`, v) }, `<title>{{.}}</title>`},
	"textarea": {func(w *markup.Writer, v string) { w.Put(`<textarea>{}</textarea>`, v) }, `<textarea>{{.}}</textarea>`},
	"value":    {func(w *markup.Writer, v string) { w.Put(`<p id="{}-about">`, v) }, `<p id="{{.}}-about">`},
	"address":  {func(w *markup.Writer, v string) { w.Put(`<a href="{}">`, v) }, `<a href="{{.}}">`},
	"path":     {func(w *markup.Writer, v string) { w.Put(`<form method="post" action="/answer/{}">`, v) }, `<form method="post" action="/answer/{{.}}">`},
	"query":    {func(w *markup.Writer, v string) { w.Put(`<a href="/a?b={}&c">`, v) }, `<a href="/a?b={{.}}&c">`},
	"fragment": {func(w *markup.Writer, v string) { w.Put(`<a href="#{}">`, v) }, `<a href="#{{.}}">`},
	"data":     {func(w *markup.Writer, v string) { w.Put(`<p data-then="{}">`, v) }, `<p data-then="{{.}}">`},
	"source":   {func(w *markup.Writer, v string) { w.Put(`<script src="{}" defer></script>`, v) }, `<script src="{{.}}" defer></script>`},
	"data address, in two constants": {
		func(w *markup.Writer, v string) { w.Put("<p\ndata-"); w.Put(`action="{}"`, v); w.Put(`>`) }, "<p\ndata-action=\"{{.}}\">",
	},
	"text behind a script": {
		func(w *markup.Writer, v string) { w.Put(`<script>a < b > "c"</script><p>{}`, v) }, `<script>a < b > "c"</script><p>{{.}}`,
	},
}

// FuzzAHoleIsEscapedAsHTMLTemplateDoes compares byte for byte.
func FuzzAHoleIsEscapedAsHTMLTemplateDoes(f *testing.F) {
	for _, value := range []string{
		"", "plain", `"><script>alert('1')</script>`, "a & b &amp; + ` = {} \x00 \xff é\n", "</title></textarea>", "javascript:alert(1)", " JavaScript:alert(1)", "java\nscript:1",
		"data:text/html,<b>", "vbscript:x", "https://acme.example/a b?x='()\"#%41%4%zz", "HTTP://x", "mailto:a@b.example", "/a:b", "?a:b", "//host/x", "../x", `\\host`, "%6aavascript:x",
	} {
		f.Add(value)
	}
	parsed := map[string]*template.Template{}
	for name, place := range places {
		parsed[name] = template.Must(template.New(name).Parse(place.template))
	}
	f.Fuzz(func(t *testing.T, value string) {
		for name, place := range places {
			var w markup.Writer
			place.put(&w, value)
			got, err := w.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			var want bytes.Buffer
			if err := parsed[name].Execute(&want, value); err != nil {
				t.Fatal(err)
			}
			if string(got) != want.String() {
				t.Errorf("%s: %q\n got %s\nwant %s", name, value, got, want.Bytes())
			}
		}
	})
}

func TestAHoleWhereNothingCanBeEscapedIsAnError(t *testing.T) {
	for name, put := range map[string]func(w *markup.Writer){
		"element":          func(w *markup.Writer) { w.Put(`<{}>`, "b") },
		"attribute":        func(w *markup.Writer) { w.Put(`<p {}>`, "onclick") },
		"attribute later":  func(w *markup.Writer) { w.Put(`<p id="a"`); w.Put(` {}>`, "onclick") },
		"no quotes":        func(w *markup.Writer) { w.Put(`<p id={}>`, "a") },
		"single quotes":    func(w *markup.Writer) { w.Put(`<p id='{}'>`, "a") },
		"script":           func(w *markup.Writer) { w.Put(`<script>{}</script>`, "a") },
		"script later":     func(w *markup.Writer) { w.Put(`<SCRIPT type="module">`); w.Put(`let a = "{}"`, "a") },
		"style element":    func(w *markup.Writer) { w.Put(`<style>{}</style>`, "a") },
		"style":            func(w *markup.Writer) { w.Put(`<p style="{}">`, "a") },
		"handler":          func(w *markup.Writer) { w.Put(`<p onclick="{}">`, "a") },
		"document":         func(w *markup.Writer) { w.Put(`<iframe srcdoc="{}">`, "a") },
		"comment":          func(w *markup.Writer) { w.Put(`<!-- {} -->`, "a") },
		"value in two":     func(w *markup.Writer) { w.Put(`<a href="`); w.Put(`{}">`, "javascript:alert(1)") },
		"address in two":   func(w *markup.Writer) { w.Put(`<a href="{}{}">`, "java", "script:alert(1)") },
		"too few values":   func(w *markup.Writer) { w.Put(`<p>{}{}`, "a") },
		"too many values":  func(w *markup.Writer) { w.Put(`<p>{}`, "a", "b") },
		"end within a tag": func(w *markup.Writer) { w.Put(`<p>{}<p`, "a") },
	} {
		t.Run(name, func(t *testing.T) {
			var w markup.Writer
			put(&w)
			w.Put(`<p>{}</p>`, "what follows changes nothing")
			if page, err := w.Bytes(); err == nil {
				t.Errorf("no error for %s", page)
			}
		})
	}
}

func TestIfWritesWhereItIsTrue(t *testing.T) {
	var w markup.Writer
	w.If(true, `<b>{}</b>`, "yes")
	w.If(false, `<i>{}</i>`, "no")
	if page, err := w.Bytes(); err != nil || string(page) != "<b>yes</b>" {
		t.Errorf("got %q, %v", page, err)
	}
}

func TestAnErrorNamesTheConstant(t *testing.T) {
	var w markup.Writer
	w.Put(`<p onclick="{}">`, "secret value")
	if _, err := w.Bytes(); err == nil || !strings.Contains(err.Error(), `<p onclick="{}">`) || strings.Contains(err.Error(), "secret value") {
		t.Errorf("got %v", err)
	}
}
