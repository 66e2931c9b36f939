package pages_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/parley-hq/parley"
)

// values is a form as a browser sends it, written as name=value.
func values(pairs ...string) url.Values {
	v := url.Values{"action": {"accept"}}
	for _, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		v.Add("field."+name, value)
	}
	return v
}

func formOf(properties, required string) []byte {
	return fmt.Appendf(nil, `{"type":"object","properties":{%s},"required":[%s]}`, properties, required)
}

func TestFieldsOfEveryKindAreTaken(t *testing.T) {
	const many = `"enum":["a","b","c","d","e","f","g","h","i"]`
	for name, c := range map[string]struct {
		property, required string
		sent               url.Values
		want               string
	}{
		"text as typed":                  {`"x":{"type":"string"}`, ``, values("x=  Äpfel & <b> "), `{"x":"  Äpfel & <b> "}`},
		"text in lines":                  {`"x":{"type":"string","maxLength":999}`, ``, values("x=a\r\nb\r\n\r\nc"), `{"x":"a\nb\n\nc"}`},
		"text left out":                  {`"x":{"type":"string"}`, ``, values("x="), `{}`},
		"text without its default":       {`"x":{"type":"string","default":"d"}`, ``, values("x="), `{"x":""}`},
		"only spaces":                    {`"x":{"type":"string"}`, ``, values("x=  "), `{"x":"  "}`},
		"email":                          {`"x":{"type":"string","format":"email"}`, ``, values("x= a@b.example "), `{"x":"a@b.example"}`},
		"uri":                            {`"x":{"type":"string","format":"uri"}`, ``, values("x=https://a.example/?q=1&r=2"), `{"x":"https://a.example/?q=1&r=2"}`},
		"date":                           {`"x":{"type":"string","format":"date"}`, ``, values("x=2026-02-28"), `{"x":"2026-02-28"}`},
		"date and time":                  {`"x":{"type":"string","format":"date-time"}`, ``, values("x=2026-02-28T09:30", "x.zone=+05:45"), `{"x":"2026-02-28T09:30:00+05:45"}`},
		"date and time in UTC":           {`"x":{"type":"string","format":"date-time"}`, ``, values("x=2026-02-28T09:30:15.5", "x.zone=Z"), `{"x":"2026-02-28T09:30:15.5Z"}`},
		"date and time with zone":        {`"x":{"type":"string","format":"date-time"}`, ``, values("x=2026-02-28T09:30:00-03:00", "x.zone=Z"), `{"x":"2026-02-28T09:30:00-03:00"}`},
		"date and time left out":         {`"x":{"type":"string","format":"date-time"}`, ``, values("x=", "x.zone=+01:00"), `{}`},
		"integer":                        {`"x":{"type":"integer"}`, ``, values("x= 12 "), `{"x":12}`},
		"big integer":                    {`"x":{"type":"integer"}`, ``, values("x=123456789012345678901234567890"), `{"x":123456789012345678901234567890}`},
		"integer with zeros":             {`"x":{"type":"integer"}`, ``, values("x=+007"), `{"x":7}`},
		"zero":                           {`"x":{"type":"integer"}`, ``, values("x=-000"), `{"x":0}`},
		"integer left out":               {`"x":{"type":"integer"}`, ``, values("x="), `{}`},
		"number":                         {`"x":{"type":"number"}`, ``, values("x=-.50"), `{"x":-0.50}`},
		"number with exponent":           {`"x":{"type":"number"}`, ``, values("x=1.e3"), `{"x":1e3}`},
		"typographic minus":              {`"x":{"type":"number"}`, ``, values("x=\u22125.25"), `{"x":-5.25}`},
		"checkbox":                       {`"x":{"type":"boolean"}`, ``, values("x=true"), `{"x":true}`},
		"empty checkbox":                 {`"x":{"type":"boolean"}`, ``, values(), `{"x":false}`},
		"checkbox emptied":               {`"x":{"type":"boolean","default":true}`, `"x"`, values(), `{"x":false}`},
		"yes":                            {`"x":{"type":"boolean"}`, `"x"`, values("x=true"), `{"x":true}`},
		"no":                             {`"x":{"type":"boolean"}`, `"x"`, values("x=false"), `{"x":false}`},
		"choice":                         {`"x":{"type":"string","enum":["a","b"]}`, ``, values("x=option-1"), `{"x":"b"}`},
		"choice of titles":               {`"x":{"type":"string","oneOf":[{"const":"1","title":"One"},{"const":"0","title":"Zero"}]}`, ``, values("x=option-0"), `{"x":"1"}`},
		"choice with legacy titles":      {`"x":{"type":"string","enum":["1","2"],"enumNames":["One","Two"]}`, ``, values("x=option-1"), `{"x":"2"}`},
		"choice of numbers":              {`"x":{"type":"integer","enum":[10,20]}`, ``, values("x=option-1"), `{"x":20}`},
		"choice of alternatives":         {`"x":{"anyOf":[{"type":"number","const":1},{"type":"number","const":2}]}`, `"x"`, values("x=option-1"), `{"x":2}`},
		"what may be null":               {`"x":{"anyOf":[{"type":"string"},{"type":"null"}]}`, ``, values("x="), `{}`},
		"null, since it is required":     {`"x":{"anyOf":[{"type":"integer"},{"type":"null"}]}`, `"x"`, values("x="), `{"x":null}`},
		"null, since it has a default":   {`"x":{"type":["number","null"],"default":2.5}`, ``, values("x="), `{"x":null}`},
		"no text, since it may be null":  {`"x":{"type":["string","null"],"default":"d"}`, ``, values("x="), `{"x":null}`},
		"neither yes nor no":             {`"x":{"type":["boolean","null"]}`, `"x"`, values(), `{"x":null}`},
		"no, though it may be null":      {`"x":{"type":["boolean","null"]}`, ``, values("x=false"), `{"x":false}`},
		"choice of titled numbers":       {`"x":{"type":"number","oneOf":[{"const":0.5,"title":"Half"},{"const":1,"title":"Whole"}]}`, `"x"`, values("x=option-0"), `{"x":0.5}`},
		"one text":                       {`"x":{"type":"string","const":"agreed"}`, `"x"`, values("x=option-0"), `{"x":"agreed"}`},
		"a pattern is for who asks":      {`"x":{"type":"string","pattern":"^[a-z]$"}`, ``, values("x=42"), `{"x":"42"}`},
		"nothing to choose from":         {`"x":{"type":"string","enum":[]}`, `"x","y"`, values("x=typed"), `{"x":"typed"}`},
		"choice of an empty text":        {`"x":{"type":"string","enum":["","b"]}`, ``, values("x=option-0"), `{"x":""}`},
		"choice of lines":                {`"x":{"type":"string","enum":["a\r\nb","c"]}`, ``, values("x=option-0"), `{"x":"a\r\nb"}`},
		"choice taken back":              {`"x":{"type":"string","enum":["a","b"]}`, ``, values("x="), `{}`},
		"yes taken back":                 {`"x":{"type":["boolean","null"]}`, ``, values("x="), `{}`},
		"choice left out":                {`"x":{"type":"string","enum":["a","b"]}`, ``, values(), `{}`},
		"choice from a list":             {`"x":{"type":"string",` + many + `}`, ``, values("x=option-8"), `{"x":"i"}`},
		"choice from a list left out":    {`"x":{"type":"string",` + many + `}`, ``, values("x="), `{}`},
		"choices":                        {`"x":{"type":"array","items":{"type":"string","enum":["a","b","c"]}}`, ``, values("x=option-0", "x=option-2"), `{"x":["a","c"]}`},
		"titled choices":                 {`"x":{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]}}`, ``, values("x=option-0"), `{"x":["a"]}`},
		"choices left out":               {`"x":{"type":"array","items":{"type":"string","enum":["a"]}}`, ``, values(), `{}`},
		"no choices where some are due":  {`"x":{"type":"array","items":{"type":"string","enum":["a"]}}`, `"x"`, values(), `{"x":[]}`},
		"choices without their default":  {`"x":{"type":"array","items":{"type":"string","enum":["a"]},"default":["a"]}`, ``, values(), `{"x":[]}`},
		"choices as in their default":    {`"x":{"type":"array","items":{"type":"string","enum":["a","b","c"]},"default":["c","a"]}`, ``, values("x=option-0", "x=option-2"), `{"x":["c","a"]}`},
		"choices unlike their default":   {`"x":{"type":"array","items":{"type":"string","enum":["a","b","c"]},"default":["c","a"]}`, ``, values("x=option-1", "x=option-2"), `{"x":["b","c"]}`},
		"fields that nobody asked for":   {`"x":{"type":"string"}`, ``, values("x=1", "y=2", "action=decline"), `{"x":"1"}`},
		"names like ours":                {`"action":{"type":"string"},"field.x":{"type":"string"}`, ``, values("action=decline", "field.x=y"), `{"action":"decline","field.x":"y"}`},
		"several, in the form's order":   {`"b":{"type":"string"},"a":{"type":"integer"}`, ``, values("a=1", "b=2"), `{"b":"2","a":1}`},
		"names with all kinds of signs":  {`"a b\"<>[0]&=é":{"type":"string"}`, ``, url.Values{"action": {"accept"}, `field.a b"<>[0]&=é`: {"v"}}, `{"a b\"<>[0]&=é":"v"}`},
		"a form without fields":          {``, ``, values(), `{}`},
		"number that is no JSON number":  {`"x":{"type":"number"}`, ``, values("x=5."), `{"x":5}`},
		"text that looks like a number":  {`"x":{"type":"string"}`, ``, values("x=007"), `{"x":"007"}`},
		"text that looks like an option": {`"x":{"type":"string"}`, ``, values("x=option-0"), `{"x":"option-0"}`},
	} {
		t.Run(name, func(t *testing.T) {
			s := devSite(t)
			q := s.open(parley.Request{Schema: formOf(c.property, c.required)})
			b := s.as("alice")
			b.get(path(q)).want(http.StatusOK)
			b.post(path(q), c.sent).want(http.StatusSeeOther)
			if got := string(s.get(q.ID, "alice").Outcome.Content); got != c.want {
				t.Errorf("content %s, want %s", got, c.want)
			}
		})
	}
}

