// The conversation without a browser: its requests are answered by the test, and time is the test's own.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { Api } from "../../src/api.js";
import { Clock } from "../../src/clock.js";
import { Conversation } from "../../src/conversation.js";

interface Call {
  method: string;
  path: string;
  body: { messages: { id: string; parts: { text: string }[] }[] } | undefined;
  headers: Headers;
  credentials: string | undefined;
  reply(status: number, body?: unknown): void;
  stream(): Stream;
  lose(): void;
}

interface Stream {
  send(...chunks: unknown[]): Promise<void>;
  beat(): Promise<void>;
  cut(): Promise<void>;
  close(): Promise<void>;
  done(): Promise<void>;
  readonly cancelled: boolean;
}

let calls: Call[];

// settle lets everything happen that needs no time.
const settle = async () => {
  for (let i = 0; i < 50; i++) await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  for (let i = 0; i < 50; i++) await Promise.resolve();
};
const pass = async (milliseconds: number) => {
  mock.timers.tick(milliseconds);
  await settle();
};

beforeEach(() => {
  calls = [];
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  mock.method(globalThis, "fetch", (url: string, init: RequestInit) => new Promise<Response>((resolve, reject) => {
    init.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
    calls.push({
      method: init.method ?? "GET",
      path: new URL(url).pathname + new URL(url).search,
      body: init.body ? JSON.parse(String(init.body)) : undefined,
      headers: init.headers as Headers,
      credentials: init.credentials,
      reply: (status, body) => resolve(new Response(body === undefined ? null : JSON.stringify(body), { status })),
      lose: () => reject(new TypeError("Failed to fetch")),
      stream: () => stream(resolve, init.signal ?? undefined),
    });
  }));
});
afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

function stream(resolve: (response: Response) => void, signal: AbortSignal | undefined): Stream {
  let out!: ReadableStreamDefaultController<Uint8Array>;
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({ start: (c) => void (out = c), cancel: () => void (cancelled = true) });
  signal?.addEventListener("abort", () => {
    cancelled = true;
    try {
      out.error(new DOMException("aborted", "AbortError"));
    } catch {
      // It had ended.
    }
  });
  resolve(new Response(body, { status: 200, headers: { "content-type": "text/event-stream" } }));
  const bytes = (text: string) => {
    if (!cancelled) out.enqueue(new TextEncoder().encode(text));
    return settle();
  };
  return {
    send: (...chunks) => bytes(chunks.map((c) => `data: ${JSON.stringify(c)}\n\n`).join("")),
    beat: () => bytes(": beat\n\n"),
    done: () => bytes('data: {"type":"finish"}\n\ndata: [DONE]\n\n'),
    close: () => (out.close(), settle()),
    cut: () => (out.error(new TypeError("network error")), settle()),
    get cancelled() {
      return cancelled;
    },
  };
}

function begin(access = {}): Conversation {
  return new Conversation("conv 1", new Api(() => ({ base: "https://p.example", ...access }), new Clock()), "helper", () => {});
}

const start = (messageId: string) => ({ type: "start", messageId });
const text = (delta: string, id = "t") => ({ type: "text-delta", id, delta });
const ask = (id: string, outcome?: object) => ({
  type: "data-elicitation-request",
  id,
  data: { elicitationId: id, mode: "form", message: "?", context: {}, ...(outcome && { outcome }) },
});
const shown = (c: Conversation) =>
  c.messages.map((m) => `${m.role === "user" ? ">" : ""}${m.parts.map((p) => (p.kind === "text" ? p.text : `[${p.kind}]`)).join("|")}${m.status ? ` (${m.status})` : ""}`);
const last = () => calls.at(-1)!;
const said = (id: string, role: string, t: string) => ({ id, role, parts: [{ type: "text", text: t }] });

