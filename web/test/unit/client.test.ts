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
