// Server-sent events: from bytes to the data of each event.

// Events cuts a text that comes in pieces into events. Comments and all fields other than data are ignored.
export class Events {
  #rest = "";
  #data: string[] = [];
  #begun = false;

  // push takes the next piece and returns the data of the events that it completes.
  push(piece: string): string[] {
    if (!this.#begun && piece !== "") {
      this.#begun = true;
      piece = piece.replace(/^\ufeff/, "");
    }
    const source = this.#rest + piece;
    const found: string[] = [];
    // A carriage return at the very end may be half of a line break.
    const end = /\r\n|\n|\r(?!$)/g;
    let from = 0;
    for (let at = end.exec(source); at; at = end.exec(source)) {
      this.#line(source.slice(from, at.index), found);
      from = end.lastIndex;
    }
    this.#rest = source.slice(from);
    return found;
  }

  #line(line: string, found: string[]): void {
    if (line === "") {
      if (this.#data.length > 0) found.push(this.#data.join("\n"));
      this.#data = [];
    } else if (line === "data" || line.startsWith("data:")) {
      this.#data.push(line.slice(5).replace(/^ /, ""));
    }
  }
}

// read yields, for each piece that arrives, the data of the events in it: possibly none, so that a heartbeat can be
// noticed.
export async function* read(body: ReadableStream<Uint8Array>): AsyncGenerator<string[]> {
  const events = new Events();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield events.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
