// Reading JSON that others wrote, and showing it without changing a character of what it means.

import { visible } from "./legible.js";

export type Json = { readonly [name: string]: unknown };

export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// exact reports whether a number has no more digits than a float keeps.
export function exact(typed: string): boolean {
  const digits = typed.replace(/e.*|\D/gi, "").replace(/^0+|0+$/g, "");
  return digits.length <= 15 || (Number.isSafeInteger(+typed) && /^[-+]?\d+$/.test(typed));
}

// A number that a script would write in another way than it is written, such as 1.0, or that has more digits than are kept, is
// read as a text that begins with this: no text that is sent does.
const unguessed = /* @__PURE__ */ Math.random();

// parseExactly is parse, and keeps numbers as they are written: for written, and for textual.
export function parseExactly(source: string): unknown {
  return parse(source.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => (token.startsWith('"') || (String(+token) === token && exact(token)) ? token : `"${unguessed}:${token}"`)));
}

const json = (value: unknown, number: string): string => JSON.stringify(value)?.replace(RegExp(`"${unguessed}:([^"]*)"`, "g"), number) ?? "";

// written is a value as JSON, its numbers as they were written; a text is as it is.
export function written(value: unknown): string {
  const all = json(value, "$1");
  return all.startsWith('"') ? (value as string) : all;
}

// textual is a value in which numbers that would be written in another way are texts.
export const textual = (value: unknown): unknown => parse(json(value, '"$1"'));

export function object(value: unknown): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

// pretty lays out a JSON text on several lines. It works on the text and never on parsed values, which would round long
// numbers, reorder members and drop repeated ones. What is not JSON is returned as it is.
export function pretty(source: string): string {
  if (parse(source) === undefined) return visible(source);
  let out = "";
  let depth = 0;
  let before = "";
  for (const token of source.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? []) {
    const closes = token === "}" || token === "]";
    const opened = before === "{" || before === "[";
    if (closes) depth--;
    // An empty object or list stays on its line.
    if (closes ? !opened : opened || before === ",") out += "\n" + "  ".repeat(Math.min(depth, 40)); // deeper is nothing to read, and would be longer than all the rest
    if (token === "{" || token === "[") depth++;
    out += token === ":" ? ": " : visible(token);
    before = token;
  }
  return out;
}

// shown is any value as text for a person: a text as it is, all else as JSON.
export const shown = (value: unknown): string => pretty(written(value));
