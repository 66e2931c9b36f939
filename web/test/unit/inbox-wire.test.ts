import assert from "node:assert/strict";
import { test } from "node:test";
import { readItem } from "../../src/inbox-wire.js";

const item = (labels: object, trigger: string) =>
  readItem(
    { id: "1", state: "pending", to: "alice", from: "x", mode: "form", message: "Shall I?", trigger, labels, created_at: "2026-11-17T09:30:00Z", expires_at: "2026-11-18T09:30:00Z" },
    "https://parley.example",
  );

test("a program asks by itself, and a service asks for whose call it is", () => {
  const program = item({ ask: "1", asker: "parley-program:release" }, "program");
  assert.deepEqual([program?.asks, program?.asker], [true, "the program release"]);
  for (const asker of ["mcp-session:x7", "mcp-call:x7"]) assert.equal(item({ asker }, "approver")?.asker, "somebody who is not signed in");
  const call = item({ asker: "bob", server: "bank", tool: "pay" }, "tool_approval");
  assert.deepEqual([call?.asks, call?.asker], [false, "bob"]);
});
