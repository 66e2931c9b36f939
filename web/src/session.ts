// Which conversation this tab shows, so that a reload finds it again, and a tab that was closed does.

// Kept is a conversation and whose it is, as far as the server has said so.
export interface Kept {
  id: string;
  account?: string | undefined;
}

const people = 8; // of one browser, whose conversations are remembered

export class Session {
  readonly #key: string;

  constructor(base: string, agent: string | undefined) {
    this.#key = `parley:conversation:${base}:${agent ?? ""}`;
  }

  // recall is the conversation of this tab, else the last one of this browser.
  recall(): Kept | undefined {
    const tab = read(() => sessionStorage.getItem(this.#key));
    if (typeof tab === "string") return { id: tab };
    if (Array.isArray(tab) && typeof tab[0] === "string") return { id: tab[0], account: typeof tab[1] === "string" ? tab[1] : undefined };
    const [last] = this.#all();
    return last && { id: last[1], account: last[0] };
  }

  // keep makes it the tab's; said makes it the last one of its person, too.
  keep({ id, account }: Kept, said: boolean): void {
    store(() => sessionStorage.setItem(this.#key, JSON.stringify([id, account])));
    if (said && account !== undefined) this.#save([[account, id], ...this.#all().filter(([a]) => a !== account)]);
  }

  // of is the last conversation of a person.
  of(account: string): string | undefined {
    return this.#all().find(([a]) => a === account)?.[1];
  }

  forget(account: string | undefined): void {
    store(() => sessionStorage.removeItem(this.#key));
    this.#save(this.#all().filter(([a]) => a !== account));
  }

  #all(): (readonly [account: string, id: string])[] {
    const all = read(() => localStorage.getItem(this.#key));
    if (!Array.isArray(all)) return [];
    return all.flatMap((one) => (Array.isArray(one) && typeof one[0] === "string" && typeof one[1] === "string" ? [[one[0], one[1]] as const] : []));
  }

  #save(all: (readonly [string, string])[]): void {
    store(() => localStorage.setItem(this.#key, JSON.stringify(all.slice(0, people))));
  }
}

// read returns what was stored. A text that is no JSON was stored by an older widget.
function read(get: () => string | null): unknown {
  let text: string | null = null;
  try {
    text = get();
    return text === null ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return text ?? undefined;
  }
}

// store stores where that is possible; where it is not, a reload begins anew.
function store(set: () => void): void {
  try {
    set();
  } catch {
    // Nothing may be stored here.
  }
}
