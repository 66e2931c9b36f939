// Small things: addresses, time, outcomes, words.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readAddress } from "../../src/address.js";
import { Clock, crossed, remaining } from "../../src/clock.js";
import { readItem } from "../../src/inbox-wire.js";
import { ended } from "../../src/inbox-words.js";
import { ending } from "../../src/outcome.js";
import { english, sayer, type Key } from "../../src/strings.js";
import { readHistory, type Outcome, type Question } from "../../src/wire.js";

const base = "https://parley.example";

test("an address is shown whole, in ASCII, with the part to trust marked", () => {
  const parts = (url: string, domain?: string) => {
    const a = readAddress(url, base, domain)!;
    assert.equal(a.before + a.trust + a.after, a.href);
    return [a.before, a.trust, a.after];
  };
  assert.deepEqual(parts("https://login.example.com:8443/a?b#c"), ["https://", "login.example.com:8443", "/a?b#c"]);
  assert.deepEqual(parts("https://login.example.com:8443/a", "example.com"), ["https://login.", "example.com", ":8443/a"]);
  assert.deepEqual(parts("https://example.com/", "example.com"), ["https://", "example.com", "/"]);
  // Where no part of a host is registered the server says all of it, with its port.
  assert.deepEqual(parts("http://127.0.0.1:8420/auth/connect/x", "127.0.0.1:8420"), ["http://", "127.0.0.1:8420", "/auth/connect/x"]);
  assert.deepEqual(parts("http://localhost:8420/", "localhost:8420"), ["http://", "localhost:8420", "/"]);
  assert.deepEqual(parts("http://[::1]:8420/", "[::1]:8420"), ["http://", "[::1]:8420", "/"]);
  assert.deepEqual(parts("https://127.0.0.1/", "127.0.0.1"), ["https://", "127.0.0.1", "/"]);
  // A server that says nonsense marks nothing but the whole.
  assert.deepEqual(parts("https://evil.example/", "bank.example"), ["https://", "evil.example", "/"]);
  assert.deepEqual(parts("https://notbank.example/", "bank.example"), ["https://", "notbank.example", "/"]);
  assert.deepEqual(parts("https://bücher.example/ö"), ["https://", "xn--bcher-kva.example", "/%C3%B6"]);
  assert.deepEqual(parts("https://" + "a.".repeat(100) + "example/"), ["https://", "a.".repeat(100) + "example", "/"]);
});

test("an address that must not be opened is none", () => {
  for (const bad of ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "https://bank.example@evil.example/", "https://a:b@c.example", "/relative", "", undefined, "intent://x"]) {
    assert.equal(readAddress(bad, base), undefined, bad);
  }
});

test("an address is foreign if its origin is another, and insecure if it is not encrypted", () => {
  const flags = (url: string) => [readAddress(url, base)!.foreign, readAddress(url, base)!.insecure];
  assert.deepEqual(flags("https://parley.example/auth/connect"), [false, false]);
  assert.deepEqual(flags("https://parley.example:444/"), [true, false]);
  assert.deepEqual(flags("http://parley.example/"), [true, true]);
  assert.deepEqual(flags("http://127.0.0.1:8420/"), [true, false]);
  assert.deepEqual(flags("http://localhost.evil.example/"), [true, true]);
});

test("a countdown is written as people read it", () => {
  const s = 1000;
  assert.deepEqual([0, 1, 59.5 * s, 60 * s, 599 * s, 3600 * s, 26 * 3600 * s, 49 * 3600 * s].map(remaining), ["0:00", "0:01", "1:00", "1:00", "9:59", "1 h 0 min", "26 h 0 min", "2 d 1 h"]);
  // Three days, to who is asked a moment later and to who waits a minute longer.
  assert.deepEqual([72 * 3600 * s - 900, 72 * 3600 * s + 60 * s, 48 * 3600 * s].map(remaining), ["3 d", "3 d", "2 d"]);
  assert.equal(remaining(-5), "0:00");
});

test("a countdown speaks at few moments", () => {
  const said = [];
  for (let left = 310; left >= 0; left--) {
    const at = crossed((left + 1) * 1000, left * 1000);
    if (at !== undefined) said.push(at);
  }
  assert.deepEqual(said, [300, 60, 30, 10]);
  assert.equal(crossed(400_000, 5_000), 10); // after a sleep, only what matters
  assert.equal(crossed(20_000, 0), undefined);
});

test("the server's clock counts", () => {
  const clock = new Clock();
  const told = (ahead: number) => clock.note(new Date(Date.now() + ahead).toUTCString());
  told(600_000);
  assert.ok(Math.abs(clock.now() - Date.now() - 600_000) < 2000);
  clock.note(null);
  assert.ok(Math.abs(clock.now() - Date.now() - 600_000) < 2000);
  told(0);
  assert.ok(Math.abs(clock.now() - Date.now()) < 5);
});

