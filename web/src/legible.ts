// How a text that others wrote is shown to somebody who decides by it. The rules are those of the Go package legible, which
// says why; its table is in hidden.ts, and both are tested against legible/testdata.

import { lengths } from "./hidden.js";

let starts: number[] | undefined; // where what is hidden begins, where it ends, and so on

// hidden reports code points that a reader cannot see, or that change what is seen around them.
export function hidden(code: number): boolean {
  if (!starts) {
    let at = 0;
    const number = (letters: string) => [...letters.toLowerCase()].reduce((n, c) => 26 * n + c.charCodeAt(0) - 97, 0);
    starts = lengths.match(/[a-z]*[A-Z]/g)!.map((length) => (at += number(length)));
  }
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= code) low = middle + 1;
    else high = middle;
  }
  return low % 2 === 1;
}

// hiddenInProse lets through the spaces of prose, and what letters and emoji are joined and shaped with.
export function hiddenInProse(code: number): boolean {
  return hidden(code) && !/[\p{Zs}\u200c\u200d\u20e3\ufe0e\ufe0f]/u.test(String.fromCodePoint(code));
}

// rightToLeft finds characters of scripts that are written from right to left.
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

// direction is that of a sentence of our own or of a translation of it.
export function direction(sentence: string): "ltr" | "rtl" {
  return rightToLeft.test(sentence) ? "rtl" : "ltr";
}

// few are the marks that may stand on one base: six, of which four take no room on the line, and none twice in a row.
const few = /^(?=.{0,6}$)(?!.*(.)\1)(\P{Mn}*\p{Mn}){0,4}\P{Mn}*$/u;

// escaped writes characters the way JSON does; marks, too, that have no base, or are too many on it.
export function escaped(source: string, hide: (code: number) => boolean): string {
  if (/^[ -~]*$/.test(source)) return source;
  let out = "";
  let on: string | undefined; // the marks on the base; undefined: there is none
  // An escape that is in the text already is one piece: what follows it stands on no letter.
  for (const [c] of source.matchAll(/\\(?:u[\da-fA-F]{0,4}|[\\bfnrt])|[^]/gu)) {
    const hides = hide(c.codePointAt(0)!);
    const mark = /\p{M}/u.test(c);
    if (hides) on = undefined;
    else if (mark) on = on !== undefined && few.test(on + c) ? on + c : undefined;
    else if (!/[\u200c\u200d]/.test(c)) on = /^[\p{L}\p{N}\p{S}]/u.test(c) ? "" : undefined;
    out += hides || (mark && on === undefined) ? units(c) : c;
  }
  return out;
}

function units(c: string): string {
  return Array.from({ length: c.length }, (_, i) => "\\u" + c.charCodeAt(i).toString(16).padStart(4, "0")).join("");
}

// line is a text on one line, where nothing is hidden and nothing can be shown in another order.
export function line(source: string): string {
  return ordered(escaped(source, hidden));
}

// name is a line to be put into a sentence, whatever the direction of that.
export function name(source: string): string {
  const shown = line(source);
  return rightToLeft.test(shown) ? `\u2068${shown}\u2069` : shown;
}

const broken = (code: number) => code !== 9 && code !== 10; // line breaks and tabs stay

// visible is a text of several lines in which nothing is hidden.
export function visible(source: string): string {
  return escaped(source, (code) => broken(code) && hidden(code));
}

// turning are the characters that change the direction of the text after them.
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

// prose is a text of several lines that nobody decides by. What would turn its direction is left out: honest texts have it
// to help renderers, and without it no text is shown in another order than its characters have by themselves.
export function prose(source: string): string {
  return escaped(source.replace(turning, ""), (code) => broken(code) && hiddenInProse(code));
}

export function ordered(source: string): string {
  if (!rightToLeft.test(source)) return source;
  return source
    .split("\n")
    .map((l) => (simple(l) ? l : Array.from(l, (c) => (rightToLeft.test(c) ? units(c) : c)).join("")))
    .join("\n");
}

function simple(source: string): boolean {
  let phrases = 0;
  let leads = false; // a left-to-right letter comes first
  for (const { kind, text } of runs(source)) {
    const letters = /\p{L}/u.test(text);
    if (kind === "phrase") phrases++;
    else if (/\p{N}/u.test(text) || (letters && phrases > 0 && !leads)) return false;
    else if (letters) leads = true;
  }
  return phrases <= 1;
}

export interface Run {
  kind?: "phrase" | "number"; // right-to-left words, or digits of such a script: each in a box of its own
  text: string;
}

const R = rightToLeft.source;
const letter = `(?:(?!\\p{N})${R}|\\p{M})`;
const pieces = new RegExp(`(?<number>(?:(?=\\p{N})${R})+)|(?<phrase>(?=${R})${letter}+(?:[,.;:!?]? (?=${R})${letter}+)*)`, "gu");

// runs cuts a text into parts to be shown one after the other, from left to right.
export function runs(source: string): Run[] {
  const found: Run[] = [];
  let at = 0;
  const plain = (end: number) => {
    if (end > at) found.push({ text: source.slice(at, end) });
  };
  for (const match of source.matchAll(pieces)) {
    plain(match.index);
    found.push({ kind: match.groups!["number"] === undefined ? "phrase" : "number", text: match[0] });
    at = match.index + match[0].length;
  }
  plain(source.length);
  return found;
}

// restored puts the letters back that ordered has written as escapes.
export function restored(source: string): string {
  return source.replace(/\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u([0-9a-f]{4})|[^])/giu, (whole, high?: string, low?: string, unit?: string) => {
    const codes = unit === undefined ? [high, low] : [unit];
    if (codes[0] === undefined) return whole;
    const c = String.fromCharCode(...codes.map((code) => parseInt(code!, 16)));
    if (rightToLeft.test(c) && !hidden(c.codePointAt(0)!)) return c;
    return whole;
  });
}