// A browser has no way to empty radio buttons.
func TestAChoiceThatMayBeLeftOutCanBeTakenBack(t *testing.T) {
	for property, want := range map[string]string{
		`"x":{"type":"string","enum":["a","b"]}`:               "field-0-none",
		`"x":{"type":["boolean","null"]}`:                      "field-0-none",
		`"x":{"type":"string","enum":["a","b"],"default":"b"}`: "field-0-1",
		`"y":{"type":"string","enum":["a","b"]}`:               "", // required
		`"y":{"type":"boolean"}`:                               "",
	} {
		s := devSite(t)
		b := s.as("alice")
		q := s.open(parley.Request{Schema: formOf(property, `"y"`)})
		page := b.get(path(q)).want(http.StatusOK)
		chosen := ""
		for _, radio := range page.find("input", "type=radio") {
			if has(radio, "checked") {
				chosen += attr(radio, "id")
			}
		}
		if chosen != want {
			t.Errorf("%s: %q is chosen", property, chosen)
		}
		if want == "field-0-none" {
			page.says("No answer")
			continue
		}
		page.lacks("No answer")
	}
}

func TestWhatIsWrongStandsBesideTheField(t *testing.T) {
	for name, c := range map[string]struct {
		property, required string
		sent               url.Values
		want               string
		target             string // where the list of errors leads
	}{
		"required text":                 {`"x":{"type":"string","title":"Name"}`, `"x"`, values("x= "), "Name is required.", "field-0"},
		"required text with default":    {`"x":{"type":"string","title":"Name","default":"d"}`, `"x"`, values("x="), "Name is required.", "field-0"},
		"required number":               {`"x":{"type":"integer","title":"Cups","default":2}`, `"x"`, values("x="), "Cups is required.", "field-0"},
		"required answer":               {`"x":{"type":"boolean","title":"Sure?"}`, `"x"`, values(), "Sure? is required.", "field-0-yes"},
		"required choice":               {`"x":{"type":"string","title":"Size","enum":["s","m"]}`, `"x"`, values(), "Size is required.", "field-0-0"},
		"required list":                 {`"x":{"type":"string","title":"Day","enum":["1","2","3","4","5","6","7","8"]}`, `"x"`, values("x="), "Day is required.", "field-0"},
		"number emptied":                {`"x":{"type":"integer","title":"Cups","default":2}`, ``, values("x="), "Cups cannot be left empty; its default is 2.", "field-0"},
		"long number emptied":           {`"x":{"type":"number","title":"Sum","default":0.1000000000000000055}`, ``, values("x="), "Sum cannot be left empty; its default is 0.1000000000000000055.", "field-0"},
		"date emptied":                  {`"x":{"type":"string","title":"Day","format":"date","default":"2026-03-01"}`, ``, values("x="), "Day cannot be left empty; its default is 2026-03-01.", "field-0"},
		"too short":                     {`"x":{"type":"string","title":"Code","minLength":3}`, ``, values("x=ab"), "Code must be at least 3 characters long.", "field-0"},
		"too long":                      {`"x":{"type":"string","title":"Code","maxLength":3}`, ``, values("x=abcd"), "Code must be at most 3 characters long.", "field-0"},
		"no email":                      {`"x":{"type":"string","title":"Mail","format":"email"}`, ``, values("x=nobody"), "Mail must be an email address such as name@example.com.", "field-0"},
		"no address":                    {`"x":{"type":"string","title":"Link","format":"uri"}`, ``, values("x=here"), "Link must be a full address such as https://example.com/page.", "field-0"},
		"no date":                       {`"x":{"type":"string","title":"Day","format":"date"}`, ``, values("x=2026-02-30"), "Day must be a date such as 2026-01-31.", "field-0"},
		"no time":                       {`"x":{"type":"string","title":"At","format":"date-time"}`, ``, values("x=noon", "x.zone=Z"), "At must be a date and time with a time zone such as 2026-01-31T09:30:00Z.", "field-0"},
		"no zone":                       {`"x":{"type":"string","title":"At","format":"date-time"}`, ``, values("x=2026-01-31T09:30"), "At must be a date and time with a time zone such as 2026-01-31T09:30:00Z.", "field-0"},
		"no number":                     {`"x":{"type":"number","title":"Sum"}`, ``, values("x=1,5"), "Sum must be a number.", "field-0"},
		"no number at all":              {`"x":{"type":"number","title":"Sum"}`, ``, values("x=-"), "Sum must be a number.", "field-0"},
		"not whole":                     {`"x":{"type":"integer","title":"Cups"}`, ``, values("x=1.5"), "Cups must be a whole number.", "field-0"},
		"too small":                     {`"x":{"type":"integer","title":"Cups","minimum":1}`, ``, values("x=0"), "Cups must be at least 1.", "field-0"},
		"too large":                     {`"x":{"type":"number","title":"Sum","maximum":9.5}`, ``, values("x=9.6"), "Sum must be at most 9.5.", "field-0"},
		"an option that is not offered": {`"x":{"type":"string","title":"Size","enum":["s","m"]}`, ``, values("x=option-2"), "Size must be s or m.", "field-0-0"},
		"a value in place of an option": {`"x":{"type":"string","title":"Size","enum":["s","m"]}`, ``, values("x=s"), "Size must be s or m.", "field-0-0"},
		"too few choices":               {`"x":{"type":"array","title":"Tags","items":{"type":"string","enum":["a","b"]},"minItems":1}`, `"x"`, values(), "Tags must have at least 1 choice.", "field-0-0"},
		"too many choices":              {`"x":{"type":"array","title":"Tags","items":{"type":"string","enum":["a","b"]},"maxItems":1}`, ``, values("x=option-0", "x=option-1"), "Tags must have at most 1 choice.", "field-0-0"},
		"the same choice twice":         {`"x":{"type":"array","title":"Tags","items":{"type":"string","enum":["a","b"]}}`, ``, values("x=option-0", "x=option-0"), "Tags must not have the same choice twice.", "field-0-0"},
		"a choice that is not offered":  {`"x":{"type":"array","title":"Tags","items":{"type":"string","enum":["a","b"]}}`, ``, values("x=option-7"), "Tags, choice 1, must be a or b.", "field-0-0"},
	} {
		t.Run(name, func(t *testing.T) {
			s := devSite(t)
			q := s.open(parley.Request{Schema: formOf(c.property+`,"fine":{"type":"string"}`, c.required)})
			sent := c.sent
			sent.Set("field.fine", "kept as typed")
			a := s.as("alice").post(path(q), sent).want(http.StatusUnprocessableEntity)
			if got := content(a.one("p", "class=error")); got != "Error: "+c.want {
				t.Errorf("beside the field: %q, want %q", got, c.want)
			}
			link := a.one("div", "id=problems")
			if !has(link, "autofocus") || attr(link, "role") != "alert" || attr(link, "tabindex") != "-1" {
				t.Errorf("the list of errors is not announced: %v", link.Attr)
			}
			if got := content(a.one("a", "href=#"+c.target)); got != c.want {
				t.Errorf("in the list: %q, want %q", got, c.want)
			}
			if got := attr(a.one("input", "name=field.fine"), "value"); got != "kept as typed" {
				t.Errorf("the other field has %q", got)
			}
			if !strings.HasPrefix(content(a.one("title")), "Error: ") {
				t.Error("the title does not say that something is wrong")
			}
			wantMarked(t, a)
			if !s.get(q.ID, "alice").Pending() {
				t.Error("it was settled")
			}
		})
	}
}

