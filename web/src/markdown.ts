// What models write, as a tree of our own: nothing of it is ever taken for HTML, and no address in it is loaded.

import type { List, ListItem, Nodes, Parents, PhrasingContent, RootContent, Table } from "mdast";
import { textLink } from "./address.js";
import { parse } from "./syntax.js";

export type Inline =
  | { kind: "text" | "code"; text: string }
  | { kind: "strong" | "emphasis" | "deleted"; content: Inline[] }
  | { kind: "link"; href: string; content: Inline[] }
  | { kind: "break" };

export interface Item {
  checked?: boolean; // a task
  content: Inline[];
  blocks: Block[]; // what follows its first paragraph
}

export type Align = "left" | "center" | "right" | null;

export type Block =
  | { kind: "paragraph"; content: Inline[] }
  | { kind: "heading"; level: number; content: Inline[] }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "code"; text: string; language: string }
  | { kind: "list"; start: number | undefined; items: Item[] } // a start if it is numbered
  | { kind: "table"; align: Align[]; rows: Inline[][][] } // the first row is its head
  | { kind: "rule" };

// Placed is a block and the line it begins on, as an offset.
export interface Placed {
  block: Block;
  from: number;
}

// What is nested deeper is shown as it was written.
const deepest = 40;

// readBlocks reads a text of limited length.
export function readBlocks(source: string): Placed[] {
  const reader = new Reader(source);
  return parse(source).children.map((node) => ({
    block: reader.block(node, 0),
    from: source.lastIndexOf("\n", (node.position?.start.offset ?? 0) - 1) + 1,
  }));
}

class Reader {
  constructor(private readonly source: string) {}

  block(node: RootContent, depth: number): Block {
    if (depth > deepest) return { kind: "paragraph", content: lines(this.#written(node)) };
    switch (node.type) {
      case "paragraph":
        return { kind: "paragraph", content: this.#inlines(node, depth) };
      case "heading":
        return { kind: "heading", level: node.depth, content: this.#inlines(node, depth) };
      case "blockquote":
        return { kind: "quote", blocks: node.children.map((child) => this.block(child, depth + 1)) };
      case "code":
        return { kind: "code", text: node.value, language: node.lang ?? "" };
      case "list":
        return this.#list(node, depth);
      case "table":
        return this.#table(node, depth);
      case "thematicBreak":
        return { kind: "rule" };
    }
    return { kind: "paragraph", content: lines(this.#written(node)) };
  }

  #list(node: List, depth: number): Block {
    const start = node.ordered ? (node.start ?? 1) : undefined;
    return { kind: "list", start, items: node.children.map((item) => this.#item(item, depth + 1)) };
  }

  #item(node: ListItem, depth: number): Item {
    const [first, ...others] = node.children;
    const text = first?.type === "paragraph" ? first : undefined;
    return {
      ...(typeof node.checked === "boolean" && { checked: node.checked }),
      content: text ? this.#inlines(text, depth) : [],
      blocks: (text ? others : node.children).map((child) => this.block(child, depth)),
    };
  }

  #table(node: Table, depth: number): Block {
    const rows = node.children.map((row) => row.children.map((cell) => this.#inlines(cell, depth)));
    return { kind: "table", align: (node.align ?? []).map((a) => a ?? null), rows };
  }

  #inlines(node: Parents, depth: number): Inline[] {
    const found: Inline[] = [];
    for (const child of node.children as PhrasingContent[]) {
      if (child.type === "link" && this.#isPicture(child)) dropMark(found);
      found.push(...this.#inline(child, depth + 1));
    }
    return found;
  }

  #inline(node: PhrasingContent, depth: number): Inline[] {
    if (depth > deepest) return lines(this.#written(node));
    switch (node.type) {
      case "text":
        return lines(node.value);
      case "inlineCode":
        return [{ kind: "code", text: node.value }];
      case "strong":
        return [{ kind: "strong", content: this.#inlines(node, depth) }];
      case "emphasis":
        return [{ kind: "emphasis", content: this.#inlines(node, depth) }];
      case "delete":
        return [{ kind: "deleted", content: this.#inlines(node, depth) }];
      case "break":
        return [{ kind: "break" }];
      case "link":
        return [link(node.url, this.#inlines(node, depth)) ?? { kind: "text", text: this.#written(node) }];
    }
    return lines(this.#written(node));
  }

  // isPicture reports whether a link has the mark of a picture before it. It stays a link: loading a picture would tell
  // its host who reads this.
  #isPicture(node: Nodes): boolean {
    const at = node.position?.start.offset ?? 0;
    if (this.source[at] !== "[" || this.source[at - 1] !== "!") return false;
    let escapes = 0;
    while (this.source[at - 2 - escapes] === "\\") escapes++;
    return escapes % 2 === 0;
  }

  #written(node: Nodes): string {
    return this.source.slice(node.position?.start.offset, node.position?.end.offset);
  }
}

// lines is a text with its line breaks: models mean them.
export function lines(text: string): Inline[] {
  return text.split("\n").flatMap((line, i): Inline[] => [
    ...(i > 0 ? [{ kind: "break" } as const] : []),
    ...(line === "" ? [] : [{ kind: "text", text: line } as const]),
  ]);
}

function dropMark(found: Inline[]): void {
  const last = found.at(-1);
  if (last?.kind !== "text" || !last.text.endsWith("!")) return;
  found.pop();
  if (last.text.length > 1) found.push({ kind: "text", text: last.text.slice(0, -1) });
}

function link(url: string, content: Inline[]): Inline | undefined {
  const href = textLink(url);
  if (href === undefined) return undefined;
  // A text that names one address must not lead to another.
  const said = flat(content).trim();
  const named = /^(https?:|www\.)/i.test(said) ? textLink(said.replace(/^www/i, "https://www")) : href;
  const honest = said !== "" && named !== undefined && new URL(named).host === new URL(href).host;
  return { kind: "link", href, content: honest ? content : [{ kind: "text", text: href }] };
}

function flat(content: readonly Inline[]): string {
  return content.map((node) => ("text" in node ? node.text : "content" in node ? flat(node.content) : " ")).join("");
}
