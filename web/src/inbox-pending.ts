// The open questions of a person: as far as they were read, newest first, and kept up to date.

import { ask, follow, ofPerson } from "./inbox-api.js";
import { readItem, readPage, type Item } from "./inbox-wire.js";

// together is how long, in milliseconds, what is over waits for more of its kind: many may be answered at once, and each change lays the whole list out anew.
const together = 100;

export class Pending {
  items: readonly Item[] = [];
  next: string | undefined; // there are more
  loading = true;
  problem: string | undefined;
  failed: "list" | "more" = "list"; // of what the problem is
  connected = true;

  #stop: AbortSignal | undefined;
  #reading: Promise<void> | undefined;
  #ended = new Set<string>(); // settled while a list was on its way
  #over: Item[] = []; // and still in the list

  // own are those that wait for the person; others are asked about the rest.
  get own(): readonly Item[] {
    return this.items.filter((i) => !i.others);
  }

  get others(): readonly Item[] {
    return this.items.filter((i) => i.others);
  }

  constructor(
    private readonly user: string,
    private readonly changed: () => void,
    // settled is told of a question that is over, as it stands now.
    private readonly settled: (item: Item) => void,
  ) {}

  run(signal: AbortSignal): Promise<void> {
    this.#stop = signal;
    return follow(
      ofPerson(this.user),
      {
        item: (value) => this.#take(readItem(value, location.origin)),
        reload: () => void this.reload(),
        connected: (yes) => {
          if (!yes && !this.#reading) void this.reload(); // until the stream stands, the list is read now and then
          if (yes === this.connected) return;
          this.connected = yes;
          this.changed();
        },
      },
      signal,
    );
  }

  // reload reads the list from its beginning: as much of it as is shown. What is not in it any more is over.
  async reload(): Promise<void> {
    await this.#reading;
    await (this.#reading = this.#read("list", async () => {
      const before = this.items;
      const fresh: Item[] = [];
      let next: string | undefined;
      do {
        const page = await this.#page(next);
        fresh.push(...page.items);
        next = page.next;
      } while (next && fresh.length < before.length);
      this.items = fresh;
      this.next = next;
      const there = new Set(fresh.map((i) => i.id));
      const last = fresh.at(-1)?.id ?? "";
      for (const item of before) if (!there.has(item.id) && (!next || item.id > last)) await this.#look(item.id);
    }));
  }

  async more(): Promise<void> {
    if (!this.next || this.loading) return;
    await (this.#reading = this.#read("more", async () => {
      const page = await this.#page(this.next);
      this.items = merged(this.items, page.items);
      this.next = page.next;
    }));
  }

  // upTo reads on until so many are there, or all.
  async upTo(many: number): Promise<void> {
    await this.#reading;
    while (this.next && !this.problem && this.items.length < many) await this.more();
  }

  // remove takes questions out that were answered here.
  remove(...ids: string[]): void {
    for (const id of ids) this.#ended.add(id);
    this.items = this.items.filter((i) => !this.#ended.has(i.id));
    this.changed();
  }

  async #look(id: string): Promise<void> {
    this.#take(readItem(await ask(`/api/elicitations/${encodeURIComponent(id)}`), location.origin));
  }

  #take(item: Item | undefined): void {
    if (!item) return;
    if (item.pending) {
      this.items = merged(this.items, this.#ended.has(item.id) ? [] : [item]);
      this.changed();
      return;
    }
    this.#ended.add(item.id);
    if (this.#over.push(item) === 1) setTimeout(this.#leave, together);
  }

  // leave takes out what is over.
  #leave = (): void => {
    const over = this.#over;
    this.#over = [];
    if (this.#stop?.aborted) return;
    this.remove(...over.map((item) => item.id));
    for (const item of over) this.settled(item);
    this.changed();
  };

  async #read(what: "list" | "more", work: () => Promise<void>): Promise<void> {
    this.loading = true;
    this.failed = what;
    this.problem = undefined;
    this.changed();
    try {
      await work();
    } catch (error) {
      this.problem = (error as Error).message;
    }
    this.loading = false;
    this.#reading = undefined;
    this.changed();
  }

  async #page(cursor: string | undefined): Promise<{ items: Item[]; next?: string | undefined }> {
    const query = new URLSearchParams({ state: "pending", user: this.user, limit: "50", ...(cursor && { cursor }) });
    const page = readPage(await ask(`/api/elicitations?${query}`), location.origin);
    return { ...page, items: page.items.filter((i) => !this.#ended.has(i.id)) };
  }
}

// merged is both lists in one, newest first: ids are in the order of time.
function merged(some: readonly Item[], others: readonly Item[]): Item[] {
  const all = new Map([...some, ...others].map((i) => [i.id, i]));
  return [...all.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
}