// wantMarked checks that the field in error, and no other, is marked for screen
// readers and names its error.
func wantMarked(t *testing.T, a *answer) {
	t.Helper()
	marked := 0
	for n := range a.dom().Descendants() {
		if attr(n, "aria-invalid") != "true" {
			continue
		}
		marked++
		described := attr(n, "aria-describedby")
		for p := n.Parent; p != nil && described == ""; p = p.Parent {
			if p.Data == "fieldset" {
				described = attr(p, "aria-describedby")
			}
		}
		if !strings.Contains(described, "field-0-error") {
			t.Errorf("<%s id=%s> is described by %q", n.Data, attr(n, "id"), described)
		}
	}
	if marked == 0 {
		t.Error("no field is marked")
	}
}

func TestAllErrorsAreListedInTheOrderOfTheFields(t *testing.T) {
	s := devSite(t)
	q := s.open(parley.Request{Schema: formOf(
		`"c":{"type":"integer","title":"C"},"a":{"type":"string","title":"A","format":"email","maxLength":3},"b":{"type":"string","title":"B"}`, `"b"`)})
	a := s.as("alice").post(path(q), values("c=x", "a=long", "b=")).want(http.StatusUnprocessableEntity)
	var got []string
	for _, li := range a.find("li") {
		got = append(got, content(li))
	}
	want := []string{
		"C must be a whole number.",
		"A must be an email address such as name@example.com. A must be at most 3 characters long.",
		"B is required.",
	}
	if diff := cmp.Diff(want, sortedSentences(got)); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
	for name, value := range map[string]string{"field.c": "x", "field.a": "long", "field.b": ""} {
		if got := attr(a.one("input", "name="+name), "value"); got != value {
			t.Errorf("%s has %q, want %q", name, got, value)
		}
	}
}

