// A question that waits for other people, while it is open: who has said what changes before it is settled.

import { follow } from "./inbox-api.js";
import { readItem, type Item } from "./inbox-wire.js";

export class Panel {
  #id = "";
  #leave: AbortController | undefined;

  // changed is told of the question as it stands.
  constructor(private readonly changed: (item: Item) => void) {}

  // show follows this question, and no other any more. One that waits for nobody else is told of with all others.
  show(item: Item | undefined): void {
    const id = item?.others && item.pending ? item.id : "";
    if (id === this.#id) return;
    this.#leave?.abort();
    this.#id = id;
    if (!id) return;
    const leave = (this.#leave = new AbortController());
    const take = (value: unknown) => {
      const now = readItem(value, location.origin);
      if (!now || leave.signal.aborted) return;
      if (!now.pending) leave.abort();
      this.changed(now);
    };
    void follow(`/api/elicitations/${encodeURIComponent(id)}/events`, { item: take, reload: () => {}, connected: () => {} }, leave.signal);
  }
}
