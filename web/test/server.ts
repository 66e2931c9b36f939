// A server that speaks what the widget expects of Parley, with an agent that does what a test tells it to. It keeps its own
// record of what was said, made without any code of the widget.

import { once } from "node:events";
import { readFile } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { Record, type Json } from "./record.js";

export interface AnswerSeen {
  conversationId: string;
  elicitationId: string;
  action: string;
  content?: Json;
}

export interface RequestSeen {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  body: Json | undefined;
}

// Agent is what happens after a person's message.
export type Agent = (turn: Record, said: string) => void | Promise<void>;

// strict lets a page do nothing but what the widget needs.
export const strict =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; " +
  "require-trusted-types-for 'script'; trusted-types lit-html";

export class FakeServer {
  agent: Agent = (turn) => turn.say("Hello.").finish();
  // answered may refuse an answer: it returns a status and a body.
  answered: (answer: AnswerSeen) => [status: number, body: Json] | undefined = () => undefined;
  // halt ends what runs in a conversation.
  halt: (conversation: string) => void = () => {};
  // refuse may turn a request away.
  refuse: (request: RequestSeen) => [status: number, body: Json] | "hang up" | undefined = () => undefined;
  // account says whose conversations a request is about; without one everybody has the same.
  account: (request: RequestSeen) => string | undefined = () => undefined;
  readonly seen: RequestSeen[] = [];
  readonly answers: AnswerSeen[] = [];

  #records = new Map<string, Record[]>();
  #said = new Map<string, Json[]>();
  #pages = new Map<string, { html: string; policy: string }>();
  #streams = new Set<http.ServerResponse>();
  #http: http.Server;