// sortedSentences puts the two sentences about A into a fixed order.
func sortedSentences(list []string) []string {
	for i, text := range list {
		if rest, ok := strings.CutPrefix(text, "A must be at most 3 characters long. "); ok {
			list[i] = rest + " A must be at most 3 characters long."
		}
	}
	return list
}

// everyKind is a form with a field of every kind, all with defaults but some.
func everyKind() []byte {
	return formOf(`
		"plain":{"type":"string","title":"Plain","description":"About it","default":"d\"<","minLength":2,"maxLength":9},
		"long":{"type":"string","maxLength":500,"default":"\na\nb"},
		"mail":{"type":"string","format":"email"},
		"link":{"type":"string","format":"uri"},
		"day":{"type":"string","format":"date","default":"2026-03-04"},
		"at":{"type":"string","format":"date-time","default":"2026-03-04T05:06:07.5+13:37"},
		"whole":{"type":"integer","minimum":1,"default":90071992547409931},
		"sum":{"type":"number","maximum":9,"default":1.50},
		"on":{"type":"boolean","default":true},
		"sure":{"type":"boolean"},
		"one":{"type":"string","oneOf":[{"const":"a","title":"Ay"},{"const":"b","title":"Bee"}],"default":"b"},
		"list":{"type":"string","enum":["1","2","3","4","5","6","7","8"],"default":"3"},
		"some":{"type":"array","items":{"type":"string","enum":["x","y","z"]},"default":["x","z"],"minItems":1,"maxItems":2}`,
		`"plain","sure","some"`)
}

