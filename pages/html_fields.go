package pages

import "github.com/parley-hq/parley/pages/markup"

func (f fieldView) write(w *markup.Writer) {
	switch f.Control {
	case controlCheckbox:
		f.writeCheckbox(w)
	case controlRadios, controlYesNo, controlBoxes:
		f.writeGroup(w)
	default:
		f.writeSingle(w)
	}
	w.Put(`
`)
}

func (f fieldView) writeStart(w *markup.Writer) {
	w.If(f.Error == "", `<div class="field">`)
	w.If(f.Error != "", `<div class="field wrong">`)
}

// writeSingle writes a field of one input.
func (f fieldView) writeSingle(w *markup.Writer) {
	f.writeStart(w)
	w.Put(`
<label for="{}" dir="auto">{}`, f.ID, f.Label)
	f.writeRequired(w)
	w.Put(`</label>
`)
	f.writeAbout(w)
	f.writeInput(w)
	w.Put(`
</div>
`)
}

func (f fieldView) writeInput(w *markup.Writer) {
	switch f.Control {
	case controlArea:
		w.Put(`
<textarea id="{}" name="{}" rows="5" dir="auto" `, f.ID, f.Name)
		f.writeState(w)
		w.Put(`>
{}</textarea>`, f.Value)
	case controlSelect:
		w.Put(`
<select id="{}" name="{}" `, f.ID, f.Name)
		f.writeState(w)
		writeOptions(w, f.Options)
	case controlDateTime:
		f.writeDateTime(w)
	case controlDate:
		w.Put(`
<input id="{}" name="{}" type="date" value="{}" `, f.ID, f.Name, f.Value)
		f.writeState(w)
		w.Put(`>`)
	default:
		w.Put(`
<input id="{}" name="{}" type="text" value="{}" autocomplete="off" dir="auto"`, f.ID, f.Name, f.Value)
		w.If(f.InputMode != "", ` inputmode="{}" autocapitalize="off" spellcheck="false"`, f.InputMode)
		w.Put(` `)
		f.writeState(w)
		w.Put(`>`)
	}
}

func (f fieldView) writeDateTime(w *markup.Writer) {
	w.Put(`
<div class="pair">
<input id="{}" name="{}" type="datetime-local" step="any" value="{}" `, f.ID, f.Name, f.Value)
	f.writeState(w)
	w.Put(`>
<label class="hidden" for="{}-zone">Time zone of {}</label>
<select id="{}-zone" name="{}"`, f.ID, f.Label, f.ID, f.Zone)
	w.If(f.Value == "", ` data-zone-of="{}"`, f.ID)
	writeOptions(w, f.Zones)
	w.Put(`
</div>`)
}

// writeOptions ends the tag of a select and writes the rest.
func writeOptions(w *markup.Writer, options []optionView) {
	w.Put(`>`)
	for _, o := range options {
		w.Put(`
<option value="{}"`, o.Value)
		w.If(o.Chosen, ` selected`)
		w.Put(`>{}</option>`, o.Label)
	}
	w.Put(`
</select>`)
}

// writeGroup writes a field of one input for each option.
func (f fieldView) writeGroup(w *markup.Writer) {
	w.If(f.Error == "", `<fieldset class="field"`)
	w.If(f.Error != "", `<fieldset class="field wrong"`)
	boxes := f.Control == controlBoxes
	if !boxes {
		w.Put(` role="radiogroup"`)
		w.If(f.Required, ` aria-required="true"`)
		w.If(f.Error != "", ` aria-invalid="true"`)
	}
	f.writeDescribed(w)
	w.Put(`>
<legend dir="auto">{}`, f.Label)
	f.writeRequired(w)
	w.Put(`</legend>
`)
	f.writeAbout(w)
	for _, o := range f.Options {
		w.Put(`
<div class="option">
<input id="{}" name="{}" value="{}"`, o.ID, f.Name, o.Value)
		w.If(boxes, ` type="checkbox"`)
		w.If(!boxes, ` type="radio"`)
		w.If(o.Chosen, ` checked`)
		w.If(boxes && f.Error != "", ` aria-invalid="true"`)
		w.Put(`>
<label for="{}" dir="auto">{}</label>
</div>`, o.ID, o.Label)
	}
	w.Put(`
</fieldset>
`)
}

func (f fieldView) writeCheckbox(w *markup.Writer) {
	f.writeStart(w)
	w.Put(`
<div class="option">
<input id="{}" name="{}" value="true" type="checkbox"`, f.ID, f.Name)
	w.If(f.Value == "true", ` checked`)
	w.Put(` `)
	f.writeState(w)
	w.Put(`>
<label for="{}" dir="auto">{}</label>
</div>
`, f.ID, f.Label)
	f.writeAbout(w)
	w.Put(`
</div>
`)
}

func (f fieldView) writeRequired(w *markup.Writer) {
	w.If(f.Required, ` <span class="required">required</span>`)
}

// writeDescribed writes the attribute that names what says more about the field.
func (f fieldView) writeDescribed(w *markup.Writer) {
	w.If(f.Described() != "", ` aria-describedby="{}"`, f.Described())
}

// writeState writes the attributes that say how the field is, behind a space.
func (f fieldView) writeState(w *markup.Writer) {
	w.If(f.Described() != "", `aria-describedby="{}"`, f.Described())
	w.If(f.Required, ` aria-required="true"`)
	w.If(f.Error != "", ` aria-invalid="true"`)
}

func (f fieldView) writeAbout(w *markup.Writer) {
	w.If(f.Description != "", `<p class="hint" id="{}-about" dir="auto">{}</p>`, f.ID, f.Description)
	w.If(f.Hint != "", `<p class="hint" id="{}-hint">{}</p>`, f.ID, f.Hint)
	w.If(f.Error != "", `<p class="error" id="{}-error"><span class="hidden">Error: </span>{}</p>`, f.ID, f.Error)
	w.Put(`
`)
}
