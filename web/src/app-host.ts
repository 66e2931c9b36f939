// The host that has drawn the app: JSON-RPC by postMessage, with nobody but the parent window.

import { object, text, type Json } from "./json.js";

// Longer than the server holds any call of the app.
const patience = 60_000;

// Heard is what the host says by itself. A request is answered by what is returned, in time; undefined is a method that
// nobody knows.
export interface Heard {
  told(method: string, params: Json): void;
  asked(method: string, params: Json, id: unknown): Promise<Json> | undefined;
}

export class Host {
  #calls = new Map<unknown, (message: Json) => void>();
  #last = 0;

  constructor(private readonly heard: Heard) {
    // Another frame of the page can post to us as well.
    addEventListener("message", ({ source, data }) => {
      const message = object(data);
      if (source === parent && message?.["jsonrpc"] === "2.0") this.#take(message);
    });
  }

  #take(message: Json): void {
    const { id } = message;
    const method = text(message["method"]);
    const params = object(message["params"]) ?? {};
    if (method === undefined) this.#calls.get(id)?.(message);
    else if (id === undefined) this.heard.told(method, params);
    else {
      const reply = this.heard.asked(method, params, id) ?? Promise.reject(method);
      reply.then(
        (result) => this.#post({ id, result }),
        (error) => this.#post({ id, error: { code: -32601, message: String(error) } }),
      );
    }
  }

  // request returns the result, or throws.
  request(method: string, params: Json): Promise<Json> {
    const id = ++this.#last;
    return new Promise<Json>((resolve, reject) => {
      const done = (message?: Json) => {
        clearTimeout(timer);
        this.#calls.delete(id);
        const result = object(message?.["result"]);
        if (result) resolve(result);
        else reject(new Error(method));
      };
      const timer = setTimeout(done, patience);
      this.#calls.set(id, done);
      this.#post({ id, method, params });
    });
  }

  notify(method: string, params: Json = {}): void {
    this.#post({ method, params });
  }

  #post(message: Json): void {
    parent.postMessage({ jsonrpc: "2.0", ...message }, "*"); // whose parent we are is the host's affair
  }
}
