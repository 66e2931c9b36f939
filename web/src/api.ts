// The widget's requests to the server.

import type { Clock } from "./clock.js";
import { list, object, parse, parseExactly, text } from "./json.js";
import { readHistory, type Action, type History } from "./wire.js";

export type GetToken = () => string | null | undefined | Promise<string | null | undefined>;

// Access says where the server is and who asks. Without a token the browser's cookies say it.
export interface Access {
  base: string;
  token?: string | undefined;
  getToken?: GetToken | undefined;
}

// Refused is an answer other than the one that was hoped for.
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly said: string | undefined,
    readonly fields: readonly FieldError[] = [],
  ) {
    super(said ?? `status ${status}`);
  }

  // passing reports whether trying again later makes sense.
  get passing(): boolean {
    return this.status >= 500 || this.status === 408 || this.status === 425 || this.status === 429;
  }
}

export interface FieldError {
  field: string;
  message: string;
}

export interface Answer {
  elicitationId: string;
  action: Action;
  content?: { [field: string]: unknown } | undefined;
}

export class Api {
  constructor(
    readonly access: () => Access,
    readonly clock: Clock,
    // heard is told whose conversations the server shows, before anything of them is taken.
    private readonly heard: (account: string, method: string) => void = () => {},
  ) {}

  // send posts a message; the answer is a stream.
  async send(body: unknown, signal: AbortSignal): Promise<Response> {
    return streamed(await this.#ask("/run/api/chat", { method: "POST", body: JSON.stringify(body), signal }));
  }

  // stream replays the current message, or the one that is named, and goes on live; undefined if there is none.
  async stream(conversation: string, signal: AbortSignal, message?: string): Promise<Response | undefined> {
    const which = message === undefined ? "" : `?message=${encodeURIComponent(message)}`;
    const response = await this.#ask(`/run/api/chat/${encodeURIComponent(conversation)}/stream${which}`, { signal });
    return response.status === 204 ? undefined : streamed(response);
  }

  // halt ends what runs in a conversation. One where nothing runs is as good as ended.
  async halt(conversation: string): Promise<void> {
    await this.#ask(`/run/api/chat/${encodeURIComponent(conversation)}/stream`, { method: "DELETE", keepalive: true });
  }

  // history returns the conversation; one that the server does not know is empty.
  async history(conversation: string, signal: AbortSignal): Promise<History> {
    try {
      const response = await this.#ask(`/run/api/chat/${encodeURIComponent(conversation)}`, { signal });
      return readHistory(parseExactly(await response.text()));
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return { messages: [], active: false, activeMessages: [] };
      throw error;
    }
  }

  // picture returns an image of the conversation as an address that needs no request: pages need let nothing in but data.
  // What is no image that browsers show as one is none.
  async picture(conversation: string, id: string): Promise<string | undefined> {
    const response = await this.#ask(`/run/api/chat/${encodeURIComponent(conversation)}/files/${encodeURIComponent(id)}`, {});
    const blob = await response.blob();
    if (!/^image\/(png|jpeg|gif|webp)$/.test(blob.type)) return undefined;
    return new Promise((resolve, reject) => {
      const reader = new FileReader();
      reader.onload = () => resolve(typeof reader.result === "string" ? reader.result : undefined);
      reader.onerror = () => reject(reader.error);
      reader.readAsDataURL(blob);
    });
  }

  async #ask(path: string, init: RequestInit): Promise<Response> {
    const response = await ask(this.access().base + path, this.access(), init);
    this.clock.note(response.headers.get("date"));
    const account = response.headers.get("x-parley-account");
    if (account) this.heard(account, init.method ?? "GET");
    if (!response.ok) throw await refusal(response);
    return response;
  }
}

// streamed refuses what is no stream, such as the page of a proxy that wants a sign-in.
function streamed(response: Response): Response {
  if (response.body && response.headers.get("content-type")?.startsWith("text/event-stream")) return response;
  void response.body?.cancel();
  throw new Refused(response.status, undefined);
}

// answer sends an answer to a question; it throws Refused if the server does not take it.
export async function answer(endpoint: string, access: Access, conversation: string, given: Answer): Promise<void> {
  const body = JSON.stringify({ conversationId: conversation, ...given });
  const response = await ask(endpoint, access, { method: "POST", body });
  if (!response.ok) throw await refusal(response);
}

async function ask(url: string, access: Access, init: RequestInit): Promise<Response> {
  const headers = new Headers({ "x-supports-elicitation": "true" });
  if (init.body !== undefined) headers.set("content-type", "application/json");
  const token = access.token || (await access.getToken?.());
  if (token) headers.set("authorization", `Bearer ${token}`);
  return fetch(url, { ...init, headers, cache: "no-store", credentials: token ? "same-origin" : "include" });
}

async function refusal(response: Response): Promise<Refused> {
  const body = object(parse(await response.text().catch(() => "")));
  const error = body?.["error"];
  const fields: FieldError[] = [];
  for (const entry of list(body?.["fields"])) {
    const message = text(object(entry)?.["message"]);
    // A path such as colors[1] is about the field colors.
    const field = (text(object(entry)?.["field"]) ?? "").replace(/\[\d+\]$/, "");
    if (message) fields.push({ field, message });
  }
  return new Refused(response.status, text(error) ?? text(object(error)?.["message"]), fields);
}
