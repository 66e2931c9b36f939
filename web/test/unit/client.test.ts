import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { Client, ParleyError, verifyWebhook } from "../../client/src/index.js";

// A server that answers by turns, and keeps what it was sent.
async function serving(turns: ((request: IncomingMessage, response: ServerResponse) => void)[]) {
  const seen: { url: string; method: string; key: string | undefined; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => (body += piece));
    request.on("end", () => {
      seen.push({ url: request.url!, method: request.method!, key: request.headers.authorization, body });
      turns[Math.min(seen.length, turns.length) - 1]!(request, response);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, seen, [Symbol.asyncDispose]: async () => void (server.closeAllConnections(), server.close()) };
}

const json = (status: number, value: unknown) => (_: IncomingMessage, response: ServerResponse) =>
  void response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
const broken = (_: IncomingMessage, response: ServerResponse) => void response.destroy();
const pending = { id: "q1", state: "pending", mode: "form", message: "Really?" };
const settled = { ...pending, state: "settled", outcome: { action: "accept", content: { colour: "red" } } };

test("what is asked is sent again under the same key until the server has it", async () => {
  await using server = await serving([broken, json(503, {}), json(201, pending)]);
  const asked = await new Client({ url: server.url + "/", token: "k" }).ask({ to: "alice", message: "Really?" });
  assert.equal(asked.id, "q1");
  const keys = server.seen.map((one) => JSON.parse(one.body).idempotency_key);
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
  assert.ok(keys[0].length > 20);
  assert.deepEqual(server.seen.map((one) => one.key), ["Bearer k", "Bearer k", "Bearer k"]);
});

test("a refusal is told at once, with its reasons", async () => {
  await using server = await serving([json(422, { detail: "Correct it.", errors: [{ location: "body.to", message: "who?" }] })]);
  await assert.rejects(new Client({ url: server.url }).ask({ to: "", message: "Really?" }), (error: ParleyError) => {
    assert.deepEqual([error.status, error.message, error.errors[0]!.location], [422, "Correct it.", "body.to"]);
    return true;
  });
  assert.equal(server.seen.length, 1);
});

test("waiting goes on while the question is open and the server is away", async () => {
  await using server = await serving([json(200, pending), broken, json(200, settled)]);
  const answer = await new Client({ url: server.url }).wait<{ colour: string }>("q1");
  assert.equal(answer.outcome?.content?.colour, "red");
  assert.deepEqual(server.seen.map((one) => one.url), Array(3).fill("/api/elicitations/q1?wait=60"));
});

test("a signal ends the waiting", async () => {
  await using server = await serving([broken]);
  const stop = AbortSignal.timeout(200);
  await assert.rejects(new Client({ url: server.url }).wait("q1", { signal: stop }), { name: "TimeoutError" });
});

test("an address that can be none is refused where it is given", () => {
  for (const url of ["parley.example", "localhost:8080", "/parley", "", "ftp://parley.example", "https://"]) {
    assert.throws(() => new Client({ url }), /must begin with https:\/\/ or http:\/\//, url);
  }
  assert.throws(() => new Client({ url: "https://me:secret@parley.example" }), /Give a token instead/);
  assert.throws(() => new Client({ url: "https://parley.example", token: "two\nlines" }), TypeError);
});

test("a server that speaks no TLS is not waited for", { timeout: 10_000 }, async () => {
  await using server = await serving([json(200, settled)]);
  const url = server.url.replace("http:", "https:");
  await assert.rejects(new Client({ url }).wait("q1"), { message: /^https:\/\/127.0.0.1:\d+ cannot be reached: .*wrong version number.*\(ERR_SSL_WRONG_VERSION_NUMBER\)$/s });
});

// A way to the network that fails as Node's does.
const failing = (code: string, ...then: Response[]) => async () => {
  const response = then.shift();
  if (response) return response;
  throw new TypeError("fetch failed", { cause: Object.assign(new Error(`it is ${code}`), { code }) });
};
const url = "https://parley.example";

test("a certificate that does not hold is told at once", async () => {
  for (const code of ["DEPTH_ZERO_SELF_SIGNED_CERT", "CERT_HAS_EXPIRED", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "ERR_TLS_CERT_ALTNAME_INVALID", "EPROTO"]) {
    await assert.rejects(new Client({ url, fetch: failing(code) }).ask({ to: "alice", message: "Really?" }), { message: `${url} cannot be reached: it is ${code} (${code})` });
  }
});

test("a name that nobody knows is tried for a minute, and longer if the server has answered", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const after = async (minutes: number, waiting: Promise<unknown>) => {
    let end = "";
    waiting.then(() => (end = "answered"), (error: Error) => (end = error.message));
    for (let s = 0; s < 60 * minutes; s++) {
      t.mock.timers.tick(1000);
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
    }
    return end;
  };
  const stranger = new Client({ url, fetch: failing("ENOTFOUND") }).wait("q1");
  assert.equal(await after(0.9, stranger), "");
  assert.match(await after(0.5, stranger), /cannot be reached: it is ENOTFOUND/);
  const friend = new Client({ url, fetch: failing("ENOTFOUND", Response.json(pending)) });
  assert.equal(await after(5, friend.wait("q1")), "");
  assert.equal(await after(5, new Client({ url, fetch: failing("ECONNREFUSED") }).wait("q1")), "");
});

test("what another server answers is told with what came", { timeout: 10_000 }, async () => {
  const page = (status: number, type: string, body: string) => (_: IncomingMessage, response: ServerResponse) => void response.writeHead(status, type ? { "Content-Type": type } : {}).end(body);
  const html = "<!doctype html>\n<title>Welcome</title>" + "x".repeat(200);
  for (const [turn, said] of [
    [page(200, "text/html; charset=utf-8", html), /answered 200 with what Parley does not say \(text\/html\): <!doctype html> <title>Welcome<\/title>x+…\. Is it a Parley server\?$/],
    [page(404, "text/plain", "no such page"), /answered 404 with what Parley does not say \(text\/plain\): no such page\./],
    [page(200, "", ""), /answered 200 with nothing\./],
    [json(200, null), /null$|does not say \(application\/json\): null\./],
    [json(200, { ok: true }), /answered with what is no question: \{"ok":true\}|does not say \(application\/json\): \{"ok":true\}\./],
    [json(400, null), /^The server answered 400\.$/],
  ] as const) {
    for (const attempt of [(c: Client) => c.ask({ to: "alice", message: "Really?" }), (c: Client) => c.wait("q1"), (c: Client) => c.events("q1").next()]) {
      await using server = await serving([turn]);
      await assert.rejects(attempt(new Client({ url: server.url })), (error: Error) => error instanceof ParleyError && said.test(error.message));
      assert.equal(server.seen.length, 1);
    }
  }
  await using server = await serving([page(503, "text/html", html), page(502, "text/html", html), page(504, "text/html", html), json(200, settled)]);
  assert.equal((await new Client({ url: server.url }).wait("q1")).state, "settled");
});

test("events are told once each, also when the stream breaks", async () => {
  const events = (...all: unknown[]) => (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(200, { "Content-Type": "text/event-stream" }).end(": beat\n\n" + all.map((one) => `event: elicitation\ndata: ${JSON.stringify(one)}\n\n`).join(""));
  await using server = await serving([events(pending), events(pending, settled)]);
  const told: string[] = [];
  for await (const question of new Client({ url: server.url }).events("q1")) told.push(question.state);
  assert.deepEqual(told, ["pending", "settled"]);
});

test("a callback is believed if it is signed, and is not old", async () => {
  const raw = randomBytes(32), secret = `whsec_${raw.toString("base64")}`, body = JSON.stringify({ type: "question.settled", timestamp: "", data: settled });
  const at = 1_800_000_000, now = new Date(at * 1000);
  const sign = (id: string, body: string) => `v1,${createHmac("sha256", raw).update(`${id}.${at}.${body}`).digest("base64")}`;
  const headers = { "webhook-id": "m1", "webhook-timestamp": String(at), "webhook-signature": `v1,AAAA ${sign("m1", body)}` };
  assert.equal((await verifyWebhook(secret, headers, body, now)).data.id, "q1");
  assert.equal((await verifyWebhook(secret, new Headers(headers), body, now)).type, "question.settled");
  for (const [name, attempt] of Object.entries({
    "another body": () => verifyWebhook(secret, headers, body + " ", now),
    "another id": () => verifyWebhook(secret, { ...headers, "webhook-id": "m2" }, body, now),
    "another secret": () => verifyWebhook(`whsec_${randomBytes(32).toString("base64")}`, headers, body, now),
    "too old": () => verifyWebhook(secret, headers, body, new Date((at + 301) * 1000)),
    "no signature": () => verifyWebhook(secret, { ...headers, "webhook-signature": "v1,%%" }, body, now),
    "another version": () => verifyWebhook(secret, { ...headers, "webhook-signature": sign("m1", body).replace("v1", "v2") }, body, now),
  })) await assert.rejects(attempt(), /webhook/, name);
});
