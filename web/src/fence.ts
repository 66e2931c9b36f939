// Code between fences that is still being written. A long program comes line by line, and none of them is read twice.

import type { Block } from "./markdown.js";

const opening = /( {0,3})(?:(`{3,})(?!`)([^`\n]*)|(~{3,})(?!~)([^\n]*))\n/y;

// opensFence returns the code that begins on the line at an offset, if one does and the line is complete.
export function opensFence(source: string, at: number): Fence | undefined {
  opening.lastIndex = at;
  const found = opening.exec(source);
  return found ? new Fence(opening.lastIndex, found[2] ?? found[4]!, found[1]!.length, found[3] ?? found[5]!) : undefined;
}

export class Fence {
  #text = "";
  #rest = ""; // of a line that is not complete
  readonly #language: string;
  readonly #closing: RegExp;
  readonly #half: RegExp; // what may become the closing fence

  constructor(private at: number, mark: string, private readonly indent: number, info: string) {
    this.#language = /^\S*/.exec(info.trim())![0];
    this.#closing = new RegExp(`^ {0,3}${mark[0]}{${mark.length},}[ \\t\\r]*$`);
    this.#half = new RegExp(`^ {0,3}${mark[0]}+[ \\t\\r]*$`);
  }

  // take reads what is new, and returns the offset behind the closing fence once that has come.
  take(source: string): number | undefined {
    for (;;) {
      const end = source.indexOf("\n", this.at);
      const line = source.slice(this.at, end < 0 ? undefined : end);
      if (this.#closing.test(line)) {
        this.#rest = "";
        return end < 0 ? source.length : end + 1;
      }
      if (end < 0) {
        this.#rest = this.#half.test(line) ? "" : this.#unindented(line);
        return undefined;
      }
      this.#text += this.#unindented(line) + "\n";
      this.at = end + 1;
    }
  }

  block(): Block {
    const text = this.#rest === "" ? this.#text.slice(0, -1) : this.#text + this.#rest;
    return { kind: "code", text, language: this.#language };
  }

  #unindented(line: string): string {
    let at = 0;
    while (at < this.indent && line[at] === " ") at++;
    return line.slice(at);
  }
}