func TestFieldsAreShownWithTheirDefaults(t *testing.T) {
	s := devSite(t)
	q := s.open(parley.Request{Schema: everyKind()})
	a := s.as("alice").get(path(q)).want(http.StatusOK)
	for name, want := range map[string]struct{ typ, mode, value string }{
		"plain": {"text", "", `d"<`}, "mail": {"text", "email", ""}, "link": {"text", "url", ""}, "day": {"date", "", "2026-03-04"},
		"at": {"datetime-local", "", "2026-03-04T05:06:07.5"}, "whole": {"text", "numeric", "90071992547409931"},
		"sum": {"text", "decimal", "1.50"},
	} {
		n := a.one("input", "name=field."+name)
		if attr(n, "type") != want.typ || attr(n, "inputmode") != want.mode || attr(n, "value") != want.value {
			t.Errorf("%s: %v, want %+v", name, n.Attr, want)
		}
	}
	if got := content(a.one("textarea")); got != "\na\nb" {
		t.Errorf("textarea %q", got)
	}
	chosen := map[string][]string{}
	for _, n := range append(a.find("input"), a.find("option")...) {
		if has(n, "checked") {
			chosen[attr(n, "name")] = append(chosen[attr(n, "name")], attr(n, "value"))
		}
		if has(n, "selected") {
			chosen[attr(n.Parent, "name")] = append(chosen[attr(n.Parent, "name")], attr(n, "value"))
		}
	}
	want := map[string][]string{
		"field.on": {"true"}, "field.one": {"option-1"}, "field.list": {"option-2"}, "field.some": {"option-0", "option-2"},
		"field.at.zone": {"+13:37"},
	}
	if diff := cmp.Diff(want, chosen); diff != "" {
		t.Errorf("chosen (-want +got):\n%s", diff)
	}
	a.says("About it", "From 2 to 9 characters.", "At most 500 characters.", "A whole number, at least 1.", "A number, at most 9.", "Choose 1 to 2.", "Ay", "Bee")
}

