// What a person has entered into a form, whether it fits, and the answer that it makes. The server judges again.

import { exact } from "./json.js";
import { isArgument, yesNo, type Field } from "./schema.js";
import type { CardSay as Say } from "./card-strings.js";

// Entry is what stands in a field's control: text, a tick, or the values that are ticked.
export type Entry = string | boolean | readonly string[] | undefined;
export type Entries = { readonly [field: string]: Entry };

export interface Checked {
  content: { [field: string]: unknown };
  errors: { [field: string]: string };
}

// prefilled is a form before anybody has touched it.
export function prefilled(fields: readonly Field[]): Entries {
  return Object.fromEntries(fields.map((f) => [f.name, initial(f)]));
}

function initial(field: Field): Entry {
  const value = field.default;
  switch (field.kind) {
    case "boolean":
      return typeof value === "boolean" ? value : yesNo(field) ? undefined : false;
    case "choices":
      return Array.isArray(value) ? field.options.map((o) => o.value).filter((v) => value.includes(v)) : [];
    case "choice":
      return field.options.find((o) => o.value === String(value))?.value;
    case "number":
    case "integer":
      return value == null || untold(field) ? "" : String(value);
  }
  if (typeof value !== "string") return "";
  return field.format === "date-time" ? toLocal(value) : value;
}

// untold reports a default with more digits than are kept here, which came as a number all the same. It is not shown: what
// came of it is another number.
export const untold = ({ default: value }: Field): boolean => typeof value === "number" && !exact(String(value));

// check returns the answer, and a sentence for each field that does not fit. Whether a pattern fits says the server, which
// needs no longer for a bad one: in a browser whoever asks could stop the whole page by it.
export function check(fields: readonly Field[], entries: Entries, say: Say): Checked {
  // Without a prototype, so that a field may have any name.
  const result: Checked = { content: Object.create(null), errors: Object.create(null) };
  for (const field of fields) {
    const { value, error } = checkField(field, entries[field.name], say);
    if (error !== undefined) result.errors[field.name] = error;
    else if (value !== undefined) result.content[field.name] = value;
  }
  return result;
}

interface Result {
  value?: unknown;
  error?: string;
}

// named makes a label part of a sentence: in quotes where its own punctuation would end it.
function named(label: string): string {
  const plain = label.replace(/\s+/g, " ").replace(/[:* ]+$/, "");
  return /[?!.,;]$|^$/.test(plain) ? `“${plain}”` : plain;
}

// Wrong says what is wrong with a field.
type Wrong = (key: Parameters<Say>[0], n?: number | string) => Result;

function checkField(field: Field, entry: Entry, say: Say): Result {
  const wrong: Wrong = (key, n = 0) => ({ error: say(key, { label: named(field.label), n }) });
  const before = initial(field);
  const number = field.kind === "number" || field.kind === "integer";
  // What stands there as it stood is the default, exactly. A number may have lost digits on the way here: it is left out,
  // and the server fills in its own. Only an argument must be there, and has digits that are kept.
  if (field.default != null && JSON.stringify(entry) === JSON.stringify(before)) {
    if (!number && typeof field.default !== "number") return { value: field.default };
    if (!isArgument(field)) return {};
  }
  const required = wrong("errorRequired");
  // Leaving out one that has a default would bring the default back.
  const kept = () => wrong("errorDefault", field.options.find((o) => o.value === before)?.label ?? (before as string));
  const none = field.nullable ? { value: null } : field.required ? required : kept();
  switch (field.kind) {
    case "boolean":
      return entry === undefined ? (field.required ? required : {}) : { value: entry };
    case "choices":
      return checkChoices(field, (entry as readonly string[]) ?? [], wrong);
    case "choice":
      if (entry !== undefined) return { value: entry };
      return field.default !== undefined ? none : field.required ? required : {};
  }
  const typed = typeof entry === "string" ? entry : "";
  const plain = field.kind === "string" && field.format === undefined;
  if (plain && !field.required ? typed === "" : typed.trim() === "") {
    if (field.required) return required;
    if (field.default === undefined) return {};
    return plain && !field.nullable ? { value: "" } : none;
  }
  if (field.kind === "string") return checkText(field, plain ? typed : typed.trim(), wrong);
  return checkNumber(field, typed.trim(), wrong);
}

