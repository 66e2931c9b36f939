// The controls of a form, one for each kind of field.

import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { fromLocal, offset, untold, type Entry } from "./entries.js";
import { yesNo, type Field, type Option } from "./schema.js";
import type { CardSay as Say } from "./card-strings.js";

export interface FieldView {
  id: string; // unique in the card
  field: Field;
  readonly entry: Entry; // as it is at any time
  error: string | undefined;
  say: Say;
  limit?: boolean; // it narrows a permission: the widest option is what holds without a choice, and the card takes a choice back
  enter: (entry: Entry) => void;
}

// This many options are shown all at once.
const fewOptions = 7;

export function fieldTemplate(view: FieldView): TemplateResult {
  const { field } = view;
  if (field.kind === "boolean") return yesNo(field) ? radios(view, [{ value: "true", label: view.say("yes") }, { value: "false", label: view.say("no") }]) : tick(view);
  if (field.kind === "choices") return boxes(view);
  if (field.kind === "choice" && field.options.length <= fewOptions) return radios(view, field.options);
  return html`<div class=${frame(view)}>
    <label for=${view.id} dir="auto">${field.label}${required(view)}</label>
    ${about(view)} ${field.kind === "choice" ? select(view) : input(view)}
  </div>`;
}

// firstControl is the id of the control that takes the focus for a field.
export function firstControl(view: Pick<FieldView, "id" | "field">): string {
  const { id, field } = view;
  const group = field.kind === "choices" || yesNo(field) || (field.kind === "choice" && field.options.length <= fewOptions);
  return group ? `${id}-0` : id;
}

const frame = (view: FieldView) => (view.error === undefined ? "field" : "field wrong");

const required = (view: FieldView) => (isRequired(view.field) ? html` <span class="required">${view.say("required")}</span>` : nothing);

// A list of choices that is required may be empty, unless it says otherwise.
function isRequired(field: Field): boolean {
  return field.required && (field.kind !== "choices" || (field.minItems ?? 0) > 0);
}

function about(view: FieldView): TemplateResult {
  const { id, field, error, say } = view;
  const limits = hint(view);
  return html`
    ${field.description ? html`<p class="hint" id="${id}-about" dir="auto">${field.description}</p>` : nothing}
    ${limits ? html`<p class="hint" id="${id}-hint">${limits}</p>` : nothing}
    ${error === undefined ? nothing : html`<p class="error" id="${id}-error"><span class="hidden">${say("error")} </span>${error}</p>`}
  `;
}

function described(view: FieldView): string | typeof nothing {
  const ids = [];
  if (view.field.description) ids.push(`${view.id}-about`);
  if (hint(view)) ids.push(`${view.id}-hint`);
  if (view.error !== undefined) ids.push(`${view.id}-error`);
  return ids.join(" ") || nothing;
}

// hint says beforehand what would otherwise only be said as an error.
export function hint({ field, entry, say }: Pick<FieldView, "field" | "entry" | "say">): string {
  switch (field.kind) {
    case "number":
    case "integer":
      return untold(field) ? say("hintDefault") : range(field.minimum, field.maximum, say);
    case "choices": {
      const bounds = range(field.minItems || undefined, field.maxItems, say);
      return bounds && say("hintChoices", { range: lowerFirst(bounds) });
    }
    case "string": {
      if (field.format === "date-time") return say("localTime", { offset: offset(new Date(fromLocal(entry as string, field) ?? Date.now())) });
      const bounds = range(field.minLength !== undefined && field.minLength > 1 ? field.minLength : undefined, field.maxLength, say);
      return bounds && say("hintLength", { range: bounds });
    }
  }
  return "";
}

function range(low: number | string | undefined, high: number | string | undefined, say: Say): string {
  if (low === undefined) return high === undefined ? "" : say("atMost", { high });
  return high === undefined ? say("atLeast", { low }) : say(low === high ? "exactly" : "from", { low, high });
}

const lowerFirst = (text: string) => text.replace(/^./, (first) => first.toLowerCase());

function input(view: FieldView): TemplateResult {
  const { id, field, entry, enter } = view;
  const value = typeof entry === "string" ? entry : "";
  const typed = (event: Event) => enter((event.target as HTMLInputElement | HTMLTextAreaElement).value);
  if (field.kind === "string" && field.format === undefined && isLong(field)) {
    return html`<textarea id=${id} rows="4" dir="auto" .value=${live(value)} @input=${typed}
      aria-describedby=${described(view)} aria-required=${isRequired(field)} aria-invalid=${view.error !== undefined}></textarea>`;
  }
  const { type, mode } = keyboard(field);
  return html`<input id=${id} type=${type} inputmode=${mode ?? nothing} autocomplete="off" dir="auto"
    spellcheck=${mode ? "false" : nothing} autocapitalize=${mode ? "off" : nothing} step=${type === "datetime-local" ? "any" : nothing}
    .value=${live(value)} @input=${typed}
    aria-describedby=${described(view)} aria-required=${isRequired(field)} aria-invalid=${view.error !== undefined} />`;
}