func TestNumbersWithBoundsOfLibrariesAreShown(t *testing.T) {
	s := devSite(t)
	q := s.open(parley.Request{Schema: formOf(`"a":{"type":"number","exclusiveMinimum":0},"b":{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991},`+
		`"c":{"type":"integer","minimum":1,"exclusiveMaximum":9,"multipleOf":2},"d":{"type":"integer","enum":[10,20],"default":20}`, ``)})
	a := s.as("alice").get(path(q))
	a.says("A number, more than 0.", "A whole number.", "A whole number, at least 1, less than 9, a multiple of 2.", "20")
	for _, n := range a.find("input") {
		if has(n, "checked") && attr(n, "value") != "option-1" {
			t.Errorf("%s is chosen", attr(n, "value"))
		}
	}
	s.as("alice").post(path(q), values("a=0", "c=9", "d=option-1")).says("a must be more than 0.", "c must be less than 9.", "c must be a multiple of 2.")
}

// A browser that sends the form as it was shown answers with the defaults.
func TestFormSentAsShownGivesTheDefaults(t *testing.T) {
	s := devSite(t)
	q := s.open(parley.Request{Schema: everyKind()})
	b := s.as("alice")
	b.post(path(q), append(asShown(b.get(path(q))), [2]string{"field.sure", "false"}).form()).want(http.StatusSeeOther)
	want := `{"plain":"d\"<","long":"\na\nb","day":"2026-03-04","at":"2026-03-04T05:06:07.5+13:37","whole":90071992547409931,` +
		`"sum":1.50,"on":true,"sure":false,"one":"b","list":"3","some":["x","z"]}`
	if got := string(s.get(q.ID, "alice").Outcome.Content); got != want {
		t.Errorf("content %s\nwant    %s", got, want)
	}
}