function checkChoices(field: Field, chosen: readonly string[], wrong: Wrong): Result {
  const { minItems, maxItems } = field;
  if (chosen.length === 0 && !field.required && field.default === undefined) return {};
  if (minItems !== undefined && chosen.length < minItems) return wrong("errorMinItems", minItems);
  if (maxItems !== undefined && chosen.length > maxItems) return wrong("errorMaxItems", maxItems);
  return { value: chosen };
}

function checkText(field: Field, typed: string, wrong: Wrong): Result {
  const { minLength, maxLength } = field;
  const length = [...typed].length; // characters, not halves of them
  if (minLength !== undefined && length < minLength) return wrong("errorMinLength", minLength);
  if (maxLength !== undefined && length > maxLength) return wrong("errorMaxLength", maxLength);
  switch (field.format) {
    case "email":
      return /^[^\s@]+@[^\s@]*[^\s@.]$/.test(typed) ? { value: typed } : wrong("errorEmail");
    case "uri":
      return isUri(typed) ? { value: typed } : wrong("errorUri");
    case "date":
      return isDate(typed) ? { value: typed } : wrong("errorDate");
    case "date-time": {
      const value = fromLocal(typed, field);
      return value ? { value } : wrong("errorDateTime");
    }
  }
  return { value: typed };
}

function isUri(typed: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i.test(typed) && URL.canParse(typed);
}

function isDate(typed: string): boolean {
  const at = new Date(`${typed}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(typed) && !isNaN(+at) && at.toISOString().startsWith(typed);
}

function checkNumber(field: Field, typed: string, wrong: Wrong): Result {
  const { minimum, maximum } = field;
  const value = readNumber(typed);
  const whole = field.kind === "integer";
  if (value === undefined || (whole && !Number.isInteger(value))) return wrong(whole ? "errorInteger" : "errorNumber");
  // Digits must not get lost on the way without anybody noticing.
  if (!exact(typed)) return wrong("errorDigits");
  if (minimum !== undefined && value < +minimum) return wrong("errorMinimum", minimum);
  if (maximum !== undefined && value > +maximum) return wrong("errorMaximum", maximum);
  return { value };
}

// readNumber reads a number as people write it, such as +5, 007, .5 or −3.
function readNumber(typed: string): number | undefined {
  const text = typed.replace(/^\u2212/, "-");
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(text)) return undefined;
  const value = +text;
  return isFinite(value) ? value : undefined;
}

// A date and time is asked for in the person's own zone, and sent with its offset from UTC. In the hour that a change of
// clocks repeats that is the default's, or else the first.
export function fromLocal(typed: string, { default: before }: Field): string | undefined {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d+)?)?$/.exec(typed);
  const [at, near] = [new Date(typed), new Date((before ?? typed) as string)];
  if (!parts || isNaN(+at)) return undefined;
  const sent = (at: Date) => `${parts[1]}${parts[2] ?? ":00"}${offset(at) || "Z"}`;
  const same = sent(isNaN(+near) ? at : near);
  return sent(new Date(same)) === same ? same : sent(at);
}

function toLocal(value: string): string {
  const at = new Date(value);
  if (isNaN(+at)) return "";
  const local = new Date(+at - at.getTimezoneOffset() * 60_000).toISOString();
  return local.slice(0, at.getUTCSeconds() || at.getUTCMilliseconds() ? 19 : 16);
}

// offset is what the clock of this machine is ahead of UTC at a moment, such as +02:00; empty for UTC itself.
export function offset(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  if (minutes === 0) return "";
  const two = (n: number) => String(Math.floor(n)).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}