  private constructor() {
    this.#http = http.createServer((request, response) => {
      this.#serve(request, response).catch((error: unknown) => response.destroy(error as Error));
    });
  }

  static async start(): Promise<FakeServer> {
    const server = new FakeServer();
    server.#http.listen(0, "127.0.0.1");
    await once(server.#http, "listening");
    return server;
  }

  async close(): Promise<void> {
    this.#http.close();
    this.#http.closeAllConnections();
    await once(this.#http, "close");
  }

  get port(): number {
    return (this.#http.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  // other is the same server under another origin.
  get other(): string {
    return `http://localhost:${this.port}`;
  }

  // page serves a page with the widget and returns its path.
  page(path: string, body: string, policy = strict, script = `${this.url}/widget.js`): string {
    const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Test</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css"><script type="module" src="${script}"></script></head><body>${body}</body></html>`;
    this.#pages.set(path, { html, policy });
    return path;
  }

  // turns are the assistant's messages of a conversation.
  turns(conversation: string): Record[] {
    return this.#records.get(conversation) ?? [];
  }

  // drop cuts all streams, as a bad network would.
  drop(): number {
    const cut = this.#streams.size;
    for (const stream of this.#streams) stream.destroy();
    this.#streams.clear();
    return cut;
  }

  get open(): number {
    return this.#streams.size;
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.url);
    this.#allow(request, response);
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    if (request.method === "GET" && (await this.#file(url, response))) return;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const seen: RequestSeen = { method: request.method ?? "", path: url.pathname, headers: request.headers, body: text ? (JSON.parse(text) as Json) : undefined };
    this.seen.push(seen);
    const refused = this.refuse(seen);
    if (refused === "hang up") return void response.destroy();
    if (refused) return reply(response, ...refused);
    const account = this.account(seen);
    const mine = (id: string) => (account === undefined ? id : `${account}/${id}`);
    if (account !== undefined) response.setHeader("x-parley-account", `digest-of-${account}`);
    const path = `${request.method} ${url.pathname}`;
    const stream = /^GET \/run\/api\/chat\/([^/]+)\/stream$/.exec(path);
    const halt = /^DELETE \/run\/api\/chat\/([^/]+)\/stream$/.exec(path);
    const file = /^GET \/run\/api\/chat\/[^/]+\/files\/([^/]+)$/.exec(path);
    const history = /^GET \/run\/api\/chat\/([^/]+)$/.exec(path);
    if (path === "POST /run/api/chat") this.#chat(mine(String(seen.body!["id"])), seen.body!, response);
    else if (path === "POST /run/api/elicitation-responses") this.#answer(seen.body as unknown as AnswerSeen, response);
    else if (path === "POST /hosted/settle") this.settle(String(seen.body!["id"]), String(seen.body!["action"]), "page"), reply(response, 200, {});
    else if (halt) this.halt(mine(decodeURIComponent(halt[1]!))), response.writeHead(204).end();
    else if (stream) this.#replay(mine(decodeURIComponent(stream[1]!)), url.searchParams.get("message"), response);
    else if (file) this.#picture(decodeURIComponent(file[1]!), response);
    else if (history) this.#history(mine(decodeURIComponent(history[1]!)), response);
    else reply(response, 404, { error: "There is nothing here." });
  }

  // pictures are the images that tools have returned, by their ids.
  readonly pictures = new Map<string, { type: string; data: Buffer }>();

  #picture(id: string, response: http.ServerResponse): void {
    const picture = this.pictures.get(id);
    if (!picture) return reply(response, 404, { error: "There is no such image." });
    response.writeHead(200, { "content-type": picture.type }).end(picture.data);
  }

  #allow(request: http.IncomingMessage, response: http.ServerResponse): void {
    const origin = request.headers.origin;
    if (!origin) return;
    response.setHeader("access-control-allow-origin", origin);
    response.setHeader("access-control-allow-credentials", "true");
    response.setHeader("access-control-allow-headers", "authorization, content-type, x-supports-elicitation");
    response.setHeader("access-control-allow-methods", "GET, POST, DELETE");
    response.setHeader("access-control-expose-headers", "x-parley-account");
    response.setHeader("vary", "origin");
  }

  async #file(url: URL, response: http.ServerResponse): Promise<boolean> {
    const page = this.#pages.get(url.pathname);
    if (page) {
      const policy = page.policy && { "content-security-policy": page.policy };
      response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...policy }).end(page.html);
      return true;
    }
    const files: { [path: string]: [type: string, body: string | URL] } = {
      "/widget.js": ["text/javascript; charset=utf-8", new URL("../widget.js", import.meta.url)],
      "/react.js": ["text/javascript; charset=utf-8", new URL("../react.js", import.meta.url)],
      "/app.js": ["text/javascript; charset=utf-8", new URL("../mount.js", import.meta.url)],
      "/page.css": ["text/css", "html,body{height:100%;margin:0} html{color-scheme:light dark} body{background:light-dark(#fff,#15171b);color:light-dark(#000,#fff)} main{display:block;height:100%} h1{position:absolute;margin:0;width:1px;height:1px;overflow:hidden}"],
      "/auth/connect": ["text/html", `<!doctype html><title>Connect</title><script src="/hosted.js"></script>
<button id="approve">Approve</button><button id="leave">Leave</button>`],
      "/hosted.js": ["text/javascript", hosted],
    };
    const file = files[url.pathname];
    if (!file) return false;
    response.writeHead(200, { "content-type": file[0] }).end(typeof file[1] === "string" ? file[1] : await readFile(file[1]));
    return true;
  }

  #chat(id: string, body: Json, response: http.ServerResponse): void {
    const message = (body["messages"] as Json[]).at(-1)!;
    const said = (message["parts"] as Json[]).map((p) => p["text"]).join("");
    const messages = this.#said.get(id) ?? [];
    const turn = new Record(`asst_${this.turns(id).length + 1}`);
    messages.push(message, { turn: turn.id });
    this.#said.set(id, messages);
    this.#records.set(id, [...this.turns(id), turn]);
    this.#follow(turn, response);
    void Promise.resolve(this.agent(turn, said)).catch((error: unknown) => console.error(error));
  }

  #follow(turn: Record, response: http.ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream", "x-vercel-ai-ui-message-stream": "v1", "cache-control": "no-cache" });
    response.write(": open\n\n");
    this.#streams.add(response);
    const leave = turn.listen((event) => {
      if (response.writableEnded) return;
      response.write(event);
      if (event.includes("[DONE]")) response.end();
    });
    response.on("close", () => {
      leave();
      this.#streams.delete(response);
    });
  }

  #replay(id: string, message: string | null, response: http.ServerResponse): void {
    const turn = this.turns(id).findLast((t) => (message === null ? !t.done : t.id === message));
    if (turn) this.#follow(turn, response);
    else response.writeHead(204).end();
  }

  #history(id: string, response: http.ServerResponse): void {
    const messages = this.#said.get(id);
    if (!messages) return reply(response, 404, { error: "There is no such conversation." });
    const turns = this.turns(id);
    const shown = messages.flatMap((m) => ("turn" in m ? (turns.find((t) => t.id === m["turn"])?.message() ?? []) : [m]));
    const activeMessages = turns.filter((t) => !t.done).map((t) => t.id);
    reply(response, 200, { id, messages: shown, active: activeMessages.length > 0, activeMessages });
  }

  #answer(answer: AnswerSeen, response: http.ServerResponse): void {
    this.answers.push(answer);
    const refused = this.answered(answer);
    if (refused) return reply(response, ...refused);
    if (!this.settle(answer.elicitationId, answer.action, "chat", answer.content)) return reply(response, 409, { error: "It is settled." });
    reply(response, 200, { success: true });
  }

  // settle ends a question, as an answer from anywhere would.
  settle(id: string, action: string, via: string, content?: Json): boolean {
    return [...this.#records.values()].flat().some((turn) => turn.settle(id, action, via, content));
  }
}

function reply(response: http.ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const hosted = `
const id = new URLSearchParams(location.search).get("elicitation_id");
addEventListener("DOMContentLoaded", () => {
  document.getElementById("approve").onclick = async () => {
    await fetch("/hosted/settle", {method: "POST", body: JSON.stringify({id, action: "accept"})});
    for (const origin of [location.origin, "http://localhost:" + location.port]) {
      opener?.postMessage({type: "parley:settled", elicitationId: id, action: "accept"}, origin);
    }
    close();
  };
  document.getElementById("leave").onclick = () => close();
});
`;