// What was refused can be sent again as it is shown.
func TestFormShownAgainHasWhatWasEntered(t *testing.T) {
	s := devSite(t)
	q := s.open(parley.Request{Schema: everyKind()})
	b := s.as("alice")
	sent := values("plain=x", "long=c\r\nd", "mail=m@x.example", "link=https://x.example", "day=2027-01-01", "at=2027-01-01T01:02", "at.zone=-03:30",
		"whole=5", "sum=2.5", "sure=true", "one=option-0", "list=option-7", "some=option-1")
	first := b.post(path(q), sent).want(http.StatusUnprocessableEntity).says("Plain must be at least 2 characters long.")
	again := asShown(first).form()
	again.Set("field.plain", "xy")
	b.post(path(q), again).want(http.StatusSeeOther)
	want := `{"plain":"xy","long":"c\nd","mail":"m@x.example","link":"https://x.example","day":"2027-01-01","at":"2027-01-01T01:02:00-03:30",` +
		`"whole":5,"sum":2.5,"on":false,"sure":true,"one":"a","list":"8","some":["y"]}`
	if got := string(s.get(q.ID, "alice").Outcome.Content); got != want {
		t.Errorf("content %s\nwant    %s", got, want)
	}
}

type pairs [][2]string

func (p pairs) form() url.Values {
	v := url.Values{"action": {"accept"}}
	for _, pair := range p {
		v.Add(pair[0], pair[1])
	}
	return v
}

// asShown is what a browser would send if somebody pressed the button at once.
func asShown(a *answer) pairs {
	var sent pairs
	for n := range a.dom().Descendants() {
		name := attr(n, "name")
		if !strings.HasPrefix(name, "field.") && n.Data != "option" {
			continue
		}
		switch typ := attr(n, "type"); {
		case n.Data == "textarea":
			sent = append(sent, [2]string{name, strings.ReplaceAll(content(n), "\n", "\r\n")})
		case n.Data == "option" && has(n, "selected"):
			sent = append(sent, [2]string{attr(n.Parent, "name"), attr(n, "value")})
		case n.Data != "input" || (typ == "checkbox" || typ == "radio") && !has(n, "checked"):
		default:
			sent = append(sent, [2]string{name, attr(n, "value")})
		}
	}
	return sent
}

func TestEveryInputHasALabelAndIsDescribed(t *testing.T) {
	s := devSite(t)
	q := s.open(parley.Request{Schema: everyKind()})
	b := s.as("alice")
	for _, a := range []*answer{b.get(path(q)), b.post(path(q), values("whole=x", "some=option-9", "one=option-9", "list=option-99", "day=x", "at=x", "sum=x"))} {
		ids, labels := map[string]bool{}, map[string]string{}
		for n := range a.dom().Descendants() {
			if id := attr(n, "id"); id != "" {
				if ids[id] {
					t.Errorf("the id %s is there twice", id)
				}
				ids[id] = true
			}
			if n.Data == "label" {
				labels[attr(n, "for")] = strings.TrimSpace(content(n))
			}
		}
		for n := range a.dom().Descendants() {
			input := n.Type == html.ElementNode && (n.Data == "input" && attr(n, "type") != "hidden" || n.Data == "select" || n.Data == "textarea")
			if input && labels[attr(n, "id")] == "" {
				t.Errorf("<%s name=%s> has no label", n.Data, attr(n, "name"))
			}
			for _, id := range strings.Fields(attr(n, "aria-describedby")) {
				if !ids[id] {
					t.Errorf("<%s name=%s> is described by %s, which is not there", n.Data, attr(n, "name"), id)
				}
			}
			if n.Data == "a" && strings.HasPrefix(attr(n, "href"), "#") && !ids[attr(n, "href")[1:]] {
				t.Errorf("a link to %s, which is not there", attr(n, "href"))
			}
		}
		if attr(a.one("html"), "lang") != "en" || len(a.find("main")) != 1 || len(a.find("header")) != 1 || len(a.find("h1")) != 1 {
			t.Error("language, landmarks or heading are missing")
		}
		if attr(a.one("input", "name=field.plain"), "aria-required") != "true" || has(a.one("input", "name=field.mail"), "aria-required") {
			t.Error("what is required is not marked")
		}
	}
}
