// The inbox's requests. The browser's cookie says who asks.

import { list, object, parse, parseExactly, text, type Json } from "./json.js";
import { read } from "./sse.js";

// Said is a refusal with a sentence for the person.
export class Said extends Error {
  constructor(
    readonly status: number,
    sentence: string | undefined,
  ) {
    super(sentence || "Something went wrong at the server. Try again.");
  }
}

const unreachable = "The server could not be reached. Check your connection and try again.";

// ask returns what the server says, as JSON. Whoever is not signed in any more is sent to sign in.
export async function ask(path: string, init: RequestInit = {}): Promise<unknown> {
  return parseExactly(await (await get(path, init)).text());
}

async function get(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { cache: "no-store", credentials: "same-origin", ...init });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Said(0, unreachable);
  }
  if (response.ok) return response;
  if (response.status === 401) signIn();
  const body = object(parse(await response.text().catch(() => "")));
  throw new Said(response.status, reasons(body) ?? text(body?.["detail"]) ?? text(body?.["error"]));
}

// reasons are what is wrong with each member that was sent.
function reasons(body: Json | undefined): string | undefined {
  const all = list(body?.["errors"]).flatMap((one) => text(object(one)?.["message"]) ?? []);
  return all.length > 0 ? `This was not taken: ${all.join("; ")}.` : undefined;
}

function signIn(): void {
  location.assign(`/login?next=${encodeURIComponent(location.pathname)}`);
}

const tooMany = 429;
const longest = 10_000;

// send answers a question. While the server has too much to do it waits.
export async function send(id: string, action: string, content: object | undefined): Promise<void> {
  const body = JSON.stringify({ elicitationId: id, action, ...(content && { content }) });
  for (let pause = 1000; ; pause = Math.min(2 * pause, longest)) {
    try {
      await ask(`/answer/${encodeURIComponent(id)}`, { method: "POST", body, headers: { "content-type": "application/json" } });
      return;
    } catch (error) {
      if (!(error instanceof Said) || error.status !== tooMany) throw error;
      await wait(pause);
    }
  }
}

export interface Listener {
  item(value: unknown): void; // a question as it stands now
  reload(): void; // the list has to be read again
  connected(yes: boolean): void;
}

// ofPerson is where the questions of a person are told of.
export const ofPerson = (user: string) => `/api/elicitations/events?user=${encodeURIComponent(user)}`;

// follow tells what a stream of questions says, until it is aborted.
export async function follow(path: string, to: Listener, signal: AbortSignal): Promise<void> {
  for (let pause = 500; !signal.aborted; pause = Math.min(2 * pause, longest)) {
    try {
      const response = await get(path, { signal });
      for await (const events of read(response.body!)) {
        pause = 500;
        to.connected(true);
        for (const data of events) tell(to, object(parseExactly(data)));
      }
    } catch {
      // It is tried again, whatever it was.
    }
    if (signal.aborted) return;
    to.connected(false);
    await wait(pause);
  }
}

function tell(to: Listener, data: { readonly [name: string]: unknown } | undefined): void {
  if (data?.["id"] === undefined) to.reload();
  else to.item(data);
}

const wait = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));