test("a message is sent with what the server needs, and its answer is shown as it comes", async () => {
  const c = begin({ getToken: async () => "secret" });
  c.send("Hi");
  await settle();
  assert.deepEqual(shown(c), [">Hi (sending)"]);
  assert.deepEqual([last().method, last().path, last().credentials], ["POST", "/run/api/chat", "same-origin"]);
  assert.deepEqual(Object.fromEntries(last().headers), { authorization: "Bearer secret", "content-type": "application/json", "x-supports-elicitation": "true" });
  const { messages, ...rest } = last().body!;
  assert.deepEqual(rest, { id: "conv 1", agent: "helper" });
  assert.deepEqual(messages.map(({ id, ...m }) => (assert.match(id, /^[\w-]{1,64}$/), m)), [{ role: "user", parts: [{ type: "text", text: "Hi" }] }]);
  const s = last().stream();
  await s.send(start("m"), text("Hel"));
  assert.deepEqual(shown(c), [">Hi", "Hel"]);
  assert.equal(c.busy, true);
  await s.send(text("lo"));
  await s.done();
  assert.deepEqual([shown(c), c.busy, c.lost, calls.length], [[">Hi", "Hello"], false, false, 1]);
});

test("without a token the cookies speak", async () => {
  begin().open();
  await settle();
  assert.equal(last().credentials, "include");
  assert.equal(last().headers.has("authorization"), false);
});

test("a lost stream is sought again after 1, 2, 4, 8, 15 and 15 seconds", async () => {
  const c = begin();
  c.send("Hi");
  await settle();
  const s = last().stream();
  await s.send(start("m"), text("Hel"));
  await s.cut();
  assert.equal(c.lost, true);
  for (const seconds of [1, 2, 4, 8, 15, 15]) {
    const before = calls.length;
    await pass(seconds * 1000 - 1);
    assert.equal(calls.length, before, `too early: ${seconds}`);
    await pass(1);
    assert.equal(calls.length, before + 1, `too late: ${seconds}`);
    assert.equal(last().path, "/run/api/chat/conv%201/stream");
    seconds % 2 ? last().lose() : last().reply(503);
    await settle();
  }
  await pass(15_000);
  const again = last().stream();
  await again.send(start("m"), text("Hel"), text("lo"));
  assert.deepEqual([shown(c), c.lost], [[">Hi", "Hello"], false]);
  await again.done();
  assert.equal(c.busy, false);
});

test("a server that says what is wrong with it is heard, for as long as that is so", async () => {
  const c = begin();
  c.open();
  await settle();
  last().reply(503, { success: false, error: "The database is away. You are still signed in." });
  await settle();
  assert.deepEqual([c.lost, c.trouble, c.failure], [true, "The database is away. You are still signed in.", undefined]);
  await pass(1000);
  last().lose();
  await settle();
  assert.deepEqual([c.lost, c.trouble], [true, undefined]);
  await pass(2000);
  last().reply(200, { id: "conv 1", messages: [], active: false });
  await settle();
  assert.deepEqual([c.lost, c.trouble, c.failure], [false, undefined, undefined]);
});

test("an end without a word of farewell is a loss", async () => {
  const c = begin();
  c.send("Hi");
  await settle();
  const s = last().stream();
  await s.send(start("m"), text("Hel"));
  await s.close();
  assert.equal(c.lost, true);
});

test("what is no stream is refused, and not sought for ever", async () => {
  const c = begin();
  c.send("Hi");
  await settle();
  last().reply(200, { page: "Please sign in" });
  await settle();
  assert.deepEqual([c.failure?.kind, c.lost, shown(c)], ["refused", false, [">Hi (failed)"]]);
  await pass(60_000);
  assert.equal(calls.length, 1);
});

test("a replay takes the place of the message, and shows nothing less meanwhile", async () => {
  const c = begin();
  c.send("Hi");
  await settle();
  const s = last().stream();
  await s.send(start("m"), text("Hello"), ask("q"));
  await s.cut();
  await pass(1000);
  const again = last().stream();
  await again.send(start("m"), text("Hel"));
  assert.deepEqual(shown(c), [">Hi", "Hello|[question]"]);
  await again.send(text("lo"), ask("q"));
  await again.send(text(" there", "u"));
  assert.deepEqual(shown(c), [">Hi", "Hello|[question]| there"]);
  await again.done();
  assert.deepEqual(shown(c), [">Hi", "Hello|[question]| there"]);
});

