package demoprovider_test

import (
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// pageForm is a form as a browser sees it.
type pageForm struct {
	action  string
	hidden  url.Values
	buttons map[string]bool // name=value
	inputs  []string        // the names of what can be typed
}

func parseForms(t *testing.T, page string) []pageForm {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var forms []pageForm
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == "form" {
			forms = append(forms, readForm(n))
		}
	}
	return forms
}

func readForm(form *html.Node) pageForm {
	f := pageForm{action: attribute(form, "action"), hidden: url.Values{}, buttons: map[string]bool{}}
	for n := range form.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		name, value := attribute(n, "name"), attribute(n, "value")
		switch {
		case n.Data == "button" && name != "":
			f.buttons[name+"="+value] = true
		case n.Data == "button":
			for field, values := range f.hidden { // a form with one plain button is known by its hidden field
				f.buttons[field+"="+values[0]] = true
			}
		case n.Data == "input" && attribute(n, "type") == "hidden":
			f.hidden.Add(name, value)
		case n.Data == "input":
			f.inputs = append(f.inputs, name)
		}
	}
	return f
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
