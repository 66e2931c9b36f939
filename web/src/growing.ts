// A text that is still being written. What is complete is read once; only its last block is read again when more comes, so
// that the work grows with the text and not with its square.

import { Fence, opensFence } from "./fence.js";
import { lines, readBlocks, type Block, type Placed } from "./markdown.js";

const piece = 4_096; // how much is read at once
const longest = 4 * piece; // a block beyond this is cut, at the end of a line if there is one
const small = 2_048; // a last block up to this is read again for every change
const batch = 32;

export class Growing {
  #source = "";
  #from = 0; // where the block begins that is not complete
  #read = 0; // how far it has been read
  #fence: Fence | undefined; // set while that block is code
  #done: Block[][] = [];
  #last: Block[] = [];

  // take takes the text so far; whole says that this is all of it. It returns the blocks in batches. A batch that is the
  // same list as before has not changed.
  take(source: string, whole: boolean): readonly (readonly Block[])[] {
    if (source.length < this.#read) this.#restart();
    this.#source = source;
    if (whole || this.#due()) this.#advance();
    return [...this.#done, this.#open()];
  }

  #restart(): void {
    this.#from = this.#read = 0;
    this.#fence = undefined;
    this.#done = [];
    this.#last = [];
  }

  // due puts off reading a long block again until it has grown by a part of itself.
  #due(): boolean {
    const length = this.#read - this.#from;
    return this.#fence !== undefined || length <= small || this.#source.length - this.#read > length / 16;
  }

  #advance(): void {
    let size = piece;
    while (size < Math.min(this.#read - this.#from, longest)) size *= 2;
    for (;;) {
      this.#skipBlank();
      if (this.#fence || this.#openFence()) {
        if (!this.#readFence()) return;
        continue;
      }
      const window = this.#window(size);
      const found = readBlocks(window);
      const reached = this.#from + window.length;
      if (reached === this.#source.length) return this.#keepLast(found, window);
      if (found.length > 1) this.#complete(found.slice(0, -1), this.#from + found.at(-1)!.from);
      else if (size < longest) {
        size *= 2;
        continue;
      } else this.#complete(found, reached);
      size = piece;
    }
  }

  #skipBlank(): void {
    const blank = /(?:[ \t\r]*\n)*/y;
    blank.lastIndex = this.#from;
    blank.exec(this.#source);
    this.#from = Math.max(blank.lastIndex, this.#from);
  }

  // window is the next piece, up to the end of a line.
  #window(size: number): string {
    const rest = this.#source.slice(this.#from, this.#from + size);
    if (this.#from + size >= this.#source.length) return rest;
    return rest.slice(0, rest.lastIndexOf("\n") + 1 || undefined);
  }

  #openFence(): boolean {
    this.#fence = opensFence(this.#source, this.#from);
    return this.#fence !== undefined;
  }

  // readFence reads code, and reports whether it has come to its end.
  #readFence(): boolean {
    const fence = this.#fence!;
    const end = fence.take(this.#source);
    this.#read = this.#source.length;
    if (end === undefined) return false;
    this.#fence = undefined;
    this.#complete([{ block: fence.block(), from: 0 }], end);
    return true;
  }

  #complete(found: readonly Placed[], next: number): void {
    for (const { block } of found) {
      if ((this.#done.at(-1)?.length ?? batch) >= batch) this.#done.push([]);
      // Not changed but made anew: who has shown a batch knows it by its identity.
      this.#done.push([...this.#done.pop()!, block]);
    }
    this.#last = [];
    this.#from = this.#read = next;
  }

  // keepLast keeps the block that more may come to. A line that is not complete may still become something else, and then
  // belong to the block before it.
  #keepLast(found: readonly Placed[], window: string): void {
    const last = found.at(-1);
    const unsure = found.length > 1 && !window.includes("\n", last!.from) ? 2 : 1;
    const reached = this.#from + window.length;
    const kept = found.slice(-unsure);
    if (kept.length > 0) this.#complete(found.slice(0, -unsure), this.#from + kept[0]!.from);
    this.#last = kept.map(({ block }) => block);
    this.#read = reached;
  }

  // open is the last block, with what has come since it was read as plain text.
  #open(): Block[] {
    if (this.#fence) return [this.#fence.block()];
    const more = this.#source.slice(this.#read);
    return more === "" ? this.#last : extended(this.#last, more);
  }
}

// extended is a list of blocks that goes on with a text, where the last of them ended.
function extended(blocks: readonly Block[], more: string): Block[] {
  const last = blocks.at(-1);
  const [before, text] = [blocks.slice(0, -1), lines(more)];
  switch (last?.kind) {
    case "paragraph":
    case "heading":
      return [...before, { ...last, content: [...last.content, ...text] }];
    case "quote":
      return [...before, { ...last, blocks: extended(last.blocks, more) }];
    case "code":
      return [...before, { ...last, text: last.text + more }];
    case "list": {
      const item = last.items.at(-1) ?? { content: [], blocks: [] };
      const longer = item.blocks.length > 0 ? { ...item, blocks: extended(item.blocks, more) } : { ...item, content: [...item.content, ...text] };
      return [...before, { ...last, items: [...last.items.slice(0, -1), longer] }];
    }
  }
  return [...blocks, { kind: "paragraph", content: text }];
}