test("a replay that says less is believed in the end", async () => {
  const c = begin();
  c.send("Hi");
  await settle();
  const s = last().stream();
  await s.send(start("m"), text("Something that was never committed"));
  await s.cut();
  await pass(1000);
  const again = last().stream();
  await again.send(start("m"), text("Short"));
  await pass(1500);
  assert.deepEqual(shown(c), [">Hi", "Short"]);
  await again.done();
  assert.deepEqual(shown(c), [">Hi", "Short"]);
});

test("a message that ended while nobody listened is read from the history", async () => {
  const c = begin();
  c.send("Hi");
  await settle();
  const id = last().body!.messages[0]!.id;
  const s = last().stream();
  await s.send(start("m"), text("Hel"));
  await s.cut();
  await pass(1000);
  last().reply(204);
  await settle();
  assert.equal(last().path, "/run/api/chat/conv%201");
  last().reply(200, { active: false, messages: [{ id, role: "user", parts: [{ type: "text", text: "Hi" }] }, { id: "m", role: "assistant", parts: [{ type: "text", text: "Hello" }] }] });
  await settle();
  assert.deepEqual([shown(c), c.busy], [[">Hi", "Hello"], false]);
});

test("a conversation that is opened again shows its history and goes on live", async () => {
  const c = begin();
  c.open();
  await settle();
  assert.equal(c.loading, true);
  last().reply(200, { active: true, messages: [{ id: "u", role: "user", parts: [{ type: "text", text: "Hi" }] }, { id: "m", role: "assistant", parts: [{ type: "text", text: "Hel" }] }] });
  await settle();
  assert.deepEqual([shown(c), c.loading, last().path], [[">Hi", "Hel"], false, "/run/api/chat/conv%201/stream"]);
  const s = last().stream();
  await s.send(start("m"), text("Hel"), text("lo"));
  await s.done();
  assert.deepEqual([shown(c), c.busy], [[">Hi", "Hello"], false]);
});

test("an unknown conversation is an empty one", async () => {
  const c = begin();
  c.open();
  await settle();
  last().reply(404, { error: "no" });
  await settle();
  assert.deepEqual([c.messages.length, c.failure, c.loading, c.busy], [0, undefined, false, false]);
});

test("a refusal is not tried again by itself", async () => {
  const c = begin();
  c.open();
  await settle();
  last().reply(401, { error: "Sign in." });
  await settle();
  assert.deepEqual([c.failure?.kind, c.failure?.status, c.failure?.said], ["refused", 401, "Sign in."]);
  await pass(60_000);
  assert.equal(calls.length, 1);
  c.failure!.again();
  await settle();
  assert.equal(calls.length, 2);
});

test("silence is a loss, and a heartbeat is not silence", async () => {
  const c = begin();
  c.send("Hi");
  await settle();
  const s = last().stream();
  await s.send(start("m"), ask("q"));
  for (let i = 0; i < 5; i++) {
    await pass(50_000);
    await s.beat();
  }
  assert.equal(c.lost, false);
  await pass(60_000);
  assert.deepEqual([c.lost, s.cancelled], [true, true]);
});

test("a message that was refused can be sent again, under the same id", async () => {
  const c = begin();
  c.send("Hi");
  await settle();
  const id = last().body!.messages[0]!.id;
  last().reply(409, { error: { message: "Wait until the question is answered." } });
  await settle();
  assert.deepEqual([shown(c), c.failure?.said, c.busy], [[">Hi (failed)"], "Wait until the question is answered.", false]);
  c.failure!.again();
  await settle();
  assert.equal(last().body!.messages[0]!.id, id);
  const s = last().stream();
  await s.send(start("m"), text("Hello"));
  await s.done();
  assert.deepEqual([shown(c), c.failure], [[">Hi", "Hello"], undefined]);
});

test("a message of which nobody knows whether it arrived is not sent twice", async () => {
  const c = begin();
  c.send("Hi");
  await settle();
  const id = last().body!.messages[0]!.id;
  last().lose();
  await settle();
  assert.equal(c.failure?.kind, "unreachable");
  c.failure!.again();
  await settle();
  assert.deepEqual([last().method, last().path], ["GET", "/run/api/chat/conv%201"]);
  last().reply(200, { active: true, messages: [{ id, role: "user", parts: [{ type: "text", text: "Hi" }] }] });
  await settle();
  assert.equal(last().path, "/run/api/chat/conv%201/stream");
  const s = last().stream();
  await s.send(start("m"), text("Hello"));
  await s.done();
  assert.deepEqual(shown(c), [">Hi", "Hello"]);
  assert.equal(calls.filter((call) => call.method === "POST").length, 1);
});

