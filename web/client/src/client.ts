import { read } from "../../src/sse.js";
import { type Ask, ParleyError, type Question } from "./wire.js";

export interface Options {
  /** Where the server is, such as https://parley.example. */
  url: string;
  /** The key of a program, or a person's token. Without one the browser's cookie counts. */
  token?: string;
  fetch?: typeof fetch;
}

export interface Waiting {
  signal?: AbortSignal;
}

/** Asks people, and waits for them. A server that is away or restarts is waited for. */
export class Client {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #fetch: typeof fetch;

  constructor({ url, token, fetch: own }: Options) {
    this.#url = url.replace(/\/$/, "");
    this.#headers = token ? { Authorization: `Bearer ${token}` } : {};
    this.#fetch = own ?? ((input, init) => fetch(input, init));
  }

  /** Asks. It is tried again until the server has it, and is asked once. */
  ask<T = Record<string, unknown>>(question: Ask, { signal }: Waiting = {}): Promise<Question<T>> {
    const body = JSON.stringify({ ...question, idempotency_key: question.idempotency_key ?? crypto.randomUUID() });
    return patiently(signal, () => this.#send<Question<T>>("/api/elicitations", { method: "POST", body, headers: { "Content-Type": "application/json" } }, signal));
  }

  /** How a question stands. */
  get<T = Record<string, unknown>>(id: string, { signal }: Waiting = {}): Promise<Question<T>> {
    return this.#send(path(id), {}, signal);
  }

  /** Waits until a question is settled, through restarts of the server, or until the signal aborts. */
  async wait<T = Record<string, unknown>>(id: string, { signal }: Waiting = {}): Promise<Question<T>> {
    for (;;) {
      const question = await patiently(signal, () => this.#send<Question<T>>(`${path(id)}?wait=60`, {}, signal));
      if (question.state === "settled") return question;
    }
  }

  /** A question as it stands, and whenever that changes, until it is settled. */
  async *events<T = Record<string, unknown>>(id: string, { signal }: Waiting = {}): AsyncGenerator<Question<T>> {
    let told = "";
    for (;;) {
      const response = await patiently(signal, () => this.#request(`${path(id)}/events`, {}, signal));
      try {
        for await (const events of read(response.body!)) {
          for (const data of events) {
            if (data !== told) yield JSON.parse((told = data)) as Question<T>;
            if ((JSON.parse(data) as Question<T>).state === "settled") return;
          }
        }
      } catch (error) {
        if (signal?.aborted) throw error; // else the connection broke
      }
      await sleep(100, signal);
    }
  }

  /** Withdraws a question. */
  cancel<T = Record<string, unknown>>(id: string, { signal }: Waiting = {}): Promise<Question<T>> {
    return this.#send(`${path(id)}/cancel`, { method: "POST" }, signal);
  }

  /** The questions that wait for the person who is signed in, newest first. */
  async pending({ signal }: Waiting = {}): Promise<Question[]> {
    const list = await this.#send<{ items: Question[] }>("/api/elicitations?state=pending&limit=200", {}, signal);
    return list.items;
  }

  /**
   * What changes among the questions of the person who is signed in: one that is new or settled, or undefined when `pending` is to be read again, which
   * comes first. It ends when the connection does; begin anew then.
   */
  async *changes({ signal }: Waiting = {}): AsyncGenerator<Question | undefined> {
    const response = await this.#request("/api/elicitations/events", {}, signal);
    for await (const events of read(response.body!)) {
      for (const data of events) {
        const change = JSON.parse(data) as Partial<Question>;
        yield change.id === undefined ? undefined : (change as Question);
      }
    }
  }

  /** Where the person answers a question. */
  answerURL(id: string): string {
    return `${this.#url}/answer/${encodeURIComponent(id)}`;
  }

  async #send<T>(path: string, init: RequestInit, signal?: AbortSignal): Promise<T> {
    const response = await this.#request(path, init, signal);
    return (await response.json()) as T;
  }

  async #request(path: string, init: RequestInit, signal?: AbortSignal): Promise<Response> {
    const response = await this.#fetch(this.#url + path, { ...init, credentials: "include", headers: { ...this.#headers, ...init.headers }, ...(signal ? { signal } : {}) });
    if (!response.ok) throw await refusal(response);
    return response;
  }
}

const path = (id: string) => `/api/elicitations/${encodeURIComponent(id)}`;

async function refusal(response: Response): Promise<ParleyError> {
  const said = (await response.json().catch(() => ({}))) as { detail?: string; errors?: { location: string; message: string }[] };
  const after = Number(response.headers.get("Retry-After")) || undefined;
  return new ParleyError(response.status, said.detail ?? `The server answered ${response.status}.`, said.errors ?? [], after);
}

/** Tries again what a server that is away, restarts or has too much to do could not do. */
async function patiently<T>(signal: AbortSignal | undefined, attempt: () => Promise<T>): Promise<T> {
  for (let pause = 100; ; pause = Math.min(2 * pause, 5000)) {
    try {
      return await attempt();
    } catch (error) {
      if (signal?.aborted || (error instanceof ParleyError && error.status !== 503 && error.status !== 502)) throw error;
    }
    await sleep(pause * (0.5 + Math.random()), signal);
  }
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), fail(signal.reason)), { once: true });
  });
}
