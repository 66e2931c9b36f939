// A small part of Markdown: what models write most. The result is a tree of text; nothing of it is ever taken for HTML.

import { webLink } from "./address.js";

export type Inline =
  | { kind: "text" | "code"; text: string }
  | { kind: "strong" | "emphasis"; content: Inline[] }
  | { kind: "link"; href: string; content: Inline[] }
  | { kind: "break" };

export interface Item {
  content: Inline[];
  blocks: Block[]; // lists inside
}

export type Block =
  | { kind: "paragraph" | "heading" | "quote"; content: Inline[] }
  | { kind: "code"; text: string; language: string }
  | { kind: "list"; start: number | undefined; items: Item[] } // a start if it is numbered
  | { kind: "rule" };

const fence = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/;
const bullet = /^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;
const heading = /^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$/;
const rule = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
const quote = /^ {0,3}> ?(.*)$/;

export function parseMarkdown(source: string): Block[] {
  return new Reader(source.replace(/\r\n?/g, "\n").split("\n")).blocks();
}

class Reader {
  #at = 0;

  constructor(private readonly lines: readonly string[]) {}

  blocks(): Block[] {
    const found: Block[] = [];
    while (this.#at < this.lines.length) {
      const line = this.lines[this.#at]!;
      if (line.trim() === "") this.#at++;
      else found.push(this.#block(line));
    }
    return found;
  }

  #block(line: string): Block {
    const fenced = fence.exec(line);
    if (fenced) return this.#code(fenced[1]!, fenced[2]!);
    if (rule.test(line)) {
      this.#at++;
      return { kind: "rule" };
    }
    const titled = heading.exec(line);
    if (titled) {
      this.#at++;
      return { kind: "heading", content: parseInline(titled[1]!) };
    }
    const listed = bullet.exec(line);
    if (listed) return this.#list(listed[1]!.length);
    if (quote.test(line)) return { kind: "quote", content: parseInline(this.#while((l) => quote.exec(l)?.[1])) };
    return { kind: "paragraph", content: parseInline(this.#while((l) => (this.#starts(l) ? undefined : l))) };
  }

  // while takes lines as long as they give a text, the first in any case.
  #while(take: (line: string) => string | undefined): string {
    const texts: string[] = [take(this.lines[this.#at]!) ?? this.lines[this.#at]!];
    for (this.#at++; this.#at < this.lines.length; this.#at++) {
      const text = take(this.lines[this.#at]!);
      if (text === undefined) break;
      texts.push(text);
    }
    return texts.join("\n");
  }

  // starts reports whether a line ends the paragraph before it.
  #starts(line: string): boolean {
    return line.trim() === "" || fence.test(line) || heading.test(line) || bullet.test(line) || quote.test(line) || rule.test(line);
  }

  // code goes to its closing fence, or to the end while that is still to come.
  #code(mark: string, language: string): Block {
    const from = ++this.#at;
    const closing = new RegExp(`^ {0,3}${mark[0]}{${mark.length},}\\s*$`);
    while (this.#at < this.lines.length && !closing.test(this.lines[this.#at]!)) this.#at++;
    const text = this.lines.slice(from, this.#at).join("\n");
    this.#at++;
    return { kind: "code", text, language };
  }

  #list(indent: number): Block {
    const items: Item[] = [];
    const first = bullet.exec(this.lines[this.#at]!)!;
    while (this.#at < this.lines.length) {
      const line = this.lines[this.#at]!;
      const listed = bullet.exec(line);
      if (listed && listed[1]!.length >= indent + 2 && items.length > 0) {
        items.at(-1)!.blocks.push(this.#list(listed[1]!.length));
      } else if (listed && (listed[2] === undefined) === (first[2] === undefined) && listed[1]!.length >= indent && !rule.test(line)) {
        items.push({ content: parseInline(this.#item(listed[3]!)), blocks: [] });
      } else if (line.trim() === "" && bullet.test(this.lines[this.#at + 1] ?? "")) {
        this.#at++;
      } else break;
    }
    return { kind: "list", start: first[2] === undefined ? undefined : Number(first[2]), items };
  }

  // item is the text of an item with the lines that go on with it.
  #item(text: string): string {
    for (this.#at++; this.#at < this.lines.length; this.#at++) {
      const line = this.lines[this.#at]!;
      if (!/^\s+\S/.test(line) || this.#starts(line)) break;
      text += "\n" + line.trim();
    }
    return text;
  }
}

// In the order in which they are tried. Each matches at the place where it stands; a mark without its other half is text.
const inline: readonly [RegExp, (m: RegExpExecArray) => Inline | undefined][] = [
  [/\\([!-/:-@[-`{-~])/y, (m) => ({ kind: "text", text: m[1]! })],
  [/(`+)(?!`)([^]*?[^`])\1(?!`)/y, (m) => ({ kind: "code", text: trimCode(m[2]!) })],
  [/\*\*(?=\S)([^]*?\S)\*\*/y, (m) => ({ kind: "strong", content: parseInline(m[1]!) })],
  [/\*(?=[^\s*])([^*]*[^\s*])\*(?!\*)/y, (m) => ({ kind: "emphasis", content: parseInline(m[1]!) })],
  [/(?<![\p{L}\p{N}])_(?=[^\s_])([^_]*[^\s_])_(?![\p{L}\p{N}])/uy, (m) => ({ kind: "emphasis", content: parseInline(m[1]!) })],
  // A picture is shown as a link: loading it would tell its host who reads this.
  [/!?\[([^\]]+)\]\(\s*<?([^\s<>()]+(?:\([^\s()]*\)[^\s<>()]*)*)>?(?:\s+"[^"]*")?\s*\)/y, (m) => link(m[2]!, m[1]!)],
  [/<(https?:\/\/[^\s<>]+)>/y, (m) => link(m[1]!, m[1]!)],
  [/(?<![\p{L}\p{N}])https?:\/\/[^\s<>"'`*]*[^\s<>"'`*.,;:!?)\]]/uy, (m) => link(m[0], m[0])],
  [/ {2,}\n|\n/y, () => ({ kind: "break" })],
];

// A paragraph beyond this is no prose, and looking for marks in it could take long.
const longest = 10_000;

export function parseInline(source: string): Inline[] {
  if (source.length > longest) return [{ kind: "text", text: source }];
  const found: Inline[] = [];
  let plain = "";
  for (let at = 0; at < source.length; ) {
    const hit = inlineAt(source, at);
    if (!hit) {
      plain += source[at++];
      continue;
    }
    if (plain !== "") found.push({ kind: "text", text: plain });
    plain = "";
    found.push(hit.node);
    at += hit.length;
  }
  if (plain !== "") found.push({ kind: "text", text: plain });
  return found;
}

function inlineAt(source: string, at: number): { node: Inline; length: number } | undefined {
  if (!/[\\`*_![<h \n]/.test(source[at]!)) return undefined;
  for (const [pattern, make] of inline) {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    const node = match && make(match);
    if (match && node) return { node, length: match[0].length };
  }
  return undefined;
}

function link(href: string, text: string): Inline | undefined {
  const safe = webLink(href);
  if (safe === undefined) return undefined;
  // A text that names one address must not lead to another.
  const named = /^\s*(https?:|www\.)/i.test(text) ? webLink(text.trim().replace(/^www/i, "https://www")) : safe;
  const honest = named !== undefined && new URL(named).host === new URL(safe).host;
  return { kind: "link", href: safe, content: [{ kind: "text", text: honest ? text : safe }] };
}

function trimCode(text: string): string {
  return /^ .*[^ ].* $/s.test(text) ? text.slice(1, -1) : text;
}