test("a message that did not arrive is sent again", async () => {
  const c = begin();
  c.send("Hi");
  await settle();
  last().lose();
  await settle();
  c.failure!.again();
  await settle();
  last().reply(404);
  await settle();
  assert.deepEqual([last().method, shown(c)], ["POST", [">Hi (sending)"]]);
});

test("an error of the server is shown, with the message to try again", async () => {
  const c = begin();
  c.send("Hi");
  await settle();
  const s = last().stream();
  await s.send(start("m"), text("Hel"), { type: "error", errorText: "The model is not reachable." });
  assert.deepEqual([c.failure?.kind, c.failure?.said, c.busy], ["failed", "The model is not reachable.", false]);
  const sent = last().body!.messages[0]!;
  c.failure!.again();
  await settle();
  assert.deepEqual([last().method, last().body], ["GET", undefined]); // it may only have seemed to fail
  last().reply(200, { messages: [{ ...sent, role: "user" }, failed], active: false });
  await settle();
  const again = last().body!.messages[0]!;
  assert.equal(again.parts[0]!.text, "Hi");
  assert.notEqual(again.id, sent.id); // with the same the server would tell of the turn that failed
  assert.deepEqual(c.messages.map((m) => m.parts.at(-1)!.kind), ["text", "mark", "text"]);
});

const failed = {
  id: "m",
  role: "assistant",
  parts: [{ type: "text", text: "Hel" }, { type: "data-warning", id: "failure", data: { message: "The model is not reachable.", ended: "failed" } }],
};

test("a turn that goes on after all is followed, and nothing is sent", async () => {
  const c = begin();
  c.send("Hi");
  await settle();
  await last().stream().send(start("m"), { type: "error", errorText: "Something is wrong on our side." });
  c.failure!.again();
  await settle();
  last().reply(200, { messages: [], active: true });
  await settle();
  assert.match(last().path, /\/stream$/);
  assert.equal(calls.filter((call) => call.method === "POST").length, 1);
});

test("a conversation that is left while it looks before asking again sends nothing", async () => {
  const c = begin();
  c.send("Hi");
  await settle();
  await last().stream().send(start("m"), { type: "error", errorText: "No." });
  c.failure!.again();
  await settle();
  const look = last();
  c.close();
  look.reply(200, { messages: [], active: false });
  await settle();
  assert.equal(last(), look);
});

test("stop leaves the turn and has the server end it, and resume finds it", async () => {
  const c = begin();
  c.send("Hi");
  await settle();
  const s = last().stream();
  await s.send(start("m"), text("Hel"));
  c.stop();
  await settle();
  assert.deepEqual([s.cancelled, c.busy, c.stopped], [true, false, true]);
  assert.equal(last().method, "DELETE");
  assert.match(last().path, /\/run\/api\/chat\/[^/]+\/stream$/);
  last().lose(); // the server does not hear of it: the turn goes on there
  await pass(60_000);
  assert.equal(calls.length, 2);
  c.resume();
  await settle();
  last().reply(200, { active: true, activeMessages: ["m"], messages: [said("u", "user", "Hi"), said("m", "assistant", "Hel")] });
  await settle();
  const again = last().stream();
  await again.send(start("m"), text("Hello"));
  await again.done();
  assert.deepEqual([shown(c), c.stopped], [[">Hi", "Hello"], false]);
});

test("what was stopped is complete after the next turn", async () => {
  const c = begin();
  c.send("One");
  await settle();
  const one = last().stream();
  await one.send(start("m1"), text("Hel"));
  c.stop();
  c.send("Two");
  await settle();
  const two = last().stream();
  await two.send(start("m2"), text("Yes"));
  await two.done();
  assert.equal(last().path, "/run/api/chat/conv%201");
  last().reply(200, { active: false, messages: [said("u1", "user", "One"), said("m1", "assistant", "Hello"), said("u2", "user", "Two"), said("m2", "assistant", "Yes")] });
  await settle();
  assert.deepEqual(shown(c), [">One", "Hello", ">Two", "Yes"]);
});