// Numbers are entered as text: the browser's own control for them hides from us what it does not understand.
function keyboard({ kind, format, minimum }: Field): { type: string; mode?: string | undefined } {
  if (kind !== "string") return { type: "text", mode: +(minimum ?? -1) < 0 ? "text" : kind === "integer" ? "numeric" : "decimal" };
  return {
    type: format === "date" ? format : format === "date-time" ? "datetime-local" : "text",
    mode: format === "email" ? format : format === "uri" ? "url" : undefined,
  };
}

function isLong(field: Field): boolean {
  const prefilled = typeof field.default === "string" ? field.default : "";
  return (field.maxLength ?? 0) > 200 || (field.minLength ?? 0) > 100 || prefilled.length > 200 || prefilled.includes("\n");
}

function select(view: FieldView): TemplateResult {
  const { id, field, entry, say, enter } = view;
  const chosen = (event: Event) => {
    const at = (event.target as HTMLSelectElement).selectedIndex - 1;
    enter(field.options[at]?.value);
  };
  return html`<select id=${id} @change=${chosen} aria-describedby=${described(view)}
    aria-required=${isRequired(field)} aria-invalid=${view.error !== undefined}>
    <option value="" .selected=${entry === undefined}>${say("choose")}</option>
    ${field.options.map((o) => html`<option .selected=${o.value === entry}>${optionLabel(o, say)}</option>`)}
  </select>`;
}

const optionLabel = (option: Option, say: Say) => (option.label.trim() === "" ? say("emptyOption") : option.label);

function radios(view: FieldView, options: readonly Option[]): TemplateResult {
  const { id, field, entry, say, enter } = view;
  const value = (text: string) => (field.kind === "boolean" ? text === "true" : text);
  const optional = !field.required && field.default === undefined && !view.limit;
  const radio = (at: unknown, own: Entry, label: string) =>
    option(html`<input type="radio" id=${at} name=${id} .checked=${live(entry === own)} @change=${() => enter(own)} />`, label);
  return group(view, true, [
    options.map((o, i) => radio(`${id}-${i}`, view.limit && /^(server|tool|revoked)$/.test(o.value) && !i ? undefined : value(o.value), optionLabel(o, say))),
    optional ? radio(nothing, undefined, say("noAnswer")) : nothing,
  ]);
}

function boxes(view: FieldView): TemplateResult {
  const { id, field, say, enter } = view;
  const ticked = (value: string) => Array.isArray(view.entry) && (view.entry as readonly string[]).includes(value);
  const toggle = (value: string, on: boolean) =>
    enter(field.options.map((o) => o.value).filter((v) => (v === value ? on : ticked(v))));
  const box = (o: Option, i: number) =>
    option(
      html`<input type="checkbox" id="${id}-${i}" .checked=${live(ticked(o.value))} aria-invalid=${view.error !== undefined}
        @change=${(event: Event) => toggle(o.value, (event.target as HTMLInputElement).checked)} />`,
      optionLabel(o, say),
    );
  return group(view, false, field.options.map(box));
}

const option = (input: TemplateResult, label: string) => html`<label class="option">${input} <span dir="auto">${label}</span></label>`;

// group is a field of one control for each option, one of which can be chosen, or any.
function group(view: FieldView, one: boolean, options: unknown): TemplateResult {
  const { id, field } = view;
  return html`<div class=${frame(view)} role=${one ? "radiogroup" : "group"} aria-labelledby="${id}-label" aria-describedby=${described(view)}
    aria-required=${one ? isRequired(field) : nothing} aria-invalid=${one ? view.error !== undefined : nothing}>
    <div class="legend" id="${id}-label" dir="auto">${field.label}${required(view)}</div>
    ${about(view)} ${options}
  </div>`;
}

function tick(view: FieldView): TemplateResult {
  const { id, field, entry, enter } = view;
  return html`<div class=${frame(view)}>
    <label class="option">
      <input type="checkbox" id=${id} .checked=${live(entry === true)} aria-describedby=${described(view)} aria-invalid=${view.error !== undefined}
        @change=${(event: Event) => enter((event.target as HTMLInputElement).checked)} />
      <span class="strong" dir="auto">${field.label}</span>
    </label>
    ${about(view)}
  </div>`;
}