test("an outcome says how and where", () => {
  const say = sayer(undefined);
  const q = (trigger: string, mode: Question["mode"] = "form"): Question => ({ elicitationId: "q", mode, message: "", context: { trigger } });
  const says = (question: Question, outcome: Outcome, here = {}) => ending(question, outcome, { answered: false, watched: true, ...here }, say).sentence;
  const connect = q("credential_required", "url");
  assert.equal(says(connect, { action: "accept", via: "page" }), "Connected on the hosted page.");
  assert.equal(says(connect, { action: "accept", via: "nango" }), "Connected elsewhere.");
  assert.equal(says(connect, { action: "decline" }, { answered: true }), "Not connected: you dismissed it.");
  assert.equal(says(q("mcp_elicitation", "url"), { action: "accept" }, { answered: true }), "Done.");
  assert.equal(says(q("tool"), { action: "accept", via: "chat" }), "Answered elsewhere.");
  assert.equal(says(q("tool"), { action: "accept", via: "chat" }, { watched: false }), "Answered.");
  assert.equal(says(q("tool"), { action: "accept", via: "slack" }), "Answered in Slack.");
  assert.equal(says(q("tool"), { action: "decline", via: "page" }), "Declined on the hosted page.");
  assert.equal(says(q("tool"), { action: "expire" }), "Expired. Nobody answered in time.");
  assert.equal(says(q("tool"), { action: "cancel", by: "alice" }), "Cancelled elsewhere.");
  assert.equal(says(q("tool"), { action: "cancel", reason: "superseded" }), "A newer question has taken its place.");
  assert.equal(says(q("tool"), { action: "cancel" }), "No longer asked.");
  assert.equal(says(q("tool"), { action: "cancel", reason: "withdrawn: answered by bob and carol" }), "No longer asked: answered by bob and carol.");
  assert.equal(says(q("tool"), { action: "cancel", reason: "withdrawn: by \u202ebob" }), "No longer asked: by \\u202ebob.");
  const decided = (decision: string) => says(q("tool_approval"), { action: "accept" }, { answered: true, decision });
  assert.deepEqual(["allow_once", "always_allow", "deny"].map(decided), ["You allowed it once.", "You allowed it from now on.", "You denied it."]);
  const limited = { answered: true, decision: "always_allow", chosen: "Always allow this tool · For an hour" };
  assert.equal(says(q("tool_approval"), { action: "accept" }, limited), "You chose: Always allow this tool · For an hour.");
});

test("what the inbox says of how something ended is nobody's in particular", () => {
  const item = (trigger: string, mode: string, outcome: object) => readItem({ id: "q", state: "settled", to: "alice", from: "bank", mode, message: "m", trigger, requested_schema: {}, outcome }, "https://parley.example")!;
  for (const trigger of ["tool", "tool_approval", "approvers", "credential_required", "ask"])
    for (const mode of ["form", "url"])
      for (const action of ["accept", "decline", "cancel", "expire"])
        for (const decision of [undefined, "allow_once", "always_allow", "changed", "asked_back", "deny"])
          for (const by of [undefined, "alice"]) {
            const { sentence } = ended(item(trigger, mode, { action, by, decision, at: "2026-11-17T09:30:00Z" }));
            assert.doesNotMatch(sentence, /\byou\b/i, `${trigger} ${mode} ${action} ${decision} ${by}`);
          }
});

test("every word can be replaced", () => {
  for (const key of Object.keys(english) as Key[]) assert.equal(sayer({ [key]: "other" })(key), "other");
  for (const [key, n, said] of [["errorMinItems", 1, "Tea must have at least 1 choice."], ["errorMaxLength", 40, "Tea must be at most 40 characters long."],
    ["secondsLeft", 30, "30 seconds left to answer Tea."], ["secondsLeft", 60, "1 minute left to answer Tea."], ["secondsLeft", 300, "5 minutes left to answer Tea."]] as const)
    assert.equal(sayer(undefined)(key, { n, label: "Tea", service: "Tea" }), said);
  const say = sayer({ errorMinimum: "{label} ≥ {n}", waiting: ({ n }) => `${n}!` });
  assert.equal(say("errorMinimum", { label: "X", n: 3 }), "X ≥ 3");
  assert.equal(say("waiting", { n: 2 }), "2!");
  assert.equal(say("send"), "Send");
  assert.equal(say("connectTitle", { service: "{account}" }), "Connect {account}");
});

test("a history is read part by part, and what is unknown is left out", () => {
  const { messages, active } = readHistory({
    future: 1,
    active: true,
    messages: [
      { id: "u1", role: "user", parts: [{ type: "text", text: "Hi" }, { type: "file", url: "x" }] },
      { id: "u2", role: "user", parts: [{ type: "data-elicitation-response", data: {} }] },
      { id: "s", role: "system", parts: [{ type: "text", text: "secret" }] },
      {
        id: "a1",
        role: "assistant",
        parts: [
          { type: "step-start" },
          { type: "reasoning", text: "hm" },
          { type: "text", text: "Hello" },
          { type: "tool-list_issues", toolCallId: "c1", state: "output-available", input: { a: 1 }, output: [1] },
          { type: "dynamic-tool", toolName: "search", toolCallId: "c2", state: "output-error", input: {}, errorText: "no" },
          { type: "tool-x", state: "output-available" },
          { type: "data-elicitation-request", id: "q", data: { elicitationId: "q", mode: "url", message: "m", url: "https://x.example" } },
          { type: "data-future", data: {} },
          null,
          7,
        ],
      },
      "x",
    ],
  });
  assert.equal(active, true);
  assert.deepEqual(messages.map((m) => [m.id, m.parts.map((p) => p.kind)]), [["u1", ["text"]], ["a1", ["text", "tool", "tool", "question"]]]);
  const tools = messages[1]!.parts.flatMap((p) => (p.kind === "tool" ? [[p.name, p.state, p.input, p.output, p.error]] : []));
  assert.deepEqual(tools, [["list_issues", "done", '{"a":1}', "[1]", undefined], ["search", "failed", "{}", undefined, "no"]]);
  for (const odd of [undefined, null, [], "x", { messages: 7 }]) assert.deepEqual(readHistory(odd), { messages: [], active: false, activeMessages: [] });
});