test("a new message may be sent while a question waits, and both streams are shown", async () => {
  const c = begin();
  c.send("One");
  await settle();
  const one = last().stream();
  await one.send(start("m1"), ask("q"));
  assert.equal(c.questions.length, 1);
  c.send("Two");
  await settle();
  const two = last().stream();
  await two.send(start("m2"), text("Yes"), ask("q", { action: "cancel", reason: "superseded" }));
  assert.deepEqual([c.questions.length, shown(c)], [0, [">One", "[question]", ">Two", "Yes"]]);
  await one.send(text("Done"));
  await one.done();
  await two.done();
  assert.deepEqual([shown(c), c.busy], [[">One", "[question]|Done", ">Two", "Yes"], false]);
});

test("a question that is settled stays so, whatever an older replay says", async () => {
  const c = begin();
  c.send("Hi");
  await settle();
  const s = last().stream();
  await s.send(start("m"), ask("q"));
  c.settle("q", { action: "accept" });
  assert.equal(c.questions.length, 0);
  await s.cut();
  await pass(1000);
  const again = last().stream();
  await again.send(start("m"), ask("q"));
  assert.equal(c.questions.length, 0);
  await again.send(ask("q", { action: "accept", via: "page" }));
  const part = c.messages.at(-1)!.parts[0]!;
  assert.ok(part.kind === "question");
  assert.equal(part.question.outcome?.via, "page");
});

test("after close nothing happens any more", async () => {
  const c = begin();
  c.send("Hi");
  await settle();
  const s = last().stream();
  await s.send(start("m"), text("Hel"));
  c.close();
  await settle();
  await pass(60_000);
  assert.deepEqual([calls.length, s.cancelled, c.busy], [1, true, false]);
});

test("after a reload each of two turns that wait is followed to its end", async () => {
  const c = begin();
  c.open();
  await settle();
  const asked = (id: string) => ({ id, role: "assistant", parts: [ask(`q-${id}`)] });
  last().reply(200, { active: true, activeMessages: ["m1", "m2"], messages: [said("u1", "user", "One"), asked("m1"), said("u2", "user", "Two")] });
  await settle();
  const older = calls.find((call) => call.path === "/run/api/chat/conv%201/stream?message=m1")!.stream();
  const newer = calls.find((call) => call.path === "/run/api/chat/conv%201/stream")!.stream();
  await newer.send(start("m2"), ask("q-m2"));
  await older.send(start("m1"), ask("q-m1"));
  assert.deepEqual(shown(c), [">One", "[question]", ">Two", "[question]"]);
  await older.send(ask("q-m1", { action: "accept" }), text("Painted.", "t"));
  await older.done();
  assert.deepEqual(shown(c), [">One", "[question]|Painted.", ">Two", "[question]"]);
  assert.deepEqual(c.questions.map((q) => q.elicitationId), ["q-m2"]);
  await newer.send(ask("q-m2", { action: "accept" }), text("Done.", "t"));
  await newer.done();
  assert.deepEqual([shown(c), c.busy], [[">One", "[question]|Painted.", ">Two", "[question]|Done."], false]);
});

test("an older turn whose connection is lost is sought again beside the current one", async () => {
  const c = begin();
  c.send("One");
  await settle();
  const older = last().stream();
  await older.send(start("m1"), ask("q1"));
  c.send("Two");
  await settle();
  const newer = last().stream();
  await newer.send(start("m2"), ask("q2"));
  await older.cut();
  await pass(1000);
  assert.equal(last().path, "/run/api/chat/conv%201/stream?message=m1");
  last().reply(503);
  await settle();
  await pass(2000);
  const again = last().stream();
  await again.send(start("m1"), ask("q1", { action: "accept" }), text("Painted.", "t"));
  await again.done();
  assert.deepEqual(shown(c), [">One", "[question]|Painted.", ">Two", "[question]"]);
  c.close();
  await pass(60_000);
  assert.equal(c.busy, false);
});
