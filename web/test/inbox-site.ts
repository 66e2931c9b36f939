// A site with an inbox: what the hosted pages and the management API say to it, without any of their code.

import { readFileSync } from "node:fs";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { Me } from "./inbox-me.js";
import type { Json } from "./record.js";
import { root } from "./root.js";

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; manifest-src 'self'; worker-src 'self'";

const shell = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>Inbox – Parley</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/pages.css">
<script type="module" src="/inbox.js"></script></head><body class="wide"><header><p class="site">Parley</p>
<nav class="places" aria-label="Your pages"><a href="/inbox">Inbox <span class="count">?</span></a></nav></header>
<main id="main"><h1>Inbox</h1><parley-inbox user="alice"></parley-inbox></main></body></html>`;

export const approvalSchema = { type: "object", properties: { decision: { type: "string", oneOf: [{ const: "allow_once", title: "Allow once" }, { const: "deny", title: "Deny" }] } }, required: ["decision"] };

// approverMessage is what permit asks an approver (TestAnApproverReadsTheWholeCallAndWhoAsks).
export const approverMessage =
  'Allow this call?\n\nAsked by: ned\nAgent: travel\nConversation: chat-1\nClient: "the \\"best\\" client"\nRule: transfers\nService: bank\nTool: transfer ("Send money")\nArguments:\n' +
  JSON.stringify({ amount: 100, currency: "EUR", note: "rent", reference: "2026-11", to: "eve" }, null, 2);

export class InboxSite {
  readonly questions: Json[] = []; // newest first
  readonly answers: Json[] = [];
  admin = false; // alice manages the tenant
  looked = 0; // how often somebody said that they see their questions
  connections: Json[] = [];
  permissions: Json[] = [];
  logins: Json[] | undefined; // undefined: the site has none
  agents: string[] = ["helper"];
  conversations: Json[] = []; // the last first
  refuse: (path: string) => [status: number, body: Json] | undefined = () => undefined;
  readonly me = new Me();
  #single = new Map<string, Set<http.ServerResponse>>();
  #streams = new Set<http.ServerResponse>();
  #count = 0;
  #http = http.createServer((request, response) => void this.#serve(request, response));

  static async start(): Promise<InboxSite> {
    const site = new InboxSite();
    site.#http.listen(0, "127.0.0.1");
    await once(site.#http, "listening");
    return site;
  }

  async close(): Promise<void> {
    this.#http.close();
    this.#http.closeAllConnections();
    await once(this.#http, "close");
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  // open asks something, and tells of it.
  open(more: Json = {}, quietly = false): string {
    const id = `q${String(++this.#count).padStart(6, "0")}`;
    const question = {
      id, state: "pending", to: "alice", from: "shop", mode: "form", trigger: "tool_approval", message: `Call ${this.#count}: order {"boxes": ${this.#count}}`,
      requested_schema: approvalSchema, labels: { server: "shop", tool: "order", asker: "bob" }, created_at: "2026-11-17T09:30:00Z", expires_at: new Date(Date.now() + 3 * 24 * 3600_000).toISOString(), ...more,
    };
    this.questions.unshift(question);
    if (!quietly) this.#tell(question);
    return id;
  }

  settle(id: string, outcome: Json, quietly = false): void {
    const question = this.questions.find((q) => q["id"] === id)!;
    Object.assign(question, { state: "settled", outcome: { at: "2026-11-17T09:31:00Z", by: "alice", ...outcome } });
    if (!quietly) this.#tell(question);
  }

  drop(): void {
    for (const stream of this.#streams) stream.destroy();
    this.#streams.clear();
  }

  #tell(question: Json): void {
    for (const stream of this.#streams) stream.write(`event: elicitation\ndata: ${JSON.stringify(question)}\n\n`);
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", this.url);
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const refused = this.refuse(`${request.method} ${url.pathname}`);
    const say = (value: unknown, status = 200) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (refused) return void say(refused[1], refused[0]);
    const answered = /^\/answer\/(.+)$/.exec(url.pathname);
    const followed = /^\/api\/elicitations\/(q\d+)\/events$/.exec(url.pathname);
    const one = /^\/api\/elicitations\/(q\d+)$/.exec(url.pathname);
    if (url.pathname === "/inbox") response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": policy }).end(this.admin ? shell.replace('user="alice"', 'user="alice" admin') : shell);
    else if (url.pathname === "/inbox.js") response.writeHead(200, { "content-type": "text/javascript" }).end(readFileSync(new URL("tmp/inbox.js", root)));
    else if (url.pathname === "/pages.css") response.writeHead(200, { "content-type": "text/css" }).end(readFileSync(new URL("../pages/assets/pages.css", root)));
    else if (url.pathname === "/api/elicitations/events") this.#follow(response);
    else if (url.pathname === "/api/elicitations") say(this.#page(url.searchParams));
    else if (followed) this.#followOne(followed[1]!, response);
    else if (one) say(this.questions.find((q) => q["id"] === one[1]));
    else if (answered && request.method === "POST") this.#take(JSON.parse(body) as Json, say);
    else if (url.pathname === "/inbox/sw.js") response.writeHead(200, { "content-type": "text/javascript" }).end(readFileSync(new URL("tmp/sw.js", root)));
    else if (this.me.serve(`${request.method} ${url.pathname}`, body, say)) return;
    else if (url.pathname === "/run/v1/models") say({ data: this.agents.map((id) => ({ id })) });
    else if (url.pathname === "/run/api/chat") say(this.#talks(url.searchParams));
    else if (url.pathname === "/") response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Chat</title>");
    else if (url.pathname === "/api/me/looking") this.looked++, response.writeHead(204).end();
    else if (url.pathname.endsWith("/cancel")) this.settle(url.pathname.split("/").at(-2)!, { action: "cancel", by: "" }), say({});
    else if (request.method === "DELETE") this.#remove(url.pathname, say);
    else if (url.pathname === "/api/connections") say({ items: this.connections });
    else if (url.pathname === "/api/logins" && this.logins) say({ items: this.logins });
    else if (url.pathname === "/api/permissions") say({ items: this.permissions });
    else say({}, 404);
  }

  // change changes what is told of one question to who follows it.
  change(id: string, more: Json): void {
    const question = this.questions.find((q) => q["id"] === id)!;
    Object.assign(question, more);
    for (const stream of this.#single.get(id) ?? []) stream.write(`event: elicitation\ndata: ${JSON.stringify(question)}\n\n`);
  }

  // following is how many follow one question.
  following(id: string): number {
    return this.#single.get(id)?.size ?? 0;
  }

  #followOne(id: string, response: http.ServerResponse): void {
    const streams = this.#single.get(id) ?? new Set();
    this.#single.set(id, streams.add(response));
    response.on("close", () => streams.delete(response));
    response.writeHead(200, { "content-type": "text/event-stream" });
    this.change(id, {});
  }

  #follow(response: http.ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream" }).write("event: reload\ndata: {}\n\n");
    this.#streams.add(response);
    response.on("close", () => this.#streams.delete(response));
  }

  #talks(query: URLSearchParams): Json {
    const [from, limit] = [Number(query.get("cursor") ?? 0), Number(query.get("limit"))];
    const more = this.conversations.length > from + limit;
    return { conversations: this.conversations.slice(from, from + limit), ...(more && { nextCursor: String(from + limit) }) };
  }

  #page(query: URLSearchParams): Json {
    const limit = Number(query.get("limit"));
    const after = query.get("cursor") ?? "~";
    const found = this.questions.filter((q) => q["state"] === query.get("state") && String(q["id"]) < after).slice(0, limit + 1);
    const items = found.slice(0, limit);
    return { items, ...(found.length > limit && { next_cursor: items.at(-1)!["id"] }) };
  }

  #take(answer: Json, say: (value: unknown, status?: number) => void): void {
    const id = String(answer["elicitationId"]);
    if (this.questions.find((q) => q["id"] === id)?.["state"] !== "pending") return say({ error: "This question is settled already: the first answer counts." }, 409);
    this.answers.push(answer);
    this.settle(id, { action: answer["action"], content: answer["content"], via: "inbox" });
    say({ success: true });
  }

  #remove(path: string, say: (value: unknown, status?: number) => void): void {
    const id = decodeURIComponent(path.split("/").at(-1)!);
    this.connections = this.connections.filter((c) => c["server"] !== id);
    this.permissions = this.permissions.filter((p) => p["id"] !== id);
    this.logins = this.logins?.filter((one) => one["id"] !== id);
    say({ disconnected: true });
  }
}
