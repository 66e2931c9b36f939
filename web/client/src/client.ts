import { read } from "../../src/sse.js";
import { type Ask, ParleyError, type Question } from "./wire.js";

export interface Options {
  /** Where the server is, such as https://parley.example. In a page also a path of its own origin, such as /parley. */
  url: string;
  /** The key of a program, or a person's token. Without one the browser's cookie counts. */
  token?: string;
  fetch?: typeof fetch;
}

export interface Waiting {
  signal?: AbortSignal;
}

/** Asks people, and waits for them. A server that is away or restarts is waited for; what can never be one is an error. */
export class Client {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #fetch: typeof fetch;
  #known = false; // the server has answered

  /** Throws if the address or the token can be none. */
  constructor({ url, token, fetch: own }: Options) {
    this.#url = address(url);
    this.#headers = token ? { Authorization: `Bearer ${token}` } : {};
    new Headers(this.#headers); // throws if a header cannot hold the token
    this.#fetch = own ?? ((input, init) => fetch(input, init));
  }

  /** Asks. It is tried again until the server has it, and is asked once. */
  ask<T = Record<string, unknown>>(question: Ask, { signal }: Waiting = {}): Promise<Question<T>> {
    const body = JSON.stringify({ ...question, idempotency_key: question.idempotency_key ?? crypto.randomUUID() });
    return this.#patiently(signal, () => this.#question<T>("/api/elicitations", { method: "POST", body, headers: { "Content-Type": "application/json" } }, signal));
  }

  /** How a question stands. */
  get<T = Record<string, unknown>>(id: string, { signal }: Waiting = {}): Promise<Question<T>> {
    return this.#question(path(id), {}, signal);
  }

  /** Waits until a question is settled, through restarts of the server, or until the signal aborts. */
  async wait<T = Record<string, unknown>>(id: string, { signal }: Waiting = {}): Promise<Question<T>> {
    for (;;) {
      const question = await this.#patiently(signal, () => this.#question<T>(`${path(id)}?wait=60`, {}, signal));
      if (question.state === "settled") return question;
    }
  }

  /** A question as it stands, and whenever that changes, until it is settled. */
  async *events<T = Record<string, unknown>>(id: string, { signal }: Waiting = {}): AsyncGenerator<Question<T>> {
    let told = "";
    for (;;) {
      const body = await this.#patiently(signal, () => this.#stream(`${path(id)}/events`, signal));
      try {
        for await (const events of read(body)) {
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
    return this.#question(`${path(id)}/cancel`, { method: "POST" }, signal);
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
    const body = await this.#stream("/api/elicitations/events", signal);
    for await (const events of read(body)) {
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

  async #question<T>(path: string, init: RequestInit, signal?: AbortSignal): Promise<Question<T>> {
    const said = await this.#send<Question<T> | null>(path, init, signal);
    if (said?.state === "pending" || said?.state === "settled") return said;
    throw new ParleyError(200, `${this.#url + path} answered with what is no question: ${start(JSON.stringify(said))}`);
  }

  async #send<T>(path: string, init: RequestInit, signal?: AbortSignal): Promise<T> {
    const response = await this.#request(path, init, signal);
    const body = await response.text();
    try {
      return JSON.parse(body) as T;
    } catch {
      throw new ParleyError(response.status, `${this.#url + path} ${came(response, body)}`);
    }
  }

  async #stream(path: string, signal?: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const response = await this.#request(path, {}, signal);
    if (response.body && type(response) === "text/event-stream") return response.body;
    throw new ParleyError(response.status, `${this.#url + path} ${came(response, await response.text())}`);
  }

  async #request(path: string, init: RequestInit, signal?: AbortSignal): Promise<Response> {
    const response = await this.#fetch(this.#url + path, { ...init, credentials: "include", headers: { ...this.#headers, ...init.headers }, ...(signal ? { signal } : {}) });
    this.#known = true;
    if (!response.ok) throw await refusal(response);
    return response;
  }

  /** Tries again what a server that is away, restarts or has too much to do could not do. */
  async #patiently<T>(signal: AbortSignal | undefined, attempt: () => Promise<T>): Promise<T> {
    const began = Date.now();
    for (let pause = 100; ; pause = Math.min(2 * pause, 5000)) {
      try {
        return await attempt();
      } catch (error) {
        if (signal?.aborted || (error instanceof ParleyError && ![502, 503, 504].includes(error.status))) throw error;
        const { code = "", message = "" } = ((error as Error).cause ?? {}) as { code?: string; message?: string };
        const nobody = code === "ENOTFOUND" && !this.#known && Date.now() - began > 60_000; // a name that was right may be away with the network
        if (nobody || unsafe.test(code)) throw new Error(`${this.#url} cannot be reached: ${message.trim()} (${code})`, { cause: error });
      }
      await sleep(pause * (0.5 + Math.random()), signal);
    }
  }
}

// What Node says when the other side speaks no TLS, or has a certificate that is not to be believed.
const unsafe = /^(ERR_SSL_|UNABLE_TO_|EPROTO)|CERT/;

const path = (id: string) => `/api/elicitations/${encodeURIComponent(id)}`;

// address is the server's, without a slash at its end.
function address(url: string): string {
  const own = "location" in globalThis && /^(\/|$)/.test(url);
  const whole = /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : undefined;
  if (!own && !whole) throw new TypeError(`The server's address "${url}" must begin with https:// or http://, such as https://parley.example.`);
  if (whole?.username || whole?.password) throw new TypeError("The server's address has a name or a password in it. Give a token instead.");
  return url.replace(/\/$/, "");
}

async function refusal(response: Response): Promise<ParleyError> {
  const body = await response.text().catch(() => "");
  const after = Number(response.headers.get("Retry-After")) || undefined;
  try {
    const said = JSON.parse(body) as { detail?: string; errors?: { location: string; message: string }[] } | null;
    return new ParleyError(response.status, said?.detail ?? `The server answered ${response.status}.`, said?.errors ?? [], after);
  } catch {
    return new ParleyError(response.status, `${response.url || "The server"} ${came(response, body)}`, [], after);
  }
}

const type = (response: Response) => response.headers.get("Content-Type")?.split(";")[0]!.trim().toLowerCase();

/** What came instead of what Parley answers. */
const came = (response: Response, body: string) =>
  `answered ${response.status} with ${body ? `what Parley does not say (${type(response) ?? "of no type"}): ${start(body)}` : "nothing"}. Is it a Parley server?`;

const start = (text: string) => (text.length > 100 ? text.slice(0, 100) + "…" : text).replace(/\s+/g, " ").trim();

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), fail(signal.reason)), { once: true });
  });
}
