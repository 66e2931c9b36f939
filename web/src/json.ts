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
  const line = () => "\n" + "  ".repeat(depth);
  for (const token of source.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? []) {
    switch (token) {
      case "{":
      case "[":
        depth++;
        out += token + line();
        break;
      case "}":
      case "]":
        depth--;
        // An empty object or list stays on its line.
        out = /[{[]\s*$/.test(out) ? out.trimEnd() + token : out + line() + token;
        break;
      case ",":
        out += token + line();
        break;
      case ":":
        out += ": ";
        break;
      default:
        out += visible(token);
    }
  }
  return out;
}

// shown is any value as text for a person: a text as it is, all else as JSON.
export function shown(value: unknown): string {
  if (typeof value === "string") return parse(value) === undefined ? visible(value) : pretty(value);
  const written = JSON.stringify(value);
  return written === undefined ? "" : pretty(written);
}
